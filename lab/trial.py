"""A model trial: a model is asked a fixed set of moments of every step, as in a run.

Its results are those of an evaluation with one variant, printed as Markdown to paste into an issue.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from smolville.graphs.alone import asked_person, persona_of
from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS
from smolville.graphs.loop.rules import Rules
from smolville.graphs.loop.step import AnyStep
from smolville.lab.evaluation.asking import ReadyMoment
from smolville.lab.evaluation.evaluate import EvaluationSpec, evaluate, variants_of
from smolville.lab.evaluation.results import Evaluation, Result
from smolville.lab.evaluation.summary import ENDS, UNASKED, VariantCounts, summarise
from smolville.lab.single_step import PreparedStep
from smolville.models.chat import Chat
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.folder import not_as_shipped
from smolville.prompts.prompt import TemplateSet

HEADS = ("step", *ENDS[:-1], "odd", "prompt", "reply", "time")
SHOWN = 3
"""Maximum number of problems shown per answer."""
LONG = 200
"""Maximum number of characters shown of a problem."""
OF_MEMORIES = frozenset({"rate_importance", "reflect_questions", "reflect_insights"})
"""Steps that a run executes only if there are memories to look at; the other sample has none."""


def samples_of(step: AnyStep) -> Iterator[PromptInput]:
    """Yield the sample inputs on which a trial tests a step."""
    yield SAMPLES[step.name]
    if step.name not in OF_MEMORIES:
        yield OTHER_SAMPLES[step.name]


def fixed_moments(steps: Sequence[AnyStep] = STEPS) -> tuple[ReadyMoment, ...]:
    """Return the moments of a trial; the number in an id, `say/2`, is that of the sample."""
    return tuple(
        ReadyMoment(
            id=f"{step.name}/{case}",
            use=PreparedStep(
                step=step,
                inputs=inputs,
                persona=persona_of(asked_person(inputs)),
                owner=asked_person(inputs).name,
                tick=case,
            ),
        )
        for step in steps
        for case, inputs in enumerate(samples_of(step), 1)
    )


async def try_model(
    chat: Chat,
    *,
    rules: Rules | None = None,
    steps: Sequence[AnyStep] = STEPS,
    templates: TemplateSet | None = None,
    **how: Any,
) -> Evaluation:
    """Return the results of a model on the fixed moments of every step.

    `templates` default to the shipped ones; `how` has the callbacks and the backoff of `evaluate`.
    Raises TransportError when the server can no longer be asked.
    """
    question = EvaluationSpec(
        variants=variants_of([("shipped", templates or TemplateSet())], [chat]),
        moments=fixed_moments(steps),
        rules=rules or Rules(),
    )
    return await evaluate(question, **how)


@dataclass(frozen=True, kw_only=True)
class TrialReport:
    """The results of a trial, by step and in total."""

    model: dict[str, str]
    """The model's name, size and kind of server, without any address, so it can be published."""
    edited: tuple[str, ...]
    """The template files that differ from the shipped ones."""
    setup: dict[str, object]
    """How the model was asked, by which program, and when."""
    seconds: float
    total: VariantCounts
    steps: dict[str, VariantCounts]
    failures: tuple[Result, ...]
    """Moments that ended in a fallback or could not be asked."""
    odd: tuple[Result, ...]
    """Moments with an answer in which something makes no sense."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "model": self.model,
            **self.setup,
            "edited": list(self.edited),
            "seconds": round(self.seconds, 1),
            "total": self.total.plain(),
            "steps": {step: line.plain() for step, line in self.steps.items()},
            "failures": [asdict(each) for each in self.failures],
            "odd": [asdict(each) for each in self.odd],
        }


def report(
    trial: Evaluation, chat: Chat, rules: Rules, templates: TemplateSet | None
) -> TrialReport:
    """Return the report of a trial: counts by step and in total."""
    (counted,) = summarise(trial).variants
    return TrialReport(
        model={
            "name": chat.name,
            "kind": chat.spec.partition(":")[0],
            "parameters": chat.parameters,
            "quantization": chat.quantization,
        },
        edited=() if templates is None else not_as_shipped(templates.texts),
        setup={
            "constrained": chat.constrains,
            "repairs": rules.repairs,
            "examples": rules.examples,
            "program": f"smolville {version('smolville')}",
            "date": datetime.now(UTC).date().isoformat(),
        },
        seconds=trial.seconds,
        total=counted.total,
        steps=dict(counted.steps),
        failures=tuple(each for each in trial.results if not each.is_valid),
        odd=tuple(each for each in trial.results if each.odd),
    )


def markdown(report: TrialReport) -> str:
    """Return the report as Markdown: the setup, a table, the fallbacks, and the odd answers."""
    who, how = report.model, report.setup
    known = (who["parameters"], who["quantization"], who["kind"])
    lines = [
        f"**{who['name']}** ({', '.join(filter(None, known))}); "
        f"{'' if how['constrained'] else 'not '}constrained to a JSON schema; "
        f"repairs {how['repairs']}, examples {how['examples']}; "
        f"edited {', '.join(report.edited) or 'nothing'}; {how['program']}, {how['date']}",
        "",
        f"| {' | '.join(HEADS)} |",
        f"|:--|{'--:|' * (len(HEADS) - 1)}",
        *(_line(step, line) for step, line in report.steps.items()),
        _line("**total**", report.total),
        "",
        *_format_footer(report),
    ]
    return "\n".join(lines)


def _line(step: str, line: VariantCounts) -> str:
    """Return a row of the table; zero counts are left blank for readability."""
    counts = [*(line.ends[end] or "" for end in ENDS[:-1]), line.shares["odd"].count or ""]
    tokens = (line.prompt_tokens, line.completion_tokens)
    costs = ["" if each is None else f"{each:.0f}" for each in tokens]
    took = "" if line.milliseconds is None else f"{line.milliseconds / 1000:.1f} s"
    return f"| {' | '.join(map(str, [step, *counts, *costs, took]))} |"


def _format_footer(report: TrialReport) -> Iterator[str]:
    """Yield the lines below the table."""
    total = report.total
    yield (
        f"{total.shares['first'].count} of {total.asked} moments were answered without asking "
        f"again; objected to: {total.shares['odd'].count}; all in {report.seconds:.0f} s."
    )
    yield "Prompt and reply are mean tokens of a moment with its repairs; time is the median."
    if total.ends[UNASKED]:
        yield f"{total.ends[UNASKED]} moments did not fit the model's context."
    parts = (
        ("Fallbacks, with what was wrong with the first answer:", report.failures, "problems"),
        ("Odd answers, with what makes no sense in them:", report.odd, "odd"),
    )
    for heading, results, problems in parts:
        if results:
            yield from ("", heading, "")
        for each in results:
            yield f"- `{each.moment}`: {_problems(getattr(each, problems))}"


def _problems(problems: Sequence[str]) -> str:
    """Return the first problems of an answer on one line."""
    text = "; ".join(textwrap.shorten(each, LONG, placeholder="…") for each in problems[:SHOWN])
    return "".join(c if c.isprintable() else " " for c in text) or "no problem was recorded"
