"""Bound a probe in time, retry lost calls, and turn whatever goes wrong into a sentence."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from models.chat import Chat
from models.errors import ModelError
from models.pacing import Backoff, OnRetry, ask_with_backoff
from models.reply import Reply
from prompts.prompt import TemplateSet, shipped_templates

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

T = TypeVar("T")

TROUBLE = (ModelError, TimeoutError, ValueError, TypeError, KeyError)
"""What a call may raise: errors of our own, a probe's time that ran out, and what clients raise
about a server that answers oddly."""
REFUSED_SECONDS = 3.0
"""How long a server is waited for at whose address nobody listens."""
PROBE_PATIENCE = 20.0
"""How long a call is retried once a first one was answered: less than a probe may take."""


@dataclass(frozen=True)
class Probes:
    """How long each probe may take, in seconds, how patiently and with which templates it asks."""

    patience: float = Backoff.patience_seconds
    """How long a lost call is retried, and a server waited for that has not opened yet."""

    first: float = 300.0
    """The first small call, which loads the model."""
    template: float = 60.0
    thinking: float = 120.0
    schema: float = 120.0
    context: float = 150.0
    speed: float = 60.0
    embedder: float = 60.0
    templates: TemplateSet = field(default_factory=shipped_templates, repr=False)
    """What a town would ask with."""


@dataclass(kw_only=True)
class RetryingChat(Chat):
    """A model of which a lost call is asked again, as a run asks it."""

    backoff: Backoff = field(default_factory=Backoff, repr=False)
    on_retry: OnRetry | None = field(default=None, repr=False)

    @classmethod
    def of(cls, chat: Chat, patience: float, on_retry: OnRetry) -> "RetryingChat":
        """Return the same model, retried for so many seconds."""
        same = {each.name: getattr(chat, each.name) for each in fields(Chat)}
        return cls(**same, backoff=opening(patience), on_retry=on_retry)

    async def ask(self, messages: "list[BaseMessage]", **how: Any) -> Reply:
        """Return the reply to one call, which may have been lost a few times."""

        async def once() -> Reply:
            return await super(RetryingChat, self).ask(messages, **how)

        return await ask_with_backoff(once, backoff=self.backoff, on_retry=self.on_retry)


def opening(patience: float) -> Backoff:
    """Return how patiently a server is asked: less so where nobody listens."""
    return Backoff(patience_seconds=patience, refused_seconds=REFUSED_SECONDS)


async def bounded(
    probe: Callable[[], Awaitable[T]], seconds: float, failed: Callable[[str], T]
) -> T:
    """Return what a probe finds; what `failed` makes of the sentence when it cannot."""
    try:
        async with asyncio.timeout(seconds):
            return await probe()
    except TimeoutError:
        return failed(f"not finished within {seconds:.0f} seconds")
    except TROUBLE as error:
        return failed(" ".join(str(error).split()) or type(error).__name__)


def under(chat: Chat, **changes: Any) -> Chat:
    """Return the same model, asked under changed settings; as it is where it knows of none."""
    dialect: Any = chat.dialect
    if not hasattr(dialect, "settings"):
        return chat
    dialect = replace(dialect, settings=replace(dialect.settings, **changes))
    return replace(chat, dialect=dialect)
