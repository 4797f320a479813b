"""The free schedule: each cluster runs a tick as soon as nobody else can interfere with it.

Clusters whose people have something to think about run as tasks. A tick at which nothing happens to
a cluster costs no task and no commit. People who are behind go first. The history is the same as
under every other schedule; only the order in which it is written differs (`world.frontier` has the
rule).

An agent waits because others might come near, but mostly nobody comes. So its next thought is made
ahead, from the present state of the world, whenever the servers have free slots (`models.slots`).
`graphs.loop.ahead` keeps the replies until the real thought asks the same question. If anything
relevant has changed by then, the real thought asks something else, and the reply is discarded. So
the history does not depend on speculative thoughts.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import repeat

from smolville.graphs.surroundings import Stimulus, Surroundings
from smolville.world.adapter import World
from smolville.world.cluster_runner import ClusterRunner, ClusterTick
from smolville.world.frontier import Frontier, not_free
from smolville.world.thinkers import Thinkers

TRIES = 3
"""Maximum number of times that one thought is made ahead.

It is made again if something in sight has changed.
"""
FAR = 60
"""Maximum number of future ticks that are searched for an agent's next thought."""

LEAD_SECONDS = 3600
"""Town seconds by which nobody gets ahead of those who are last.

An operator's request takes effect at a tick that nobody has begun, so this limits its delay.
"""
POLL_SECONDS = 0.25
"""Seconds between two checks for operators' requests while everybody thinks."""
IN_A_ROW = 64
"""Number of quiet ticks in a row after which running thoughts get their turn in the event loop."""


@dataclass(kw_only=True)
class _Thought:
    """A speculative thought, in progress or completed."""

    tick: int
    around: Surroundings
    task: "asyncio.Task[None]"
    tries: int


@dataclass(kw_only=True)
class ThoughtsAhead:
    """Makes speculative thoughts, at most one for each agent."""

    world: World
    thinkers: Thinkers
    _thoughts: dict[str, _Thought] = field(default_factory=dict)

    def think(self, name: str, tick: int, latest: int) -> None:
        """Make an agent's next thought, from `tick` on, as if nothing changed before it."""
        old = self._thoughts.get(name)
        at = self._find_thought(name, max(old.tick, tick) if old else tick, latest)
        if at is None:
            return
        around = self.world.surroundings(name, at, self.world.stimuli(at, (name,))[name])
        tries = 1
        if old is not None and old.tick == at:
            if old.around == around or old.tries == TRIES:
                return
            tries = old.tries + 1
        if old is not None:
            old.task.cancel()
        task = asyncio.create_task(self.thinkers.think_ahead(name, around))
        self._thoughts[name] = _Thought(tick=at, around=around, task=task, tries=tries)

    def stop(self, names: Iterable[str]) -> None:
        """Stop the speculative calls of these agents, because their real tick begins now."""
        for name in names:
            if name in self._thoughts:
                self._thoughts[name].task.cancel()

    def forget(self, names: Sequence[str], tick: int) -> None:
        """Discard the speculative calls of these agents for thoughts up to a tick."""
        for name in names:
            if name in self._thoughts and self._thoughts[name].tick <= tick:
                self._thoughts.pop(name).task.cancel()
            self.thinkers.forget_ahead(name, tick)

    async def close(self) -> None:
        """Stop all speculative thoughts, and discard their replies."""
        tasks = [each.task for each in self._thoughts.values()]
        last = max((each.tick for each in self._thoughts.values()), default=-1)
        self.forget(tuple(self._thoughts), last)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _find_thought(self, name: str, tick: int, latest: int) -> int | None:
        """Return the first tick at which an agent would think; None if it is too far away."""
        for _ in range(FAR):
            if tick > latest:
                break
            if self.world.stimuli(tick, (name,)):
                return tick
            tick = self.world.next_tick(tick, (name,))
        return None


class FreeSchedule:
    """Runs everybody up to a tick, each agent as soon as possible."""

    def __init__(
        self,
        world: World,
        runner: ClusterRunner,
        frontier: Frontier,
        limit: int,
        ahead: ThoughtsAhead | None = None,
    ) -> None:
        """Store what to run; everybody stops before the tick `limit`.

        `ahead` makes speculative thoughts for agents who must wait; with None they only wait.
        """
        self._ahead = ahead
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
            if self._ahead is not None:
                await self._ahead.close()
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
            self._think_ahead(members, step)
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
        if self._ahead is not None:
            self._ahead.stop(members)
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
            if self._ahead is not None:
                self._ahead.forget(work.members, work.tick)
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

    def _think_ahead(self, members: tuple[str, ...], step: int) -> None:
        """Make the next thoughts of a cluster's people ahead of time."""
        if self._ahead is None:
            return
        latest = min(self._limit - 1, self._frontier.lowest + self._lead)
        for name in members:
            self._ahead.think(name, step, latest)

    def _wake(self, name: str) -> None:
        """Check again whether an agent may go on."""
        heappush(self._ready, (self._frontier.step(name), name))

    def _watermark(self) -> int:
        """Return the last tick that everybody has completed, including the cluster that asks."""
        return min(map(self._runner.done.get, self._world.names, repeat(-1)))
