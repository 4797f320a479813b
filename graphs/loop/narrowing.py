"""Ask a narrower question in place of a repair that would be useless.

A small model that does not see a fault repeats it (docs/small-models.md). So a step may declare a
narrower question (`Step.narrowing`) to use in place of one more repair, and may keep the part of a
refused answer that is right. The narrower question then asks only for the rest. What is still
missing after it comes from the step's fallback, and is marked as such.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel

from smolville.graphs.loop.budget import TrimmedPrompt
from smolville.graphs.sense.copying import COPIES_EXAMPLE
from smolville.parsers.answer import Answer
from smolville.parsers.instructions import format_instructions
from smolville.parsers.problem import SENSE_KINDS, Problem
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.prompt import Prompt

if TYPE_CHECKING:
    from smolville.graphs.context import MindContext
    from smolville.graphs.loop.model_client import ModelClient
    from smolville.graphs.loop.state import StepState
    from smolville.graphs.loop.step import AnyStep

I = TypeVar("I", bound=PromptInput)  # noqa: E741 - the inputs
A = TypeVar("A", bound=Answer)


def keep_nothing(answer: Any, problems: Sequence[Problem]) -> None:
    """Return None: no part of an indivisible answer is kept."""


def take_new(part: Any, new: Any) -> Any:
    """Return the new answer unchanged, for steps that keep no part of the old answer."""
    return new


@dataclass(frozen=True, kw_only=True)
class Narrowing(Generic[I, A]):
    """A step's narrower question, and how its answer is joined to the right part so far."""

    narrow: Callable[[I, A | None], I]
    """Returns the inputs of the narrower question, given the right part of the answer so far."""
    keep: Callable[[A, Sequence[Problem]], A | None] = keep_nothing
    """Returns the part of a refused answer that no problem concerns; None if there is none."""
    join: Callable[[A, A], A] = take_new
    """Returns the right part joined with the rest."""


def is_in_vain(state: "StepState", client: "ModelClient") -> bool:
    """Return whether another repair is useless: the last two replies fail the same check of sense.

    A small model that repeats a fault after it was told about it once will repeat it again: of six
    such repairs, a reader found one sensible (docs/small-models.md). False if a stronger model may
    still be asked.
    """
    if client.rules.history == "none" or client.can_escalate or len(state.readings) < 2:
        return False
    before, last = (set(reading.kinds) & SENSE_KINDS.keys() for reading in state.readings[-2:])
    is_sense = set(state.readings[-1].kinds) <= SENSE_KINDS.keys()
    return is_sense and bool(before & last)


def lesser_prompt(
    step: "AnyStep", state: "StepState", context: "MindContext"
) -> dict[str, Any] | None:
    """Return the state changes that make the next prompt ask for less than a repair would.

    None if an ordinary repair is right: the same prompt, followed by what is wrong.
    """
    if asks_less(step, state, context.client):
        return narrowed(step, state, context.client.templates.at(context.tick).prompt(step))
    return without_examples(step, state) if copies_example(step, state, context.client) else None


def asks_less(step: "AnyStep", state: "StepState", client: "ModelClient") -> bool:
    """Return whether the next attempt is the step's narrower question.

    It is asked at most once: if a part of the answer is right or the answer was only doubted. If
    there is no stronger model to ask the whole question, it is also asked when another repair is
    useless, and at the last attempt.
    """
    if step.narrowing is None or state.narrowed or client.rules.history == "none":
        return False
    is_last = state.attempt + 1 == client.rules.repairs_of(step) and not client.can_escalate
    is_begun = state.part is not None or state.spare is not None
    return is_begun or is_last or is_in_vain(state, client)


def copies_example(step: "AnyStep", state: "StepState", client: "ModelClient") -> bool:
    """Return whether the last reply copied an example that its prompt showed.

    A very small model that is told about the copy makes it again (docs/small-models.md). False if
    items of the answer were kept: a usual repair follows, since the next prompt is about the rest.
    """
    if client.rules.history == "none" or state.kept or state.showing is None:
        return False
    is_copy = any(COPIES_EXAMPLE in problem for problem in state.problems)
    return is_copy and state.showing.prompt.answer_instructions != _bare_format(step)


def without_examples(step: "AnyStep", state: "StepState") -> dict[str, Any]:
    """Return the state changes that ask the whole question again without examples.

    The prompt shows neither example cases nor the worked example of the format. Nor does it show
    the answer that copied them, since that would be copied next.
    """
    whole = state.showing
    assert whole is not None
    prompt = without_worked_example(step, whole.prompt)
    left_out = max(whole.left_out, len(whole.all_examples))
    return {
        "showing": replace(whole, prompt=prompt, left_out=left_out),
        "first": [],
        "wrongs": (),
    }


def without_worked_example(step: "AnyStep", prompt: Prompt[Any]) -> Prompt[Any]:
    """Return a step's prompt whose format instructions have no worked example."""
    return prompt.model_copy(update={"answer_instructions": _bare_format(step)})


def _bare_format(step: "AnyStep") -> str:
    """Return the format instructions of a step without their worked example."""
    answer: type[Answer] = step.answer
    return format_instructions(answer, with_example=False)


def narrowed(step: "AnyStep", state: "StepState", prompt: Any) -> dict[str, Any]:
    """Return the state changes that make a step's next attempt the narrower question.

    It is asked without examples and without the answers that were wrong.
    """
    assert step.narrowing is not None
    inputs = step.narrowing.narrow(state.inputs, state.part)
    shown = state.showing.all_examples if state.showing else ()
    showing = TrimmedPrompt(
        step=step, prompt=prompt, whole=inputs, all_examples=shown, left_out=len(shown)
    )
    return {"showing": showing, "first": [], "wrongs": (), "narrowed": True}


def right_part(
    step: "AnyStep",
    state: "StepState",
    answer: Answer | None,
    kept: Sequence[BaseModel],
    problems: Sequence[Problem],
) -> Answer | None:
    """Return the right part of the answers so far, of which the refused `answer` is the last."""
    if step.narrowing is None:
        return None
    whole = answer if answer is not None else next(iter(kept), None)
    if not isinstance(whole, Answer):
        return state.part
    return _joined(step, state.part, step.narrowing.keep(whole, problems))


def whole_answer(step: "AnyStep", state: "StepState", answer: Answer | None) -> Answer | None:
    """Return an answer joined to the right part of earlier answers."""
    return None if answer is None else _joined(step, state.part, answer)


def filled_up(step: "AnyStep", state: "StepState") -> dict[str, Any] | None:
    """Return the state changes that complete a right part by rule; None without such a part."""
    if step.narrowing is None or state.part is None:
        return None
    rest: Answer = step.fallback(step.narrowing.narrow(state.inputs, state.part))
    odd = tuple(
        Problem(name, "", f"`{name}`: no answer to this was right; a rule filled it in.", "empty")
        for name in rest.model_dump()
    )
    answer = step.narrowing.join(state.part, rest)
    return {"answer": answer, "filled": rest, "odd": odd, "outcome": "repaired"}


def _joined(step: "AnyStep", part: Answer | None, new: Answer | None) -> Answer | None:
    """Return the right part of earlier answers joined to a new answer; None if both are missing."""
    if part is None or new is None:
        return new if part is None else part
    assert step.narrowing is not None
    joined: Answer = step.narrowing.join(part, new)
    return joined
