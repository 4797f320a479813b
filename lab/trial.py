"""A model trial: a model is asked a fixed set of moments of every step, as in a run.

Its results are those of an evaluation with one variant, printed as Markdown to paste into an issue.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from smolville.graphs.alone import asked_person, persona_of
from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS
from smolville.graphs.loop.rules import Rules
from smolville.graphs.loop.step import AnyStep
from smolville.lab.evaluation.asking import ReadyMoment
from smolville.lab.evaluation.evaluate import EvaluationSpec, evaluate, variants_of
from smolville.lab.evaluation.results import Evaluation
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


def setup_of(chat: Chat, rules: Rules, templates: TemplateSet | None) -> dict[str, object]:
    """Return which model was asked how, by which program and when.

    It holds no address, so that it can be published.
    """
    return {
        "model": chat.name,
        "kind": chat.spec.partition(":")[0],
        "parameters": chat.parameters,
        "quantization": chat.quantization,
        "constrained": chat.constrains,
        "repairs": rules.repairs,
        "examples": rules.examples,
        "edited": [] if templates is None else list(not_as_shipped(templates.texts)),
        "program": f"smolville {version('smolville')}",
        "date": datetime.now(UTC).date().isoformat(),
    }


def plain(trial: Evaluation, setup: Mapping[str, object]) -> dict[str, object]:
    """Return a trial as plain data with stable keys."""
    (counted,) = summarise(trial).variants
    return {
        **setup,
        "seconds": round(trial.seconds, 1),
        "total": counted.total.plain(),
        "steps": {step: line.plain() for step, line in counted.steps.items()},
        "failures": [asdict(each) for each in trial.results if not each.is_valid],
        "odd": [asdict(each) for each in trial.results if each.odd],
    }


def markdown(trial: Evaluation, setup: Mapping[str, object]) -> str:
    """Return a trial as Markdown: the setup, a table, the fallbacks, and the odd answers."""
    (counted,) = summarise(trial).variants
    known = (setup[name] for name in ("parameters", "quantization", "kind"))
    edited = setup["edited"]
    lines = [
        f"**{setup['model']}** ({', '.join(str(each) for each in known if each)}); "
        f"{'' if setup['constrained'] else 'not '}constrained to a JSON schema; "
        f"repairs {setup['repairs']}, examples {setup['examples']}; "
        f"edited {', '.join(edited) if isinstance(edited, list) and edited else 'nothing'}; "
        f"{setup['program']}, {setup['date']}",
        "",
        f"| {' | '.join(HEADS)} |",
        f"|:--|{'--:|' * (len(HEADS) - 1)}",
        *(_line(step, line) for step, line in counted.steps.items()),
        _line("**total**", counted.total),
        "",
        *_format_footer(trial, counted.total),
    ]
    return "\n".join(lines)


def _line(step: str, line: VariantCounts) -> str:
    """Return a row of the table; zero counts are left blank for readability."""
    counts = [*(line.ends[end] or "" for end in ENDS[:-1]), line.shares["odd"].count or ""]
    tokens = (line.prompt_tokens, line.completion_tokens)
    costs = ["" if each is None else f"{each:.0f}" for each in tokens]
    took = "" if line.milliseconds is None else f"{line.milliseconds / 1000:.1f} s"
    return f"| {' | '.join(map(str, [step, *counts, *costs, took]))} |"


def _format_footer(trial: Evaluation, total: VariantCounts) -> Iterator[str]:
    yield (
        f"{total.shares['first'].count} of {total.asked} moments were answered without asking "
        f"again; objected to: {total.shares['odd'].count}; all in {trial.seconds:.0f} s."
    )
    yield "Prompt and reply are mean tokens of a moment with its repairs; time is the median."
    if total.ends[UNASKED]:
        yield f"{total.ends[UNASKED]} moments did not fit the model's context."
    failed = [(each.moment, each.problems) for each in trial.results if not each.is_valid]
    odd = [(each.moment, each.odd) for each in trial.results if each.odd]
    parts = (
        ("Fallbacks, with what was wrong with the first answer:", failed),
        ("Odd answers, with what makes no sense in them:", odd),
    )
    for heading, found in parts:
        if found:
            yield from ("", heading, "")
        yield from (f"- `{moment}`: {_problems(problems)}" for moment, problems in found)


def _problems(problems: Sequence[str]) -> str:
    """Return the first problems of an answer on one line."""
    text = "; ".join(textwrap.shorten(each, LONG, placeholder="…") for each in problems[:SHOWN])
    return "".join(c if c.isprintable() else " " for c in text) or "no problem was recorded"
