"""Ask again, a bounded number of times, when a call did not get through."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from models.errors import TransportError

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """How often and how patiently a lost call is asked again."""

    tries: int = 5
    """Calls in all, the first included."""
    first_seconds: float = 0.5
    factor: float = 2.0
    longest_seconds: float = 30.0
    """Bounds the pauses of our own choice."""
    patience_seconds: float = 300.0
    """A server that asks to be left alone for longer is given up at once."""

    def seconds(self, failed: int, error: TransportError) -> float | None:
        """Return the pause after the `failed`-th failure (from 1); None to give up.

        What the server asks for (`retry-after`) comes before our own choice.
        """
        if not error.retryable or failed >= self.tries:
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.patience_seconds else None
        return min(self.longest_seconds, self.first_seconds * self.factor ** (failed - 1))


async def ask_with_backoff(
    ask: Callable[[], Awaitable[T]],
    *,
    backoff: Backoff | None = None,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    on_retry: Callable[[TransportError, float], None] | None = None,
) -> T:
    """Return what `ask()` gives; a lost call is asked again, then its TransportError is raised.

    Only transport failures that say `retryable` are repeated: an unreadable answer is a repair's
    matter, a cut prompt and an unknown model stay what they are. `on_retry` hears of every pause.
    """
    plan = backoff or Backoff()
    failed = 0
    while True:
        try:
            return await ask()
        except TransportError as error:
            failed += 1
            pause = plan.seconds(failed, error)
            if pause is None:
                raise
            if on_retry is not None:
                on_retry(error, pause)
        await sleep(pause)
