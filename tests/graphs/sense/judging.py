"""What the checks of a step have against an answer to Rosa's morning, or to a changed one."""

from typing import Any

from smolville.graphs.catalogue import SAMPLES, STEPS
from smolville.graphs.loop.repairing import shown_with
from smolville.graphs.loop.state import StepState
from smolville.graphs.sense import EVERYWHERE, SenseVerdict, judge

BY_NAME = {step.name: step for step in STEPS}


def verdict(
    step: str, answer: dict[str, Any], language: str = "en", /, **changed: Any
) -> SenseVerdict:
    """The verdict on an answer, given as a model writes it; `changed` are inputs of the sample."""
    declared = BY_NAME[step]
    plain = SAMPLES[step].model_dump() | changed
    inputs = declared.inputs.model_validate(plain)
    context = {**declared.context(inputs), "choices": dict(declared.choices(inputs))}
    whole = declared.answer.model_validate(answer, context=context)
    asked = declared.prompt.invoke(inputs)
    state = StepState(agent="Rosa Marin", inputs=inputs, first=asked)
    shown = shown_with(declared, state, language)
    return judge((*EVERYWHERE, *declared.sense), whole, inputs, shown)


def kinds(step: str, answer: dict[str, Any], /, **changed: Any) -> list[str]:
    """The kinds of all that is held against an answer."""
    found = verdict(step, answer, **changed)
    return [problem.kind for problem in (*found.refused, *found.odd)]
