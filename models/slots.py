"""Limit the calls in flight to the servers' slots, and choose slots that have seen similar prompts.

A model may have several servers. A call goes to a free slot whose last call was the same step of
the same agent, else to one whose last call was the same step, because the slot still has the
beginning of the prompt. If the share of busy slots of its server is more than a quarter above the
lowest share, the call goes to the server with the lowest share instead.

A server that loses a call is left out for a second, then for two, four, up to five minutes; after
each pause one call tries it again. If all servers are left out, lost calls are retried with
back-off, at each server in turn; a single server is never left out.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush

from smolville.models.errors import TransportError
from smolville.models.server_load import ServerLoad, Slot

TOLERANCE = 0.25
"""How far the share of busy slots may exceed the lowest one at a server that knows a prompt."""


@dataclass(order=True, slots=True)
class WaitingCall:
    """A waiting call; sorted by tick (earliest first), then by size, then by arrival."""

    tick: int
    size: int
    arrival: int
    step: str = field(compare=False)
    agent: str = field(compare=False)
    turn: "asyncio.Future[Slot]" = field(compare=False)


class RateLimiter:
    """Limits the number of calls in flight, and assigns a slot to each.

    If several slots suit a call equally, the call gets the one that has been unused for longest.
    """

    def __init__(
        self,
        *slots: int,
        in_flight: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set the number of each server's slots, and of calls that may be in flight in all.

        `clock` is monotonic, in seconds.
        """
        self._servers = [ServerLoad(max(1, number)) for number in slots]
        self._free = [
            Slot(place, number)
            for place, server in enumerate(self._servers)
            for number in range(server.slots)
        ]
        self._is_limited = in_flight is not None
        self._room = len(self._free) if in_flight is None else min(in_flight, len(self._free))
        self.room = self._room
        """Number of calls that may be in flight."""
        self._clock = clock
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
    async def slot(
        self, step: str, agent: str, size: int, tick: int = 0
    ) -> AsyncIterator["SlotInUse"]:
        """Wait for a slot for a call that may write `size` tokens, and yield it.

        Calls of a town's earlier ticks come first, because agents who are behind keep others
        waiting.
        """
        used = SlotInUse(self, step, agent, size, tick)
        try:
            await used.enter()
            yield used
        finally:
            used.leave()

    def add_server(self, slots: int, servers: int) -> None:
        """Add the slots of another server, unless the limiter has `servers` servers already."""
        if len(self._servers) == servers:
            return
        self._servers.append(ServerLoad(max(1, slots)))
        place = len(self._servers) - 1
        fresh = [Slot(place, number) for number in range(self._servers[place].slots)]
        self._free += fresh
        if not self._is_limited:
            self._room += len(fresh)
            self.room += len(fresh)
        self._give_out()

    def take_back(self, slot: Slot) -> None:
        """Note that a server answered, so that it gets calls again."""
        self._servers[slot.server].losses = 0

    def leave_out(self, slot: Slot, error: TransportError) -> bool:
        """Leave out the server of a lost call for a while; return whether another may take it.

        A single server is never left out.
        """
        if len(self._servers) == 1:
            return False
        now = self._clock()
        self._servers[slot.server].leave_out(now, error.retry_after or 0.0)
        return any(not server.is_out(now) for server in self._servers)

    def exchange(self, slot: Slot) -> Slot:
        """Give back a slot and return a free one of another server.

        That server is the one that has lost no call for the longest time. If no other server has a
        free slot, the slot itself is returned.
        """
        others = [each for each in self._free if each.server != slot.server]
        if not others:
            return slot
        other = min(others, key=lambda each: (self._servers[each.server].lost_at, each.number))
        self._free.remove(other)
        self._free.append(slot)
        self._servers[other.server].busy += 1
        self._servers[slot.server].busy -= 1
        other.step, other.agent = slot.step, slot.agent
        return other

    async def enter(self, step: str, agent: str, size: int, tick: int) -> Slot:
        """Return the call's slot, immediately if one is free."""
        if self._room and (slots := self._open_slots()):
            return self._take_slot(slots, step, agent)
        self._arrivals += 1
        turn: asyncio.Future[Slot] = asyncio.get_running_loop().create_future()
        waiter = WaitingCall(tick, size, self._arrivals, step, agent, turn)
        heappush(self._waiting, waiter)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # Its turn had come at the very moment of its cancellation.
                self.leave(turn.result())
            raise

    def leave(self, slot: Slot) -> None:
        """Free a slot, and give free ones to the next waiting calls."""
        self._departures += 1
        slot.left = self._departures
        self._free.append(slot)
        self._servers[slot.server].busy -= 1
        self._room += 1
        self._give_out()

    def _give_out(self) -> None:
        """Give free slots to the next waiting calls."""
        while self._waiting and self._room:
            if not (slots := self._open_slots()):
                break
            next_one = heappop(self._waiting)
            if not next_one.turn.done():
                next_one.turn.set_result(self._take_slot(slots, next_one.step, next_one.agent))

    def _open_slots(self) -> list[Slot]:
        """Return the free slots that a call may take now.

        Slots of servers that are left out are not among them, unless all servers are left out.
        """
        now = self._clock()
        if all(server.is_out(now) for server in self._servers):
            return self._free
        return [slot for slot in self._free if self._servers[slot.server].may_take(now)]

    def _take_slot(self, slots: list[Slot], step: str, agent: str) -> Slot:
        """Take the one of these free slots that suits a call best, and return it."""
        share = {slot.server: self._servers[slot.server].share for slot in slots}
        most = min(share.values()) + TOLERANCE

        def suits(slot: Slot) -> tuple[bool, bool, bool, float, int, int, int]:
            same = slot.step == step
            return (
                share[slot.server] > most,
                not (same and slot.agent == agent),
                not same,
                share[slot.server],
                slot.left,
                slot.server,
                slot.number,
            )

        best = min(slots, key=suits)
        self._free.remove(best)
        self._servers[best.server].busy += 1
        self._room -= 1
        best.step, best.agent = step, agent
        return best


class SlotInUse:
    """The slot of one call; the call may exchange it for a slot of another server."""

    def __init__(self, limiter: RateLimiter, step: str, agent: str, size: int, tick: int) -> None:
        """Store the call's properties; the call gets its slot in `enter`."""
        self._limiter = limiter
        self._call = (step, agent, size, tick)
        self._slot: Slot | None = None

    @property
    def slot(self) -> Slot:
        """The slot that the call has now."""
        assert self._slot is not None, "a slot is used before it is entered, or after it is left"
        return self._slot

    async def enter(self) -> None:
        """Wait for a slot."""
        self._slot = await self._limiter.enter(*self._call)

    def leave(self) -> None:
        """Free the slot, if the call has one."""
        slot, self._slot = self._slot, None
        if slot is not None:
            self._limiter.leave(slot)

    def answered(self) -> None:
        """Note that the server answered, so that it gets calls again."""
        self._limiter.take_back(self.slot)

    async def move_on(self, error: TransportError) -> bool:
        """Give up on the server that lost the call; return whether another takes it at once.

        Returns False if there is no other server, or if all others are left out too. Then the call
        may be retried after a pause, at each server in turn.
        """
        if not self._limiter.leave_out(self.slot, error):
            self._slot = self._limiter.exchange(self.slot)
            return False
        self.leave()
        await self.enter()
        return True
