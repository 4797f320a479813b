"""The free schedule: each cluster runs a tick as soon as nobody else can interfere with it.

Clusters whose people have something to think about run as tasks. A tick at which nothing happens to
a cluster costs no task and no commit. People who are behind go first. The history is the same as
under every other schedule; only the order in which it is written differs (`world.frontier` has the
rule).
"""

import asyncio
from collections.abc import Callable, Mapping
from heapq import heappop, heappush
from itertools import repeat

from smolville.graphs.surroundings import Stimulus
from smolville.world.adapter import World
from smolville.world.cluster_runner import ClusterRunner, ClusterTick
from smolville.world.frontier import Frontier, not_free

LEAD_SECONDS = 3600
"""Town seconds by which nobody gets ahead of those who are last.

An operator's request takes effect at a tick that nobody has begun, so this limits its delay.
"""
POLL_SECONDS = 0.25
"""Seconds between two checks for operators' requests while everybody thinks."""
IN_A_ROW = 64
"""Number of quiet ticks in a row after which running thoughts get their turn in the event loop."""


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

    @property
    def first_untouched(self) -> int:
        """The first tick that nobody has begun."""
        begun = (work.tick + 1 for work in self._running.values())
        return max((self._frontier.highest, *begun))

    def stop_early(self) -> None:
        """Reduce the limit to the first tick that nobody has begun."""
        self._limit = min(self._limit, self.first_untouched)

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
        """Start every cluster that may run; those farthest behind come first."""
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
        last, limited_by = self._frontier.horizon(members, step)
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
            if following > last + 1:
                last, _ = self._frontier.horizon(members, following)
            self._advance(members, max(step + 1, min(following, last + 1, self._limit)))
            return True
        self._check_sights(step, due)
        work = ClusterTick(tick=step, members=members, due=due, arrived=arrived)
        task = asyncio.create_task(self._runner.run(work, self._watermark))
        self._running[task] = work
        self._busy.update(members)
        return False

    def _check_sights(self, step: int, due: Mapping[str, tuple[Stimulus, ...]]) -> None:
        """Raise RunError if an agent in `due` sees a person who does not count as near.

        The agent has not waited for such a person, so what it sees could be outdated.
        """
        for name, why in due.items():
            for percept in self._world.surroundings(name, step, why).percepts():
                if percept.is_person and not self._frontier.is_near(name, percept.subject):
                    raise not_free(f"{name} sees {percept.subject} from too far away")

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
