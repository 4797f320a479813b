"""Render a moment's messages again with other templates, including its repair messages."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel, ValidationError

from smolville.agents.errors import RunError
from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.ledger import Call
from smolville.graphs.loop.narrowing import without_worked_example
from smolville.graphs.loop.nodes import UNREADABLE
from smolville.graphs.loop.repairing import merge_answers, missing_keys, narrow_context, said_by
from smolville.graphs.loop.state import RejectedReply, StepState
from smolville.graphs.loop.step import AnyStep
from smolville.lab.moments.moment import Moment
from smolville.lab.prompting.rendering import (
    RenderedPrompt,
    as_it_was,
    checked_attempt,
    plain_messages,
)
from smolville.models.chat import RepairMessage
from smolville.parsers.instructions import EXAMPLE_LINE
from smolville.parsers.reader import ParseResult
from smolville.prompts.folder import Texts, shipped_texts
from smolville.prompts.prompt import Prompt, TemplateSet
from smolville.prompts.repair import RepairPrompt


def with_texts(moment: "Moment", texts: Texts, name: str, attempt: int = 0) -> RenderedPrompt:
    """Return what the model would get at a moment with other templates.

    The inputs, the example cases and, in a repair, the earlier rejected answers are those of the
    moment. Raises PromptError when the templates do not fit, RunError when the step's inputs have
    changed.
    """
    checked_attempt(moment, attempt)
    messages = messages_anew(moment, texts, attempt)
    return RenderedPrompt(
        step=moment.step,
        of=moment.id,
        attempt=attempt,
        templates=name,
        messages=plain_messages(messages),
        repairs=sum(isinstance(each, RepairMessage) for each in messages),
    )


def messages_anew(moment: Moment, texts: Texts, attempt: int) -> list[BaseMessage]:
    """Return the messages that the model would get at an attempt with these templates.

    The rejected answers before the attempt stay as they were shown; the messages about them are
    rendered with `texts`.
    """
    templates, step = TemplateSet.of(texts), step_of(moment)
    call = moment.attempts[attempt].call
    cases = [(each["case"], each["answer"]) for each in orjson.loads(call.examples)]
    prompt: Prompt[Any] = templates.prompt(step)
    if _was_without_example(moment, attempt):
        prompt = without_worked_example(step, prompt)
    first = prompt.render(inputs_of(step, call), cases)
    pairs = as_it_was(moment, attempt).repairs
    if not pairs:
        return first
    shown = orjson.loads(call.messages)[-2 * pairs :]
    then = TemplateSet.of(moment.templates or shipped_texts()).repair
    wrongs = list(_rebuild_rejected_replies(moment, step, attempt))
    more: list[BaseMessage] = []
    for number in range(pairs):
        answer, repair = (each["content"] for each in shown[2 * number : 2 * number + 2])
        wrong = wrongs[len(wrongs) - pairs + number]
        text = _repair_anew(wrong, answer, repair, then, templates.repair)
        more += [AIMessage(content=answer), RepairMessage(content=text)]
    return [*first, *more]


def _was_without_example(moment: Moment, attempt: int) -> bool:
    """Return whether an attempt showed no worked example, although the first question did."""
    first, this = (as_it_was(moment, number).messages[0].content for number in (0, attempt))
    return EXAMPLE_LINE in first and EXAMPLE_LINE not in this


def step_of(moment: Moment) -> AnyStep:
    """Return a moment's step; RunError when that step no longer exists."""
    found = next((step for step in STEPS if step.name == moment.step), None)
    if found is None:
        raise RunError(f"The moment {moment.id} is of the step {moment.step!r}, which is gone.")
    return found


def inputs_of(step: AnyStep, call: Call) -> Any:
    """Return the typed inputs of a call; RunError when the step's inputs have changed since."""
    try:
        return step.inputs.model_validate_json(call.inputs)
    except ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(str(part) for part in wrong["loc"])
        raise RunError(
            f"The step {step.name!r} has other inputs by now than this moment of {call.agent}: "
            f"`{where}`, {wrong['msg'][:1].lower()}{wrong['msg'][1:]}"
        ) from error


def _rebuild_rejected_replies(
    moment: Moment, step: AnyStep, attempt: int
) -> Iterator[RejectedReply]:
    """Yield the rejected replies before an attempt with their problems, as the step loop saw them.

    The replies are parsed again, to find which items of a list were already right.
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
            reading: ParseResult[Any] = ParseResult(None, problems=(UNREADABLE,))
        else:
            reading = step.parser.read(call.reply, narrow_context(step, state), cut=is_cut)
        _, kept, _ = merge_answers(step, state, reading, is_last=False)
        state.kept = kept
        missing = missing_keys(step, state) if kept else []
        yield RejectedReply(
            said=said_by(call),
            problems=() if made.reading is None else made.reading.problems,
            cut=is_cut,
            missing=", ".join(str(key) for key in missing) or None,
        )


def _repair_anew(
    wrong: RejectedReply, answer: str, repair: str, then: RepairPrompt, now: RepairPrompt
) -> str:
    """Return the message about a rejected answer, rendered with other templates.

    It lists as many problems as the original did. When the original cannot be reproduced (it came
    from another version of the parser), it is returned unchanged.
    """
    for problems in _beginnings(wrong.problems):
        for missing in dict.fromkeys((wrong.missing, None)):
            for shortened in (answer != wrong.said, answer == wrong.said):
                was = then.text(problems, cut=wrong.cut, missing=missing, shortened=shortened)
                if was == repair:
                    return now.text(problems, cut=wrong.cut, missing=missing, shortened=shortened)
    return repair


def _beginnings(problems: Sequence[str]) -> list[Sequence[str]]:
    """Return the list of all problems, the list without the last one, and so on down to none.

    The caller looks among them for the list that the original message showed: it was shortened at
    the end if it was too long.
    """
    return [problems[:count] for count in range(len(problems), -1, -1)]
