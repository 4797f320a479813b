"""Renders exactly what a model would get: a step's prompt for a sample or for a moment of a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

import orjson

from smolville.agents.errors import SettingError
from smolville.prompts.folder import Texts

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from smolville.lab.moments.moment import Moment

_ROLES = {"system": "system", "human": "user", "ai": "assistant"}


@dataclass(frozen=True, slots=True)
class ChatMessage:
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
        return [{"role": each.role, "content": each.content} for each in self.messages]


def as_it_was(moment: "Moment", attempt: int = 0) -> RenderedPrompt:
    """Return what the model got at a moment, from the run's own record.

    Raises SettingError when the moment has no such attempt.
    """
    call = moment.attempts[checked_attempt(moment, attempt)].call
    recorded = orjson.loads(call.messages)
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
        messages=plain_messages(prompt.render(inputs)),
    )


def plain_messages(messages: "Sequence[BaseMessage]") -> tuple[ChatMessage, ...]:
    """Return messages in the form sent to a server."""
    return tuple(ChatMessage(_ROLES[each.type], str(each.text)) for each in messages)


def checked_attempt(moment: "Moment", attempt: int) -> int:
    """Return an attempt's number; SettingError when the moment has no such attempt."""
    count = len(moment.attempts)
    if not 0 <= attempt < count:
        has = "one attempt, number 0" if count == 1 else f"the attempts 0 to {count - 1}"
        raise SettingError(f"The moment {moment.id} has no attempt {attempt}: it has {has}.")
    return attempt
