"""Retry of lost calls, with back-off, by tenacity."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from tenacity import AsyncRetrying, RetryCallState, Retrying, retry_if_exception_type

from smolville.models.errors import ConnectionRefused, TransportError

T = TypeVar("T")

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


class _Strategy:
    """tenacity's strategies for one call.

    A failure of another kind than the last one (nobody listened, now the model is loading) begins
    with short pauses again, and each kind has its own time limit, which begins with its first
    failure: a call that takes ten minutes to be lost is still retried.
    """

    def __init__(self, plan: Backoff, on_retry: OnRetry | None, lost: type[TransportError]) -> None:
        self._plan = plan
        self._on_retry = on_retry
        self._since: dict[type[TransportError], float] = {}
        self._last: type[TransportError] | None = None
        self._failed = 0
        self._left = 0.0
        self.strategies: dict[str, Any] = {
            "retry": retry_if_exception_type(lost),
            "wait": self.wait,
            "stop": self.stop,
            "before_sleep": self.tell,
            "reraise": True,
        }

    def wait(self, state: RetryCallState) -> float:
        """Return the pause: never shorter than the server asks for, nor beyond the time limit."""
        plan, error = self._plan, _error(state)
        kind, now = type(error), plan.clock()
        self._failed = self._failed + 1 if kind is self._last else 1
        self._last = kind
        patience = plan.patience_seconds
        if isinstance(error, ConnectionRefused) and plan.refused_seconds is not None:
            patience = min(patience, plan.refused_seconds)
        self._left = patience - (now - self._since.setdefault(kind, now))
        pause = plan.first_seconds * plan.factor ** min(self._failed - 1, 64)
        pause = max(min(plan.longest_seconds, pause), error.retry_after or 0.0)
        return max(0.0, min(pause, self._left))

    def stop(self, state: RetryCallState) -> bool:
        """Return whether the call is given up."""
        error = _error(state)
        is_late = self._left <= 0 or (error.retry_after or 0.0) > self._left
        return not error.retryable or is_late

    def tell(self, state: RetryCallState) -> None:
        """Report a lost call that is retried."""
        if self._on_retry is not None:
            self._on_retry(_error(state), state.upcoming_sleep)


def _error(state: RetryCallState) -> TransportError:
    assert state.outcome is not None
    error = state.outcome.exception()
    assert isinstance(error, TransportError)
    return error


async def ask_with_backoff(
    ask: Callable[[], Awaitable[T]],
    *,
    backoff: Backoff | None = None,
    on_retry: OnRetry | None = None,
) -> T:
    """Return the result of `ask()`; a lost call is retried, then its TransportError is raised.

    Only transport failures marked `retryable` are retried. An unreadable answer needs a repair
    instead; a prompt that is too long, or an unknown model, would fail again. `on_retry` is called
    with every pause.
    """
    plan = backoff or Backoff()
    strategies = _Strategy(plan, on_retry, TransportError).strategies
    async for attempt in AsyncRetrying(sleep=cast(Any, plan.sleep), **strategies):
        with attempt:
            return await ask()
    raise AssertionError("a call is retried for ever")


def ask_blocking(
    ask: Callable[[], T],
    *,
    patience_seconds: float = Backoff.patience_seconds,
    refused_seconds: float | None = None,
    on_retry: OnRetry | None = None,
    lost: type[TransportError] = TransportError,
) -> T:
    """Return the result of `ask()` with retries as in `ask_with_backoff`, without an event loop.

    `lost` is the kind of failure that is retried, by default any.
    """
    plan = Backoff(patience_seconds=patience_seconds, refused_seconds=refused_seconds)
    return Retrying(**_Strategy(plan, on_retry, lost).strategies)(ask)


def gave_up(error: TransportError, paused: Sequence[float]) -> str:
    """Return the message of a run that stops after these pauses: the error and the retries.

    It also says what is saved; the caller adds how to continue.
    """
    tried = ""
    if paused:
        tried = (
            f" It was asked {len(paused) + 1} times, with pauses of {_span(sum(paused))} in all."
        )
    if error.retryable and error.retry_after:
        tried += f" It wants to be left alone for {_span(error.retry_after)}."
    told = str(error).rstrip()
    ended = told if told.endswith((".", "?", "!")) else f"{told}."
    return f"{ended}{tried} Everything up to the last commit is saved."


def _span(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.3g} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 100 else f"{round(minutes / 60)} hours"
