"""Every step's template in one row: what it takes, its size, and how its answers did lately."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from agents.errors import SmolvilleError
from graphs.catalogue import STEPS
from graphs.loop.ledger import OUTCOMES, StepOutcome
from graphs.loop.step import AnyStep
from graphs.samples import OTHER_SAMPLES, SAMPLES
from models.tokens import estimate_prompt, estimate_tokens
from prompts.folder import Texts
from prompts.prompt import Prompt, TemplateSet
from world.runs.counts import Counts, steps_by_template
from world.runs.folder import RunFolder, list_runs
from world.runs.reader import RunReader

RUNS = 5
"""The latest runs with a template that are counted."""
LOOKED_AT = 20
"""The latest runs in which a template is looked for."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One step's template."""

    step: str
    tier: str
    variables: tuple[str, ...]
    version: str
    stable: int
    """Tokens from the beginning that are the same for every agent, estimated by the sample."""
    volatile: int
    """Tokens of the rest."""
    runs: int
    """The latest runs that are counted: those that asked with this very template."""
    uses: int
    """How often the step was taken in them."""
    outcomes: Mapping[StepOutcome, int]
    """How they ended; every outcome, also those that did not occur."""
    sensible: int
    """Uses that a model answered with nothing odd."""
    odd_kinds: Mapping[str, int]
    """What was odd in answers, by its kind."""

    def share(self, *outcomes: StepOutcome) -> float | None:
        """Return which part of its uses ended so, 0 to 1; None where there are none."""
        return sum(self.outcomes[each] for each in outcomes) / self.uses if self.uses else None

    def plain(self) -> dict[str, object]:
        """Return the row as plain data with stable keys."""
        shares: dict[str, float | None] = {each: self.share(each) for each in OUTCOMES}
        shares["sensible"] = self.sensible / self.uses if self.uses else None
        counts = {"outcomes": dict(self.outcomes), "odd_kinds": dict(self.odd_kinds)}
        return {**asdict(self), **counts, "shares": shares}


def list_templates(runs_dir: Path, texts: Texts | None = None) -> list[Row]:
    """Return a row per step, in the order of a day, by these texts or the shipped ones.

    Raises PromptContractError when one does not fit.
    """
    templates = TemplateSet(texts)
    prompts = {step.name: templates.prompt(step) for step in STEPS}
    ends = _latest(runs_dir, prompts)
    return [_row(step, prompts[step.name], ends.get(step.name, [])) for step in STEPS]


def _row(step: AnyStep, prompt: Prompt[Any], ends: list[Counts]) -> Row:
    total = Counts.summed(ends)
    stable, whole = _sizes(step, prompt)
    return Row(
        step=step.name,
        tier=step.tier,
        variables=tuple(step.inputs.model_fields),
        version=prompt.version,
        stable=stable,
        volatile=whole - stable,
        runs=len(ends),
        uses=total.steps,
        outcomes=total.outcomes,
        sensible=total.sensible,
        odd_kinds=total.odd_kinds,
    )


def _sizes(step: AnyStep, prompt: Prompt[Any]) -> tuple[int, int]:
    """Return the tokens that all agents share of a prompt, and those of the whole sample."""
    one, other = (prompt.render(each[step.name]) for each in (SAMPLES, OTHER_SAMPLES))
    pairs = list(zip(one, other, strict=True))
    equal = [mine for mine, _ in takewhile(lambda pair: pair[0].text == pair[1].text, pairs)]
    shared = estimate_prompt(equal) if equal else 0
    if len(equal) < len(pairs):
        letters = zip(*(message.text for message in pairs[len(equal)]), strict=False)
        same = takewhile(lambda pair: pair[0] == pair[1], letters)
        shared += estimate_tokens("".join(letter for letter, _ in same))
    return shared, estimate_prompt(one)


def _latest(runs_dir: Path, prompts: Mapping[str, Prompt[Any]]) -> dict[str, list[Counts]]:
    """Return how the steps ended in the latest runs that asked with these very templates."""
    found: dict[str, list[Counts]] = {name: [] for name in prompts}
    names = list_runs(runs_dir) if runs_dir.is_dir() else []
    for name in names[:LOOKED_AT]:
        if all(len(ends) == RUNS for ends in found.values()):
            break
        with _readable(runs_dir, name) as counted:
            for step, prompt in prompts.items():
                versions = {prompt.version, prompt.with_examples.version}
                ends = Counts.summed(
                    counted[step, version] for version in versions if (step, version) in counted
                )
                if ends.steps and len(found[step]) < RUNS:
                    found[step].append(ends)
    return found


@contextmanager
def _readable(runs_dir: Path, name: str) -> Iterator[Mapping[tuple[str, str], Counts]]:
    """Give a run's outcomes by step and template; none of a run that cannot be read."""
    try:
        with RunReader(RunFolder.open(runs_dir, name)) as reader, reader.snapshot():
            counted = steps_by_template(reader.connection)
    except SmolvilleError:
        counted = {}
    yield counted
