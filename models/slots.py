"""Limit the calls in flight to the server's slots, and give each the slot that knows its prompt."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush


@dataclass(slots=True)
class Slot:
    """One slot of the server, which processes a call and then keeps its prompt's prefix."""

    number: int
    step: str = ""
    agent: str = ""
    left: int = -1
    """Number, counted over all slots, of the last call that left it; -1 if none has."""


@dataclass(order=True, slots=True)
class WaitingCall:
    """A waiting call: of people who are behind first, then small ones, then by arrival."""

    tick: int
    size: int
    arrival: int
    step: str = field(compare=False)
    agent: str = field(compare=False)
    turn: "asyncio.Future[Slot]" = field(compare=False)


class RateLimiter:
    """Limits the number of calls in flight, and assigns a slot to each.

    A call gets the free slot that last served the same step and agent, else the same step, else the
    one unused for longest: the server then has most of the prompt there already.
    """

    def __init__(self, slots: int, *, in_flight: int | None = None) -> None:
        """Set the number of the server's slots, and of calls that may be in flight."""
        self._free = [Slot(number) for number in range(max(1, slots))]
        self._room = len(self._free) if in_flight is None else min(in_flight, len(self._free))
        self.room = self._room
        """Number of calls that may be in flight."""
        self._waiting: list[WaitingCall] = []
        self._arrivals = 0
        self._departures = 0

    @property
    def in_flight(self) -> int:
        """Number of calls in flight."""
        return self.room - self._room

    @property
    def waiting(self) -> int:
        """Number of calls that wait for a slot."""
        return sum(1 for waiter in self._waiting if not waiter.turn.done())

    @asynccontextmanager
    async def slot(self, step: str, agent: str, size: int, tick: int = 0) -> AsyncIterator[int]:
        """Wait for a slot for a call that may write `size` tokens; yields the slot's number.

        Calls of a town's earlier ticks come first: whoever is behind keeps others waiting.
        """
        taken = await self._enter(step, agent, size, tick)
        try:
            yield taken.number
        finally:
            self._leave(taken)

    async def _enter(self, step: str, agent: str, size: int, tick: int) -> Slot:
        """Return the call's slot, immediately if one is free."""
        if self._room:
            return self._take_slot(step, agent)
        self._arrivals += 1
        turn: asyncio.Future[Slot] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, WaitingCall(tick, size, self._arrivals, step, agent, turn))
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # Its turn had come at the very moment of its cancellation.
                self._leave(turn.result())
            raise

    def _take_slot(self, step: str, agent: str) -> Slot:
        """Take the free slot that suits a call best, and return it."""

        def suits(slot: Slot) -> tuple[bool, bool, int, int]:
            same = slot.step == step
            return not (same and slot.agent == agent), not same, slot.left, slot.number

        best = min(self._free, key=suits)
        self._free.remove(best)
        self._room -= 1
        best.step, best.agent = step, agent
        return best

    def _leave(self, slot: Slot) -> None:
        """Free a slot, and give it to the next waiting call."""
        self._departures += 1
        slot.left = self._departures
        self._free.append(slot)
        self._room += 1
        while self._waiting and self._room:
            next_one = heappop(self._waiting)
            if not next_one.turn.done():
                next_one.turn.set_result(self._take_slot(next_one.step, next_one.agent))
