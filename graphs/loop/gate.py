"""How a server is asked: not more at once than it has slots, and for as long as patience lasts."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import TypeVar

from agents.errors import StoppedError
from models.backoff import Backoff, ask_with_backoff
from models.errors import TransportError


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


T = TypeVar("T")


async def patiently(
    ask: Callable[[], Awaitable[T]],
    backoff: Backoff,
    lost: Callable[[TransportError, float], None],
) -> T:
    """Return what `ask()` gives; StoppedError when the server went away for good.

    `lost` hears of every call that is asked again, and of the pause before.
    """
    paused: list[float] = []

    def noted(error: TransportError, seconds: float) -> None:
        paused.append(seconds)
        lost(error, seconds)

    try:
        return await ask_with_backoff(ask, backoff=backoff, on_retry=noted)
    except TransportError as error:
        raise StoppedError(_gave_up(error, paused)) from error


def _gave_up(error: TransportError, paused: Sequence[float]) -> str:
    """Return the sentence for a run that stops here: what is wrong, what was tried, what is kept.

    Whoever runs the town says how to go on.
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
