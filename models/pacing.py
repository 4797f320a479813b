"""Retry of lost calls, with back-off."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from smolville.models.errors import ConnectionRefused, RequestRefused, TransportError

T = TypeVar("T")

REFUSED_TIMES = 5
"""Number of times in a row that a server may refuse one request, before that is taken for good."""
OnRetry = Callable[[TransportError, float], None]
"""Callback with the lost call's error, and the seconds until it is retried."""


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """Limits for the retries of a lost call."""

    patience_seconds: float = 120.0
    """Seconds from the first failure to the last attempt: enough for a server that takes a minute
    to load its model. A call that is in flight when this time is over may still succeed."""
    refused_seconds: float | None = None
    """The same limit for an address at which nobody listens; None: `patience_seconds`."""
    first_seconds: float = 0.5
    factor: float = 2.0
    longest_seconds: float = 30.0
    """Longest pause in seconds, unless the server asks for a longer one."""
    sleep: Callable[[float], Awaitable[object]] = field(default=asyncio.sleep, repr=False)
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    """Monotonic clock in seconds."""

    def seconds(self, failed: int, waited: float, error: TransportError) -> float | None:
        """Return the pause after the `failed`-th failure (from 1); None to give up.

        `waited` is the time since the first failure. The call is never made sooner than the server
        asks for (`retry-after`); if it asks for more than what is left, the call is given up at
        once.
        """
        patience = self.patience_seconds
        if isinstance(error, ConnectionRefused) and self.refused_seconds is not None:
            patience = min(patience, self.refused_seconds)
        left = patience - waited
        is_final = isinstance(error, RequestRefused) and failed >= REFUSED_TIMES
        if not error.retryable or is_final or left <= 0:
            return None
        pause = min(self.longest_seconds, self.first_seconds * self.factor ** min(failed - 1, 64))
        asked_for = error.retry_after or 0.0
        return min(max(pause, asked_for), left) if asked_for <= left else None


async def ask_with_backoff(
    ask: Callable[[], Awaitable[T]],
    *,
    backoff: Backoff | None = None,
    on_retry: OnRetry | None = None,
    lost: type[TransportError] = TransportError,
) -> T:
    """Return the result of `ask()`; a lost call is retried, then its TransportError is raised.

    Only transport failures marked `retryable` are retried. An unreadable answer needs a repair
    instead; a prompt that is too long, or an unknown model, would fail again. A failure of another
    kind than the last one (nobody listened, now the model is loading) begins with short pauses
    again, and each kind has its own time limit. `on_retry` is called with every pause; `lost` is
    the kind of failure that is retried, by default any.
    """
    plan = backoff or Backoff()
    failed, last = 0, lost
    since: dict[type[TransportError], float] = {}
    while True:
        try:
            return await ask()
        except lost as error:
            now, kind = plan.clock(), type(error)
            failed = failed + 1 if kind is last else 1
            last = kind
            pause = plan.seconds(failed, now - since.setdefault(kind, now), error)
            if pause is None:
                raise
            if on_retry is not None:
                on_retry(error, pause)
        await plan.sleep(pause)


def ask_blocking(
    ask: Callable[[], T],
    *,
    patience_seconds: float = Backoff.patience_seconds,
    refused_seconds: float | None = None,
    on_retry: OnRetry | None = None,
    lost: type[TransportError] = TransportError,
) -> T:
    """Return the result of `ask()` with retries as in `ask_with_backoff`, without an event loop.

    Blocks, and can be interrupted at any moment.
    """

    async def ask_async() -> T:
        return ask()

    async def sleep_blocking(seconds: float) -> None:
        time.sleep(seconds)

    backoff = Backoff(
        patience_seconds=patience_seconds, refused_seconds=refused_seconds, sleep=sleep_blocking
    )
    waiting = ask_with_backoff(ask_async, backoff=backoff, on_retry=on_retry, lost=lost)
    try:
        # Nothing in it ever waits for a loop, so it completes in one step.
        waiting.send(None)
    except StopIteration as done:
        found: T = done.value
        return found
    raise AssertionError("a retry waited for an event loop that is not there")


def gave_up(error: TransportError, paused: Sequence[float]) -> str:
    """Return the message of a run that stops after these pauses: the error and the retries.

    It also says what is saved; the caller adds how to continue.
    """
    tried = ""
    if paused:
        tries, rest = len(paused) + 1, _span(sum(paused))
        tried = f" It was asked {tries} times, with pauses of {rest} in all."
    if error.retryable and error.retry_after:
        tried += f" It wants to be left alone for {_span(error.retry_after)}."
    told = str(error).rstrip()
    ended = told if told.endswith((".", "?", "!")) else f"{told}."
    return f"{ended}{tried} Everything up to the last commit is saved."


def _span(seconds: float) -> str:
    """Return a duration in words."""
    if seconds < 100:
        return f"{seconds:.3g} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 100 else f"{round(minutes / 60)} hours"
