"""The free schedule: each cluster runs a tick as soon as nobody else can interfere with it.

Clusters whose people have something to think about run as tasks. A tick at which nothing happens to
a cluster costs no task and no commit. People who are behind go first. The history is the same as
under every other schedule; only the order in which it is written differs.

People far apart need not wait for each other. AI Metropolis (MLSys 2025, section 3) lets an agent
run a tick if nobody who is behind could come near in the meantime, and runs agents near each other
together. Let step(A) be A's next tick. Let ticks(A, B) be the least number of ticks in which B can
come so near to A, who stays, that one of the two can sense or affect the other:

    coupled(A, B):       step(A) = step(B) and ticks(A, B) = 0
    blocked(A by B):     step(A) > step(B) + ticks(A, B) - 1, for anybody not coupled

The agent that is farthest behind is never blocked, so somebody can always go on.

docs/built/engine.md explains it to a newcomer.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import repeat

import numpy as np

from smolville.history.records import Tile
from smolville.world.adapter import Locality, World
from smolville.world.cluster_runner import ClusterRunner, ClusterTick

LEAD_SECONDS = 3600
"""Town seconds by which nobody gets ahead of those who are last.

An operator's request takes effect at a tick that nobody has begun, so this limits its delay.
"""
POLL_SECONDS = 0.25
"""Seconds between two checks for operators' requests while everybody thinks."""
IN_A_ROW = 64
"""Number of quiet ticks in a row after which running thoughts get their turn in the event loop."""


FOREVER = 1 << 30
"""A tick after all others; twice this number, minus one, still fits into 32 bits."""


class Frontier:
    """For each agent its next tick, and its tile as that tick begins."""

    def __init__(
        self,
        names: Sequence[str],
        locality: Locality,
        tile_at: Callable[[str, int], Tile],
        done: Mapping[str, int],
    ) -> None:
        """Set everybody to the tick after the last one in `done`."""
        self._locality, self._tile_at = locality, tile_at
        self._names = tuple(names)
        self._index = {name: index for index, name in enumerate(self._names)}
        count = len(self._names)
        self._steps = np.zeros(count, np.int32)
        self._steps[:] = [done.get(name, -1) + 1 for name in self._names]
        where = [tile_at(name, int(step)) for name, step in zip(names, self._steps, strict=True)]
        self._tiles = np.array(where, np.int64).reshape(count, 2)
        self._ticks = np.zeros((count, count), np.int32)
        """Row A, column B: the number of ticks that B needs to come near A."""
        for row in range(count):
            self._measure(row)

    @property
    def lowest(self) -> int:
        """The earliest tick that an agent has not completed."""
        return int(self._steps.min())

    @property
    def highest(self) -> int:
        """The latest of all agents' next ticks."""
        return int(self._steps.max())

    def step(self, name: str) -> int:
        """Return the next tick of an agent."""
        return int(self._steps[self._index[name]])

    def last(self) -> str:
        """Return an agent that is farthest behind."""
        return self._names[int(self._steps.argmin())]

    def move(self, names: Iterable[str], step: int) -> None:
        """Record that these agents have completed every tick before `step`."""
        for name in names:
            self._place(name, step)

    def cluster(self, name: str) -> tuple[str, ...]:
        """Return everybody coupled with an agent, itself included, sorted by name."""
        first = self._index[name]
        same = self._steps == self._steps[first]
        if np.count_nonzero(same) == 1:
            return (name,)
        found, edge = {first}, [first]
        while edge:
            at = edge.pop()
            near = same & ((self._ticks[at] == 0) | (self._ticks[:, at] == 0))
            fresh = [other for other in np.flatnonzero(near).tolist() if other not in found]
            found.update(fresh)
            edge += fresh
        return tuple(sorted(self._names[index] for index in found))

    def horizon(self, members: Sequence[str]) -> tuple[int, str]:
        """Return the last tick that a cluster may run, and the name of the agent that limits it.

        All agents outside the cluster are assumed to stay at their ticks. If the result is before
        the cluster's next tick, the cluster is blocked. The name is empty if nobody else exists.
        """
        inside = [self._index[name] for name in members]
        last = (self._ticks[inside] + (self._steps - 1)).min(axis=0)
        last[inside] = FOREVER
        who = int(last.argmin())
        return int(last[who]), self._names[who] if last[who] < FOREVER else ""

    def _place(self, name: str, step: int) -> None:
        index, tile = self._index[name], self._tile_at(name, step)
        x, y = self._tiles[index].tolist()
        self._steps[index] = step
        if (x, y) != tile:
            self._tiles[index] = tile
            self._measure(index)

    def _measure(self, row: int) -> None:
        coming, going = self._locality.ticks_around(row, self._tiles)
        self._ticks[row], self._ticks[:, row] = coming, going
        self._ticks[row, row] = 0


class FreeSchedule:
    """Runs everybody up to a tick, each agent as soon as possible."""

    def __init__(
        self,
        world: World,
        runner: ClusterRunner,
        frontier: Frontier,
        limit: int,
    ) -> None:
        """Store what to run; everybody stops before the tick `limit`."""
        self._world = world
        self._runner = runner
        self._frontier = frontier
        self._limit = limit
        self._lead = max(1, LEAD_SECONDS // world.clock.tick_seconds)
        self._running: dict[asyncio.Task[None], ClusterTick] = {}
        self._busy: set[str] = set()
        self._waiting: dict[str, set[str]] = {}
        """Waiting agents, by the agent for whom they wait."""
        self._ready: list[tuple[int, str]] = []

    @property
    def limit(self) -> int:
        """The tick before which everybody stops."""
        return self._limit

    def stop_early(self) -> None:
        """Reduce the limit to the first tick that nobody has begun."""
        begun = (work.tick + 1 for work in self._running.values())
        self._limit = min(self._limit, max((self._frontier.highest, *begun)))

    async def run(self, look: Callable[[], bool]) -> None:
        """Run until everybody is at the limit, or until `look` returns False.

        `look` is called after every committed tick and at least every `POLL_SECONDS`. When it
        returns False, clusters that are thinking finish their tick, and nothing else is begun. An
        error that stops the run is raised after everything in progress has been stopped.
        """
        for name in self._world.names:
            self._wake(name)
        try:
            while look():
                await self._start_ready()
                if not self._running:
                    return
                await self._finish_some()
            while self._running:
                await self._finish_some()
        finally:
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    async def _start_ready(self) -> None:
        quiet = 0
        while self._ready:
            step, name = heappop(self._ready)
            if name in self._busy or step != self._frontier.step(name) or step >= self._limit:
                continue
            if self._live(name, step):
                quiet += 1
                if quiet % IN_A_ROW == 0:
                    await asyncio.sleep(0)

    def _live(self, name: str, step: int) -> bool:
        """Run the next tick of the cluster of `name`; return True if nothing happens in it."""
        members = self._frontier.cluster(name)
        last, limited_by = self._frontier.horizon(members)
        lowest = self._frontier.lowest
        if lowest + self._lead < last:
            last, limited_by = lowest + self._lead, self._frontier.last()
        if last < step:
            self._waiting.setdefault(limited_by, set()).add(name)
            return False
        arrived = self._world.arrivals(step, members)
        due = self._world.stimuli(step, members)
        if not arrived and not due:
            following = min(self._world.next_tick(step, members), lowest + self._lead + 1)
            self._advance(members, max(step + 1, min(following, last + 1, self._limit)))
            return True
        work = ClusterTick(tick=step, members=members, due=due, arrived=arrived)
        task = asyncio.create_task(self._runner.run(work, self._watermark))
        self._running[task] = work
        self._busy.update(members)
        return False

    async def _finish_some(self) -> None:
        """Wait until a cluster has finished its tick, or for `POLL_SECONDS` at most.

        Raises the error of a cluster that failed.
        """
        ended, _ = await asyncio.wait(
            self._running, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        for task in ended:
            work = self._running.pop(task)
            task.result()
            self._busy.difference_update(work.members)
            self._advance(work.members, work.tick + 1)

    def _advance(self, members: tuple[str, ...], step: int) -> None:
        """Record that a cluster has completed all ticks before `step`.

        Then check again whether its members, and the agents who waited for them, may go on.
        """
        self._frontier.move(members, step)
        self._runner.advance(members, step - 1)
        for name in members:
            self._wake(name)
            for other in self._waiting.pop(name, ()):
                self._wake(other)

    def _wake(self, name: str) -> None:
        """Check again whether an agent may go on."""
        heappush(self._ready, (self._frontier.step(name), name))

    def _watermark(self) -> int:
        """Return the last tick that everybody has completed, including the cluster that asks."""
        return min(map(self._runner.done.get, self._world.names, repeat(-1)))
