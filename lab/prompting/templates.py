"""The steps' templates: a table of them, and copies to edit as an overlay of the shipped ones."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from smolville.agents.errors import RunError, SettingError, SmolvilleError
from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS
from smolville.graphs.loop.ledger import OUTCOMES, StepOutcome
from smolville.graphs.loop.step import AnyStep
from smolville.history.counts import Counts, steps_by_template
from smolville.history.folder import RunFolder, list_runs
from smolville.history.reader import RunReader
from smolville.models.tokens import estimate_prompt, estimate_tokens
from smolville.prompts.environment import MACROS
from smolville.prompts.folder import FOLDER, SUFFIX, Texts, nearest, shipped_texts
from smolville.prompts.prompt import Prompt, TemplateSet

RUNS = 5
"""Maximum number of recent runs counted per template."""
LOOKED_AT = 20
"""Number of recent runs that are searched for a template."""


@dataclass(frozen=True, kw_only=True)
class TemplateRow:
    """A row about one step's template."""

    step: str
    tier: str
    variables: tuple[str, ...]
    version: str
    stable: int
    """Estimated tokens at the beginning of the prompt that are the same for every agent."""
    volatile: int
    """Estimated tokens of the rest of the prompt."""
    runs: int
    """Number of recent runs counted: those that used exactly this template."""
    uses: int
    """Number of uses of the step in these runs."""
    outcomes: Mapping[StepOutcome, int]
    """Number of uses by outcome, including outcomes that did not occur."""
    odd: int
    """Number of uses with an accepted answer to which a check objects."""
    odd_kinds: Mapping[str, int]
    """Oddities of answers, by kind."""

    def share(self, *outcomes: StepOutcome) -> float | None:
        """Return the share of uses with these outcomes, 0 to 1; None when there are no uses."""
        return sum(self.outcomes[each] for each in outcomes) / self.uses if self.uses else None

    def plain(self) -> dict[str, object]:
        """Return the row as plain data with stable keys."""
        shares: dict[str, float | None] = {each: self.share(each) for each in OUTCOMES}
        shares["odd"] = self.odd / self.uses if self.uses else None
        counts = {"outcomes": dict(self.outcomes), "odd_kinds": dict(self.odd_kinds)}
        return {**asdict(self), **counts, "shares": shares}


def list_templates(runs_dir: Path, texts: Texts | None = None) -> list[TemplateRow]:
    """Return a row per step, in the order of a day; `texts` default to the shipped templates.

    Raises PromptContractError when a template does not fit its step.
    """
    templates = TemplateSet(texts)
    prompts = {step.name: templates.prompt(step) for step in STEPS}
    ends = _latest(runs_dir, prompts)
    return [_row(step, prompts[step.name], ends[step.name]) for step in STEPS]


def _row(step: AnyStep, prompt: Prompt[Any], ends: list[Counts]) -> TemplateRow:
    total = Counts.summed(ends)
    one, other = (prompt.render(each[step.name]) for each in (SAMPLES, OTHER_SAMPLES))
    mine, theirs = ("\n".join(each.text for each in messages) for messages in (one, other))
    letters = zip(mine, theirs, strict=False)
    same = takewhile(lambda pair: pair[0] == pair[1], letters)
    stable = estimate_tokens("".join(letter for letter, _ in same))
    whole = estimate_prompt(one)
    return TemplateRow(
        step=step.name,
        tier=step.tier,
        variables=tuple(step.inputs.model_fields),
        version=prompt.version,
        stable=stable,
        volatile=whole - stable,
        runs=len(ends),
        uses=total.steps,
        outcomes=total.outcomes,
        odd=total.odd,
        odd_kinds=total.odd_kinds,
    )


def _latest(runs_dir: Path, prompts: Mapping[str, Prompt[Any]]) -> dict[str, list[Counts]]:
    """Return the outcomes of the steps in the latest runs that used exactly these templates."""
    found: dict[str, list[Counts]] = {name: [] for name in prompts}
    for name in (list_runs(runs_dir) if runs_dir.is_dir() else [])[:LOOKED_AT]:
        try:
            with RunReader(RunFolder.open(runs_dir, name)) as reader, reader.snapshot():
                counted = steps_by_template(reader.connection)
        except SmolvilleError:
            continue
        for step, prompt in prompts.items():
            versions = {prompt.version, prompt.with_examples.version}
            ends = Counts.summed(
                counted[step, version] for version in versions if (step, version) in counted
            )
            if ends.steps and len(found[step]) < RUNS:
                found[step].append(ends)
    return found


@dataclass(frozen=True, kw_only=True)
class EjectResult:
    """The result of copying templates into a folder."""

    folder: str
    written: tuple[str, ...]
    """Names of the files written."""
    kept: tuple[str, ...]
    """Files that existed with different content and were left unchanged."""
    same: tuple[str, ...]
    """Files that existed with the same content."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return asdict(self)


def eject(
    folder: Path, names: Sequence[str], texts: Texts | None = None, *, overwrite: bool = False
) -> EjectResult:
    """Copy templates into a folder, which is created if needed, and return the result.

    `names` are steps, each copied with the partials it includes, or other files by their stem
    (`repair`, `_who`); without names everything is copied. Existing files are kept unless they may
    be overwritten. Raises SettingError for an unknown name, RunError when it cannot be written.
    """
    texts = shipped_texts() if texts is None else texts
    files = _files(names, texts)
    if folder.resolve() == FOLDER:
        raise SettingError(f"{str(folder)!r} is where the shipped templates are; name another one.")
    done: dict[str, list[str]] = {"written": [], "kept": [], "same": []}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            path, new = folder / file, texts[file].encode()
            is_there = path.exists()
            is_same = is_there and path.read_bytes() == new
            done["same" if is_same else "kept" if is_there and not overwrite else "written"] += [
                file
            ]
            if file in done["written"]:
                path.write_bytes(new)
    except OSError as error:
        raise RunError(
            f"The templates cannot be written into {str(folder)!r}: {error.strerror}."
        ) from error
    return EjectResult(folder=str(folder), **{how: tuple(each) for how, each in done.items()})


def _files(names: Sequence[str], texts: Texts) -> list[str]:
    """Return the files for these names; SettingError for the first unknown name."""
    if not names:
        return sorted(texts)
    templates, steps = TemplateSet(texts), {step.name: step for step in STEPS}
    found: dict[str, None] = {}
    for name in names:
        stem = name.removesuffix(SUFFIX)
        if stem in steps:
            included = templates.prompt(steps[stem]).facts.texts
            found |= dict.fromkeys(file for file in included if file != MACROS)
        elif f"{stem}{SUFFIX}" in texts:
            found[f"{stem}{SUFFIX}"] = None
        else:
            stems = [file.removesuffix(SUFFIX) for file in texts]
            raise SettingError(
                f"There is no step {name!r}{nearest(stem, stems)}. All: {', '.join(steps)}."
            )
    return list(found)
