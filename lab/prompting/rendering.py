"""Exactly what a model would get: a step's prompt for a sample, or for a moment of a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from agents.errors import SettingError
from lab.moments.moment import Moment
from prompts.folder import Texts

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

_ROLES = {"system": "system", "human": "user", "ai": "assistant"}


@dataclass(frozen=True, slots=True)
class Message:
    """One message as a server gets it."""

    role: str
    """`system`, `user` or `assistant`."""
    content: str


@dataclass(frozen=True, kw_only=True)
class Rendered:
    """A prompt, with where it comes from."""

    step: str
    of: str
    """What it was rendered for: `sample`, or a moment's id."""
    attempt: int = 0
    """From 0: the first question."""
    templates: str
    """By which templates: `as it was`, `shipped`, or a folder's name."""
    messages: tuple[Message, ...]

    def plain(self) -> list[dict[str, str]]:
        """Return the messages as chat APIs take them."""
        return [{"role": each.role, "content": each.content} for each in self.messages]


def as_it_was(moment: Moment, attempt: int = 0) -> Rendered:
    """Return what the model got at a moment, from the run's own record.

    Raises SettingError when the moment has no such attempt.
    """
    call = moment.attempts[checked_attempt(moment, attempt)].call
    told = orjson.loads(call.messages)
    return Rendered(
        step=moment.step,
        of=moment.id,
        attempt=attempt,
        templates="as it was",
        messages=tuple(Message(each["role"], each["content"]) for each in told),
    )


def with_texts(moment: Moment, texts: Texts, name: str, attempt: int = 0) -> Rendered:
    """Return what the model would get at a moment by other templates.

    The inputs, the example cases, and in a repair the wrong answers before it, are its own. Raises
    PromptError when the templates do not fit, RunError when the inputs are no longer taken.
    """
    from lab.prompting.anew import messages_anew

    checked_attempt(moment, attempt)
    return Rendered(
        step=moment.step,
        of=moment.id,
        attempt=attempt,
        templates=name,
        messages=plain_messages(messages_anew(moment, texts, attempt)),
    )


def sample(step: str, texts: Texts | None, name: str, *, other: bool = False) -> Rendered:
    """Return what the model would get with a step's sample, or its other one.

    Raises PromptError when the template does not fit.
    """
    from graphs.catalogue import STEPS
    from graphs.samples import OTHER_SAMPLES, SAMPLES
    from prompts.prompt import TemplateSet

    declared = next(each for each in STEPS if each.name == step)
    prompt = TemplateSet(texts).prompt(declared)
    inputs = (OTHER_SAMPLES if other else SAMPLES)[step]
    return Rendered(
        step=step,
        of="other sample" if other else "sample",
        templates=name,
        messages=plain_messages(prompt.render(inputs)),
    )


def plain_messages(messages: "Sequence[BaseMessage]") -> tuple[Message, ...]:
    """Return messages as a server gets them."""
    return tuple(Message(_ROLES[each.type], str(each.text)) for each in messages)


def checked_attempt(moment: Moment, attempt: int) -> int:
    """Return an attempt's number; SettingError when the moment has no such attempt."""
    count = len(moment.attempts)
    if not 0 <= attempt < count:
        has = "one attempt, number 0" if count == 1 else f"the attempts 0 to {count - 1}"
        raise SettingError(f"The moment {moment.id} has no attempt {attempt}: it has {has}.")
    return attempt
