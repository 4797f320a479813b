"""Renders exactly what a model would get: a step's prompt for a sample or for a moment of a run.

A moment can be rendered as it was, or with other templates, its repair messages included.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from smolville.agents.errors import RunError, SettingError
from smolville.prompts.folder import Texts, shipped_texts

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage
    from pydantic import BaseModel

    from smolville.graphs.loop.ledger import Call
    from smolville.graphs.loop.state import RejectedReply
    from smolville.graphs.loop.step import AnyStep
    from smolville.lab.moments.moment import Moment
    from smolville.prompts.repair import RepairPrompt

_ROLES = {"system": "system", "human": "user", "ai": "assistant"}


class ChatMessage(NamedTuple):
    """A message as sent to a server."""

    role: str
    """`system`, `user` or `assistant`."""
    content: str


@dataclass(frozen=True, kw_only=True)
class RenderedPrompt:
    """A rendered prompt with its origin."""

    step: str
    of: str
    """What it was rendered for: `sample`, or a moment's id."""
    attempt: int = 0
    """Number of the attempt; 0 is the first question."""
    templates: str
    """The templates used: `as it was`, `shipped`, or the name of a folder."""
    messages: tuple[ChatMessage, ...]
    repairs: int = 0
    """Number of rejected answers at the end of the messages, each followed by a repair message."""

    def plain(self) -> list[dict[str, str]]:
        """Return the messages as chat APIs take them."""
        return [each._asdict() for each in self.messages]


def sample(step: str, texts: Texts | None, name: str, *, other: bool = False) -> RenderedPrompt:
    """Return what the model would get for a step's sample, or for its second sample if `other`.

    Raises PromptError when the template does not fit.
    """
    from smolville.graphs.loop.step import load_step
    from smolville.graphs.scenes import MILO, ROSA
    from smolville.prompts.prompt import TemplateSet

    declared = load_step(step)
    prompt = TemplateSet(texts).prompt(declared)
    inputs = declared.sample(MILO if other else ROSA)
    return RenderedPrompt(
        step=step,
        of="other sample" if other else "sample",
        templates=name,
        messages=_plain_messages(prompt.render(inputs)),
    )


def as_it_was(moment: "Moment", attempt: int = 0) -> RenderedPrompt:
    """Return what the model got at a moment, from the run's own record.

    Raises SettingError when the moment has no such attempt.
    """
    count = len(moment.attempts)
    if not 0 <= attempt < count:
        has = "one attempt, number 0" if count == 1 else f"the attempts 0 to {count - 1}"
        raise SettingError(f"The moment {moment.id} has no attempt {attempt}: it has {has}.")
    recorded = orjson.loads(moment.attempts[attempt].call.messages)
    messages = tuple(ChatMessage(each["role"], each["content"]) for each in recorded)
    return RenderedPrompt(
        step=moment.step,
        of=moment.id,
        attempt=attempt,
        templates="as it was",
        messages=messages,
        repairs=repairs_in(messages, [made.call.reply for made in moment.attempts[:attempt]]),
    )


def repairs_in(messages: Sequence[ChatMessage], replies: Sequence[str]) -> int:
    """Return the number of rejected answers shown in an attempt, each with its repair message.

    `replies` are the replies of the earlier attempts. When a talk is shown as turns, some of the
    answers in `messages` belong to the talk; only an answer that occurs in one of the replies
    counts as rejected.
    """
    if not replies:
        return 0
    from smolville.graphs.loop.repairing import EMPTY, NOT_SHOWN

    answers = [each.content for each in messages if each.role == "assistant"]
    wrong = takewhile(
        lambda said: said in (EMPTY, NOT_SHOWN) or any(said in reply for reply in replies),
        reversed(answers),
    )
    return min(len(replies), sum(1 for _ in wrong))


def with_texts(moment: "Moment", texts: Texts, name: str, attempt: int = 0) -> RenderedPrompt:
    """Return what the model would get at a moment with other templates.

    The inputs, the example cases and, in a repair, the earlier rejected answers are those of the
    moment; the messages about them are rendered anew. Raises PromptError when the templates do not
    fit, RunError when the step's inputs have changed.
    """
    from langchain_core.messages import AIMessage

    from smolville.models.chat import RepairMessage
    from smolville.prompts.prompt import TemplateSet

    was = as_it_was(moment, attempt)
    templates, step = TemplateSet.of(texts), step_of(moment)
    call = moment.attempts[attempt].call
    cases = [(each["case"], each["answer"]) for each in orjson.loads(call.examples)]
    messages = templates.prompt(step).render(inputs_of(step, call), cases)
    if was.repairs:
        then = TemplateSet.of(moment.templates or shipped_texts()).repair
        shown = was.messages[-2 * was.repairs :]
        wrongs = [*_rejected_replies(moment, step, attempt)][-was.repairs :]
        for wrong, answer, repair in zip(wrongs, shown[::2], shown[1::2], strict=True):
            text = _repair_anew(wrong, answer.content, repair.content, then, templates.repair)
            messages += [AIMessage(content=answer.content), RepairMessage(content=text)]
    return RenderedPrompt(
        step=moment.step,
        of=moment.id,
        attempt=attempt,
        templates=name,
        messages=_plain_messages(messages),
        repairs=was.repairs,
    )


def step_of(moment: "Moment") -> "AnyStep":
    """Return a moment's step; RunError when that step no longer exists."""
    from smolville.graphs.catalogue import STEPS

    found = next((step for step in STEPS if step.name == moment.step), None)
    if found is None:
        raise RunError(f"The moment {moment.id} is of the step {moment.step!r}, which is gone.")
    return found


def inputs_of(step: "AnyStep", call: "Call") -> Any:
    """Return the typed inputs of a call; RunError when the step's inputs have changed since."""
    from pydantic import ValidationError

    try:
        return step.inputs.model_validate_json(call.inputs)
    except ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(str(part) for part in wrong["loc"])
        raise RunError(
            f"The step {step.name!r} has other inputs by now than this moment of {call.agent}: "
            f"`{where}`, {wrong['msg'][:1].lower()}{wrong['msg'][1:]}"
        ) from error


def _plain_messages(messages: "Sequence[BaseMessage]") -> tuple[ChatMessage, ...]:
    return tuple(ChatMessage(_ROLES[each.type], str(each.text)) for each in messages)


def _rejected_replies(moment: "Moment", step: "AnyStep", attempt: int) -> "Iterator[RejectedReply]":
    """Yield the rejected replies before an attempt with their problems, as the step loop saw them.

    The replies are parsed again, to find which items of a list were already right.
    """
    from smolville.graphs.loop.graph import UNREADABLE
    from smolville.graphs.loop.repairing import (
        merge_answers,
        missing_keys,
        narrow_context,
        said_by,
    )
    from smolville.graphs.loop.state import RejectedReply, StepState
    from smolville.parsers.reader import ParseResult

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
    wrong: "RejectedReply", answer: str, repair: str, then: "RepairPrompt", now: "RepairPrompt"
) -> str:
    """Return the message about a rejected answer, rendered with other templates.

    It lists as many problems as the original did: the original was shortened at the end if it was
    too long. When it cannot be reproduced (it came from another version of the parser), it is
    returned unchanged.
    """
    for count in range(len(wrong.problems), -1, -1):
        for missing in dict.fromkeys((wrong.missing, None)):
            for shortened in (answer != wrong.said, answer == wrong.said):
                problems = wrong.problems[:count]
                how: dict[str, Any] = {
                    "cut": wrong.cut,
                    "missing": missing,
                    "shortened": shortened,
                }
                if then.text(problems, **how) == repair:
                    return now.text(problems, **how)
    return repair
