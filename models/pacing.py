"""Ask again, for as long as patience lasts, when a call did not get through."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from models.errors import Refused, TransportError

T = TypeVar("T")

OnRetry = Callable[[TransportError, float], None]
"""Hears what was lost, and how many seconds later it is asked again."""


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """How patiently a lost call is asked again."""

    patience_seconds: float = 120.0
    """Between the first failure and the last attempt, in all: a server that loads its model for a
    minute is waited for. A call that is under way when they are over may still succeed."""
    refused_seconds: float | None = None
    """The same where nobody listens at the address; None for no difference."""
    first_seconds: float = 0.5
    factor: float = 2.0
    longest_seconds: float = 30.0
    """Bounds the pauses of our own choice."""
    sleep: Callable[[float], Awaitable[object]] = field(default=asyncio.sleep, repr=False)
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    """Seconds that only grow."""

    def seconds(self, failed: int, waited: float, error: TransportError) -> float | None:
        """Return the pause after the `failed`-th failure (from 1); None to give up.

        `waited` is the time since the first failure. The call is never made sooner than the server
        asks for (`retry-after`); one that asks for more than what is left is given up at once.
        """
        patience = self.patience_seconds
        if isinstance(error, Refused) and self.refused_seconds is not None:
            patience = min(patience, self.refused_seconds)
        left = patience - waited
        if not error.retryable or left <= 0:
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
    """Return what `ask()` gives; a lost call is asked again, then its TransportError is raised.

    Only transport failures that say `retryable` are repeated: an unreadable answer is a repair's
    matter, a cut prompt and an unknown model stay what they are. A failure of another kind than the
    last one (nobody listened, now the model is loading) begins with short pauses again, and each
    kind has a patience of its own. `on_retry` hears of every pause; `lost` is the kind of failure
    that is waited for, any unless told otherwise.
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
    """Return what `ask()` gives, as `ask_with_backoff` does, without an event loop.

    Blocks, and can be interrupted at any moment.
    """

    async def asked() -> T:
        return ask()

    async def paused(seconds: float) -> None:
        time.sleep(seconds)

    backoff = Backoff(
        patience_seconds=patience_seconds, refused_seconds=refused_seconds, sleep=paused
    )
    waiting = ask_with_backoff(asked, backoff=backoff, on_retry=on_retry, lost=lost)
    try:
        # Nothing in it ever waits for a loop, so it comes to its end in one step.
        waiting.send(None)
    except StopIteration as done:
        found: T = done.value
        return found
    raise AssertionError("a retry waited for an event loop that is not there")
