"""A moment's messages rendered anew by other templates, repairs included."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import BaseModel, ValidationError

from agents.errors import RunError
from graphs.catalogue import STEPS
from graphs.loop.ledger import Call
from graphs.loop.nodes import UNREADABLE
from graphs.loop.repairing import merged, missing_keys, narrowed, said_by
from graphs.loop.state import StepState, Wrong
from graphs.loop.step import AnyStep
from lab.moments.moment import Moment
from parsers.reader import Reading
from prompts.folder import Texts
from prompts.prompt import TemplateSet
from prompts.repair import RepairPrompt

FIRST = 2
"""Messages of a prompt itself: system and human; what follows are wrong answers and repairs."""


def messages_anew(moment: Moment, texts: Texts, attempt: int) -> list[BaseMessage]:
    """Return what the model would get at an attempt by these templates.

    Wrong answers before it stay as they were shown; what is said of them is told by `texts`.
    """
    templates, step = TemplateSet(texts), step_of(moment)
    call = moment.attempts[attempt].call
    cases = [(each["case"], each["answer"]) for each in orjson.loads(call.examples)]
    first = templates.prompt(step).render(inputs_of(step, call), cases)
    shown = orjson.loads(call.messages)[FIRST:]
    if not shown:
        return first
    then = TemplateSet(moment.templates or None).repair
    wrongs = list(_wrongs(moment, step, attempt))
    pairs = len(shown) // 2
    more: list[BaseMessage] = []
    for number in range(pairs):
        answer, told = (each["content"] for each in shown[2 * number : 2 * number + 2])
        wrong = wrongs[len(wrongs) - pairs + number]
        text = _told_anew(wrong, answer, told, then, templates.repair)
        more += [AIMessage(content=answer), HumanMessage(content=text)]
    return [*first, *more]


def step_of(moment: Moment) -> AnyStep:
    """Return a moment's step; RunError when the program has it no more."""
    found = next((step for step in STEPS if step.name == moment.step), None)
    if found is None:
        raise RunError(f"The moment {moment.id} is of the step {moment.step!r}, which is gone.")
    return found


def inputs_of(step: AnyStep, call: Call) -> Any:
    """Return the typed inputs that a call showed; RunError when the step has others by now."""
    try:
        return step.inputs.model_validate_json(call.inputs)
    except ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(str(part) for part in wrong["loc"])
        raise RunError(
            f"The step {step.name!r} has other inputs by now than this moment of {call.agent}: "
            f"`{where}`, {wrong['msg'][:1].lower()}{wrong['msg'][1:]}"
        ) from error


def _wrongs(moment: Moment, step: AnyStep, attempt: int) -> Iterator[Wrong]:
    """Yield what was wrong with the replies before an attempt, as the step loop noted it.

    What of a list was right by then is found by reading the replies again.
    """
    kept: tuple[BaseModel, ...] = ()
    for number, made in enumerate(moment.attempts[:attempt]):
        call = made.call
        state = StepState(
            agent=call.agent,
            inputs=inputs_of(step, call),
            ordinal=call.key.ordinal,
            attempt=number,
            call=call,
            kept=kept,
        )
        is_cut = call.finish == "length"
        if call.finish == "unreadable":
            reading: Reading[Any] = Reading(None, problems=(UNREADABLE,))
        else:
            reading = step.parser.read(call.reply, narrowed(step, state), cut=is_cut)
        _, kept, _ = merged(step, state, reading, is_last=False)
        state.kept = kept
        missing = missing_keys(step, state) if kept else []
        yield Wrong(
            said=said_by(call),
            problems=() if made.reading is None else made.reading.problems,
            cut=is_cut,
            missing=", ".join(str(key) for key in missing) or None,
        )


def _told_anew(wrong: Wrong, answer: str, told: str, then: RepairPrompt, now: RepairPrompt) -> str:
    """Return the message about a wrong answer by other templates.

    As many problems are told as were told then. What was told in a way that cannot be found again
    (a reader of another version) stays as it was.
    """
    for problems in _beginnings(wrong.problems):
        for missing in dict.fromkeys((wrong.missing, None)):
            for shortened in (answer != wrong.said, answer == wrong.said):
                was = then.text(problems, cut=wrong.cut, missing=missing, shortened=shortened)
                if was == told:
                    return now.text(problems, cut=wrong.cut, missing=missing, shortened=shortened)
    return told


def _beginnings(problems: Sequence[str]) -> list[Sequence[str]]:
    """Return all problems, then all but the last, and so on: what had room was told."""
    return [problems[:count] for count in range(len(problems), -1, -1)]
