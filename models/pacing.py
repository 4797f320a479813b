"""Pace calls: no more at once than a server has slots, and a lost one again, with patience."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush
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


def gave_up(error: TransportError, paused: Sequence[float]) -> str:
    """Return the sentence for a run that stops after these pauses: what is wrong, what was tried.

    It says what is kept, too; whoever runs the town says how to go on.
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
    """Return a length of time in words."""
    if seconds < 100:
        return f"{seconds:.3g} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 100 else f"{round(minutes / 60)} hours"


@dataclass(slots=True)
class Slot:
    """One place at the server where a call is worked on; its prompt's prefix stays there."""

    number: int
    step: str = ""
    agent: str = ""
    left: int = -1
    """The number, counted over all slots, of the last call to leave it; -1 when none has."""


@dataclass(order=True, slots=True)
class Waiter:
    """A call that waits: small ones first, then whoever came first."""

    size: int
    arrival: int
    step: str = field(compare=False)
    agent: str = field(compare=False)
    turn: "asyncio.Future[Slot]" = field(compare=False)


class Gate:
    """Lets at most so many calls through at a time, and tells each which slot is its own.

    A call gets the free slot that last served the same step and agent, else the same step, else
    the one unused for longest: the server then has most of the prompt there already.
    """

    def __init__(self, slots: int, *, in_flight: int | None = None) -> None:
        """Take how many slots the server has, and how many calls may be there at once."""
        self._free = [Slot(number) for number in range(max(1, slots))]
        self._room = len(self._free) if in_flight is None else min(in_flight, len(self._free))
        self.room = self._room
        """How many calls may be at the server at once."""
        self._waiting: list[Waiter] = []
        self._arrivals = 0
        self._departures = 0

    @property
    def in_flight(self) -> int:
        """How many calls are at the server now."""
        return self.room - self._room

    @property
    def waiting(self) -> int:
        """How many calls wait for their turn."""
        return sum(1 for waiter in self._waiting if not waiter.turn.done())

    @asynccontextmanager
    async def slot(self, step: str, agent: str, size: int) -> AsyncIterator[int]:
        """Wait for the turn of a call that may write `size` tokens; gives its slot's number."""
        taken = await self._enter(step, agent, size)
        try:
            yield taken.number
        finally:
            self._leave(taken)

    async def _enter(self, step: str, agent: str, size: int) -> Slot:
        """Return the call's slot, at once where there is room."""
        if self._room:
            return self._take(step, agent)
        self._arrivals += 1
        turn: asyncio.Future[Slot] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, Waiter(size, self._arrivals, step, agent, turn))
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # Its turn had come in the very moment in which it was called off.
                self._leave(turn.result())
            raise

    def _take(self, step: str, agent: str) -> Slot:
        """Return the free slot that suits a call best, no longer free."""

        def suits(slot: Slot) -> tuple[bool, bool, int, int]:
            same = slot.step == step
            return not (same and slot.agent == agent), not same, slot.left, slot.number

        best = min(self._free, key=suits)
        self._free.remove(best)
        self._room -= 1
        best.step, best.agent = step, agent
        return best

    def _leave(self, slot: Slot) -> None:
        """Free a slot, and let the next call in that still waits."""
        self._departures += 1
        slot.left = self._departures
        self._free.append(slot)
        self._room += 1
        while self._waiting and self._room:
            next_one = heappop(self._waiting)
            if not next_one.turn.done():
                next_one.turn.set_result(self._take(next_one.step, next_one.agent))
