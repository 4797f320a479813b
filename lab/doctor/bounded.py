"""Bound a probe in time, retry lost calls, and turn whatever goes wrong into a sentence."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from models.chat import Chat
from models.errors import ModelError, Refused, TransportError
from models.pacing import Backoff, OnRetry, ask_with_backoff
from models.reply import Reply
from prompts.prompt import TemplateSet, shipped_templates

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

T = TypeVar("T")

TROUBLE = (ModelError, TimeoutError, ValueError, TypeError, KeyError, AttributeError)
"""What a call may raise: errors of our own, a probe's time that ran out, and what clients raise
about a server that answers oddly."""
REFUSED_SECONDS = 3.0
"""How long a server is waited for at whose address nobody listens."""
PROBE_PATIENCE = 20.0
"""How long a call is retried once a first one was answered."""
LEAST = 0.5
"""Seconds; a probe for which less is left is not begun."""
SAFE = 0.9
"""Part of a probe's time after which it tells what it has found so far."""
SHARES = {"template": 2, "thinking": 3, "schema": 5, "context": 6, "speed": 6, "embedder": 1}
"""How the time that is left is shared by the probes that are still to come, in their order."""


@dataclass(frozen=True)
class Probes:
    """How long the probes may take, in seconds, how patiently and with which templates they ask."""

    patience: float = Backoff.patience_seconds
    """How long a lost call is retried, and a server waited for that has not opened yet."""
    seconds: float = 85.0
    """All probes together: the doctor has an answer within 90 seconds on any machine."""
    servers: float = 15.0
    opening: float = 75.0
    first: float = 75.0
    """The first small call, which loads the model."""
    template: float = 60.0
    thinking: float = 60.0
    schema: float = 60.0
    context: float = 60.0
    speed: float = 60.0
    embedder: float = 30.0
    templates: TemplateSet = field(default_factory=shipped_templates, repr=False)
    """What a town would ask with."""


@dataclass(frozen=True)
class Trouble:
    """Why a probe found nothing."""

    why: str
    may_pass: bool = True
    """Whether the same probe may succeed later."""
    is_late: bool = False
    """Whether its time ran out."""


@dataclass(frozen=True)
class TimeLeft:
    """What is left of an examination's time, and how much of it each probe may take."""

    probes: Probes
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds until the whole examination has to be over."""
        return max(0.0, self.probes.seconds - (time.monotonic() - self.began))

    def of(self, probe: str) -> float:
        """Return the seconds of a probe: its own bound, and its share of what is left.

        What a probe does not need is shared by those behind it.
        """
        bound: float = getattr(self.probes, probe)
        if probe not in SHARES:
            return min(bound, self.seconds)
        names = list(SHARES)
        behind = sum(SHARES[name] for name in names[names.index(probe) :])
        return min(bound, self.seconds * SHARES[probe] / behind)


@dataclass(kw_only=True)
class RetryingChat(Chat):
    """A model of which a lost call is asked again, as a run asks it."""

    backoff: Backoff = field(default_factory=Backoff, repr=False)
    on_retry: OnRetry | None = field(default=None, repr=False)
    replies: list[Reply] = field(default_factory=list, repr=False)
    """Every reply that came, whatever it was asked for."""

    @classmethod
    def of(cls, chat: Chat, patience: float, on_retry: OnRetry) -> "RetryingChat":
        """Return the same model, retried for so many seconds."""
        same = {each.name: getattr(chat, each.name) for each in fields(Chat)}
        return cls(**same, backoff=opening(patience), on_retry=on_retry)

    async def ask(self, messages: "list[BaseMessage]", **how: Any) -> Reply:
        """Return the reply to one call, which may have been lost a few times."""

        async def once() -> Reply:
            return await super(RetryingChat, self).ask(messages, **how)

        reply = await ask_with_backoff(once, backoff=self.backoff, on_retry=self.on_retry)
        self.replies.append(reply)
        return reply


def opening(patience: float) -> Backoff:
    """Return how patiently a server is asked: less so where nobody listens."""
    return Backoff(patience_seconds=patience, refused_seconds=REFUSED_SECONDS)


async def bounded(
    probe: Callable[[], Awaitable[T]], seconds: float, failed: Callable[[str], T]
) -> T:
    """Return what a probe finds; what `failed` makes of the sentence when it cannot."""
    found = await tried(probe, seconds)
    return failed(found.why) if isinstance(found, Trouble) else found


async def tried(probe: Callable[[], Awaitable[T]], seconds: float) -> T | Trouble:
    """Return what a probe finds within so many seconds, or why it could not."""
    if seconds < LEAST:
        return Trouble("there was no time left for it", is_late=True)
    try:
        async with asyncio.timeout(seconds):
            return await probe()
    except TimeoutError:
        return Trouble(f"not finished within {seconds:.0f} seconds", is_late=True)
    except TROUBLE as error:
        why = " ".join(str(error).split()) or type(error).__name__
        return Trouble(why, may_pass=may_pass(error))


def may_pass(error: Exception) -> bool:
    """Return whether a server is there and may answer later: it is busy, loading, or broke off."""
    return isinstance(error, TransportError) and error.retryable and not isinstance(error, Refused)


async def aside(work: Callable[[], T]) -> T:
    """Return what blocking work gives, done in a thread of its own.

    Nobody waits for that thread once this is called off, not even the end of the process.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(outcome: T | Exception) -> None:
        if done.done():
            return
        if isinstance(outcome, Exception):
            done.set_exception(outcome)
        else:
            done.set_result(outcome)

    def run() -> None:
        try:
            outcome: T | Exception = work()
        except Exception as error:  # noqa: BLE001 - handed over to whoever waits
            outcome = error
        with suppress(RuntimeError):  # Nobody waits any more, and the loop is closed.
            loop.call_soon_threadsafe(settle, outcome)

    threading.Thread(target=run, daemon=True).start()
    return await done


def under(chat: Chat, **changes: Any) -> Chat:
    """Return the same model, asked under changed settings; as it is where it knows of none."""
    dialect: Any = chat.dialect
    if not hasattr(dialect, "settings"):
        return chat
    dialect = replace(dialect, settings=replace(dialect.settings, **changes))
    return replace(chat, dialect=dialect)
