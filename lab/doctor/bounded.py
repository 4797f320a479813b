"""Time limits, retries and error reporting for the doctor's probes."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from smolville.models.chat import Chat
from smolville.models.errors import ConnectionRefused, ModelError, TransportError
from smolville.models.pacing import Backoff, OnRetry, ask_with_backoff
from smolville.models.reply import Reply
from smolville.prompts.prompt import TemplateSet, shipped_templates

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

T = TypeVar("T")

TROUBLE = (ModelError, TimeoutError, ValueError, TypeError, KeyError, AttributeError)
"""Exceptions that a call may raise: our own errors, the time-out of a probe, and what clients raise
when a server sends an unexpected answer."""
REFUSED_SECONDS = 3.0
"""Seconds to wait for a server when nothing listens at its address."""
PROBE_PATIENCE = 20.0
"""Seconds to retry a call once a first call has been answered."""
LEAST = 0.5
"""Minimum time left for a probe, in seconds; with less it is not started."""
SAFE = 0.9
"""Share of a probe's time limit after which the probe returns its results so far."""
SHARES = {"template": 2, "thinking": 3, "schema": 5, "context": 6, "speed": 6, "embedder": 1}
"""Weights by which the remaining time is divided among the remaining probes, in probe order."""


@dataclass(frozen=True)
class ProbeLimits:
    """Time limits of the probes in seconds, their retry patience, and the templates they use."""

    patience: float = Backoff.patience_seconds
    """Seconds to retry a lost call, and to wait for a server that is not open yet."""
    seconds: float = 85.0
    """Time limit of all probes together, so that the doctor finishes within 90 seconds."""
    servers: float = 15.0
    opening: float = 75.0
    first: float = 75.0
    """Time limit of the first small call, which also loads the model."""
    template: float = 60.0
    thinking: float = 60.0
    schema: float = 60.0
    context: float = 60.0
    speed: float = 60.0
    embedder: float = 30.0
    templates: TemplateSet = field(default_factory=shipped_templates, repr=False)
    """The templates that a town would use."""


@dataclass(frozen=True)
class ProbeFailure:
    """The reason why a probe failed."""

    why: str
    may_pass: bool = True
    """Whether the same probe may succeed later."""
    is_late: bool = False
    """Whether the probe ran out of time."""


@dataclass(frozen=True)
class TimeLeft:
    """The time left for an examination, and how much of it each probe may take."""

    probes: ProbeLimits
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds left until the whole examination must be over."""
        return max(0.0, self.probes.seconds - (time.monotonic() - self.began))

    def of(self, probe: str) -> float:
        """Return the time limit of a probe in seconds: its own limit or its share of the time left.

        The smaller of both applies. Time that a probe does not use is shared by the probes after
        it.
        """
        bound: float = getattr(self.probes, probe)
        if probe not in SHARES:
            return min(bound, self.seconds)
        names = list(SHARES)
        behind = sum(SHARES[name] for name in names[names.index(probe) :])
        return min(bound, self.seconds * SHARES[probe] / behind)


@dataclass(kw_only=True)
class RetryingChat(Chat):
    """A chat model that retries lost calls, as a run does."""

    backoff: Backoff = field(default_factory=Backoff, repr=False)
    on_retry: OnRetry | None = field(default=None, repr=False)
    replies: list[Reply] = field(default_factory=list, repr=False)
    """Every reply received, for any call."""

    @classmethod
    def of(cls, chat: Chat, patience: float, on_retry: OnRetry) -> "RetryingChat":
        """Return the same model with lost calls retried for `patience` seconds."""
        same = {each.name: getattr(chat, each.name) for each in fields(Chat)}
        return cls(**same, backoff=opening(patience), on_retry=on_retry)

    async def ask(self, messages: "list[BaseMessage]", **how: Any) -> Reply:
        """Return the reply to a call, retrying the call when it is lost."""

        async def once() -> Reply:
            return await super(RetryingChat, self).ask(messages, **how)

        reply = await ask_with_backoff(once, backoff=self.backoff, on_retry=self.on_retry)
        self.replies.append(reply)
        return reply


def opening(patience: float) -> Backoff:
    """Return how long calls to a server are retried: `patience` seconds.

    Calls are retried for a shorter time if nothing listens at the server's address.
    """
    return Backoff(patience_seconds=patience, refused_seconds=REFUSED_SECONDS)


async def run_bounded(
    probe: Callable[[], Awaitable[T]], seconds: float, failed: Callable[[str], T]
) -> T:
    """Return the result of a probe, or `failed(reason)` when the probe fails."""
    found = await try_probe(probe, seconds)
    return failed(found.why) if isinstance(found, ProbeFailure) else found


async def try_probe(probe: Callable[[], Awaitable[T]], seconds: float) -> T | ProbeFailure:
    """Return the result of a probe that may take `seconds`, or the reason why it failed."""
    if seconds < LEAST:
        return ProbeFailure("there was no time left for it", is_late=True)
    try:
        async with asyncio.timeout(seconds):
            return await probe()
    except TimeoutError:
        return ProbeFailure(f"not finished within {seconds:.0f} seconds", is_late=True)
    except TROUBLE as error:
        why = " ".join(str(error).split()) or type(error).__name__
        return ProbeFailure(why, may_pass=may_pass(error))


def may_pass(error: Exception) -> bool:
    """Return whether the server may answer later: it is busy, loading, or broke off."""
    return (
        isinstance(error, TransportError)
        and error.retryable
        and not isinstance(error, ConnectionRefused)
    )


async def run_in_thread(work: Callable[[], T]) -> T:
    """Return the result of blocking work that runs in a thread of its own.

    When the caller is cancelled, nothing waits for that thread, not even the exit of the process.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def set_outcome(outcome: T | Exception) -> None:
        if done.done():
            return
        if isinstance(outcome, Exception):
            done.set_exception(outcome)
        else:
            done.set_result(outcome)

    def run() -> None:
        try:
            outcome: T | Exception = work()
        except Exception as error:  # noqa: BLE001 - handed over to the caller
            outcome = error
        with suppress(RuntimeError):  # The caller was cancelled and the loop is closed.
            loop.call_soon_threadsafe(set_outcome, outcome)

    threading.Thread(target=run, daemon=True).start()
    return await done


def under(chat: Chat, **changes: Any) -> Chat:
    """Return the same model with changed settings, or `chat` itself if it has no settings."""
    dialect: Any = chat.dialect
    if not hasattr(dialect, "settings"):
        return chat
    dialect = replace(dialect, settings=replace(dialect.settings, **changes))
    return replace(chat, dialect=dialect)
