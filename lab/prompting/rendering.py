"""Renders exactly what a model would get: a step's prompt for a sample or for a moment of a run.

A moment can be rendered as it was, or its first question with other templates.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from smolville.agents.errors import RunError, SettingError
from smolville.prompts.folder import Texts

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from smolville.graphs.loop.ledger import Call
    from smolville.graphs.loop.step import AnyStep
    from smolville.lab.moments.moment import Moment


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

    def plain(self) -> list[dict[str, str]]:
        """Return the messages as chat APIs take them."""
        return [each._asdict() for each in self.messages]


def sample(step: str, texts: Texts | None, name: str) -> RenderedPrompt:
    """Return what the model would get for a step's sample.

    Raises PromptError when the template does not fit.
    """
    from smolville.graphs.loop.step import load_step
    from smolville.graphs.scenes import ROSA
    from smolville.prompts.prompt import TemplateSet

    declared = load_step(step)
    prompt = TemplateSet(texts).prompt(declared)
    messages = _plain_messages(prompt.render(declared.sample(ROSA)))
    return RenderedPrompt(step=step, of="sample", templates=name, messages=messages)


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
    )


def with_texts(moment: "Moment", texts: Texts, name: str) -> RenderedPrompt:
    """Return what the model would get first at a moment with other templates.

    The inputs and the example cases are those of the moment. Raises PromptError when the templates
    do not fit, RunError when the step's inputs have changed.
    """
    from smolville.prompts.prompt import TemplateSet

    templates, step = TemplateSet.of(texts), step_of(moment)
    call = moment.attempts[0].call
    cases = [(each["case"], each["answer"]) for each in orjson.loads(call.examples)]
    messages = templates.prompt(step).render(inputs_of(step, call), cases)
    return RenderedPrompt(
        step=moment.step, of=moment.id, templates=name, messages=_plain_messages(messages)
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
    from smolville.models.chat import plain_messages

    return tuple(ChatMessage(**each) for each in plain_messages(messages))


class Size(NamedTuple):
    """Estimated token count of a section of a prompt."""

    role: str
    """Role of its message; `template` for what a chat template puts around the messages."""
    name: str
    tokens: int


LONGEST = 34
"""Maximum length of a section's name, in characters."""
_HEADING = re.compile(r"[A-Z]{3,}\b[^:\n]*")
"""Beginning of a paragraph with a heading, as in the shipped templates: `ABOUT YOU`."""


def estimate_sizes(messages: Sequence[ChatMessage]) -> list[Size]:
    """Return estimated token counts of the sections of messages, the chat template's share last.

    The sections of a message add up to its own estimate.
    """
    from smolville.models.tokens import PER_MESSAGE, estimate_tokens

    found: list[Size] = []
    for message in messages:
        text, before = "", 0
        for name, parts in groupby(_name_paragraphs(message), key=lambda each: each[0]):
            text += "".join(part for _, part in parts)
            now = estimate_tokens(text)
            found.append(Size(message.role, name, now - before))
            before = now
    return [*found, Size("template", "template", PER_MESSAGE * len(messages))]


def _name_paragraphs(message: ChatMessage) -> Iterator[tuple[str, str]]:
    """Yield a message's paragraphs, each with the last heading, or the first line before any."""
    from smolville.parsers.instructions import FIRST_LINES

    begins = "|".join(map(re.escape, FIRST_LINES))
    name = "rules" if message.role == "system" else ""
    for text in re.split(rf"(?<=\n\n)|(?<=\n)(?={begins})", message.content):
        if text.startswith(FIRST_LINES):
            name = "format"
        elif heading := _HEADING.match(text):
            name = heading[0]
        elif not name:
            name = text.strip().partition("\n")[0]
        yield (name if len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…"), text
