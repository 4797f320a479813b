"""Limit the calls in flight to the slots of a model's servers, and choose a server for each.

A call goes to the server with the smallest share of busy slots. A server that loses a call is left
out for a second, then for two, four, up to five minutes; after each pause one call tries it again.
If all servers are left out, lost calls are retried with back-off, each at its server; a single
server is never left out.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush

from smolville.models.errors import TransportError

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
"""Seconds for which a server is left out at first, and at most; each pause is twice the last."""


@dataclass(slots=True, eq=False)
class ServerLoad:
    """The load of one server, and whether calls avoid it after a failure."""

    slots: int
    busy: int = 0
    losses: int = 0
    """Number of times in a row that it was left out after it had lost a call."""
    out_until: float = 0.0
    served: int = 0
    """Number of the last call that it was given, counted over all servers."""

    def is_out(self, now: float) -> bool:
        """Return whether calls avoid the server at this time."""
        return self.losses > 0 and now < self.out_until

    def may_take(self, now: float) -> bool:
        """Return whether the server may take a call; after a failure, only a single test call."""
        is_free = self.busy < (1 if self.losses else self.slots)
        return is_free and not self.is_out(now)

    def leave_out(self, now: float, asked_for: float) -> None:
        """Avoid the server for at least `asked_for` seconds.

        Calls that it loses during the pause do not make the pause longer.
        """
        if not self.is_out(now):
            self.losses += 1
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(self.losses - 1, 64))
            self.out_until = now + max(pause, asked_for)


@dataclass(order=True, slots=True)
class WaitingCall:
    """A waiting call; sorted by tick (earliest first), then by size, then by arrival."""

    tick: int
    size: int
    arrival: int
    turn: "asyncio.Future[int]" = field(compare=False)


class RateLimiter:
    """Limits the number of calls in flight, and chooses the server of each."""

    def __init__(
        self,
        *slots: int,
        in_flight: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set the number of each server's slots, and of calls that may be in flight in all.

        `clock` is monotonic, in seconds.
        """
        self.servers = [ServerLoad(max(1, number)) for number in slots]
        self._most = in_flight
        self.clock = clock
        self._waiting: list[WaitingCall] = []
        self._calls = 0

    @property
    def room(self) -> int:
        """Number of calls that may be in flight."""
        slots = sum(server.slots for server in self.servers)
        return slots if self._most is None else min(self._most, slots)

    @property
    def in_flight(self) -> int:
        """Number of calls in flight."""
        return sum(server.busy for server in self.servers)

    @property
    def waiting(self) -> int:
        """Number of calls that wait for a slot."""
        return sum(1 for waiter in self._waiting if not waiter.turn.done())

    @asynccontextmanager
    async def slot(self, size: int, tick: int = 0) -> AsyncIterator["SlotInUse"]:
        """Wait for a slot for a call that may write `size` tokens, and yield it.

        Calls of a town's earlier ticks come first, because agents who are behind keep others
        waiting.
        """
        used = SlotInUse(self, size, tick)
        try:
            await used.enter()
            yield used
        finally:
            used.leave()

    async def enter(self, size: int, tick: int) -> int:
        """Return the call's server, immediately if one has a free slot."""
        place = self._take()
        if place is not None:
            return place
        self._calls += 1
        turn: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, WaitingCall(tick, size, self._calls, turn))
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # Its turn had come at the very moment of its cancellation.
                self.leave(turn.result())
            raise

    def leave(self, place: int) -> None:
        """Free a slot, and give free ones to the next waiting calls."""
        self.servers[place].busy -= 1
        self._give_out()

    def _give_out(self) -> None:
        while self._waiting:
            if self._waiting[0].turn.done():
                heappop(self._waiting)
                continue
            place = self._take()
            if place is None:
                return
            heappop(self._waiting).turn.set_result(place)

    def _take(self) -> int | None:
        """Take a slot and return its server; None if a call may not begin now.

        Servers that are left out get no call, unless all servers are left out.
        """
        if self.in_flight >= self.room:
            return None
        now = self.clock()
        if all(server.is_out(now) for server in self.servers):
            free = [at for at, each in enumerate(self.servers) if each.busy < each.slots]
        else:
            free = [at for at, each in enumerate(self.servers) if each.may_take(now)]
        if not free:
            return None

        def suits(at: int) -> tuple[float, int]:
            return self.servers[at].busy / self.servers[at].slots, self.servers[at].served

        best = min(free, key=suits)
        self._calls += 1
        self.servers[best].busy += 1
        self.servers[best].served = self._calls
        return best


class SlotInUse:
    """The slot of one call; the call may exchange it for a slot of another server."""

    def __init__(self, limiter: RateLimiter, size: int, tick: int) -> None:
        """Store the call's properties; the call gets its slot in `enter`."""
        self._limiter = limiter
        self._call = (size, tick)
        self._server: int | None = None

    @property
    def server(self) -> int:
        """The position of the server that has the call now, among the model's servers."""
        assert self._server is not None, "a slot is used before it is entered, or after it is left"
        return self._server

    async def enter(self) -> None:
        """Wait for a slot."""
        self._server = await self._limiter.enter(*self._call)

    def leave(self) -> None:
        """Free the slot, if the call has one."""
        place, self._server = self._server, None
        if place is not None:
            self._limiter.leave(place)

    def answered(self) -> None:
        """Note that the server answered, so that it gets calls again."""
        self._limiter.servers[self.server].losses = 0

    async def move_on(self, error: TransportError) -> bool:
        """Give up on the server that lost the call; return whether another takes it at once.

        Returns False if there is no other server, or if all others are left out too. Then the call
        may be retried at the same server after a pause. A single server is never left out.
        """
        servers, now = self._limiter.servers, self._limiter.clock()
        if len(servers) == 1:
            return False
        servers[self.server].leave_out(now, error.retry_after or 0.0)
        if all(server.is_out(now) for server in servers):
            return False
        self.leave()
        await self.enter()
        return True
