"""The engine: decides who runs which tick when, starting from the last commit.

A schedule decides in which order ticks are run, but never what agents see in them.

A tick has four phases for each cluster of agents near each other. Everybody with a stimulus thinks
about the town as it was when the tick began; the adapter resolves their intents in a seeded order;
granted talks are held; one commit writes everything (`world.cluster_runner`).
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from smolville.agents.errors import DamagedError
from smolville.agents.mind import Mind
from smolville.agents.wording import one_line
from smolville.history.history import History
from smolville.history.inbox import Inbox
from smolville.history.moments import AgentState
from smolville.history.observers import RunObserver
from smolville.history.records import Intervention, read_mind
from smolville.world.adapter import Locality, World
from smolville.world.body_state import VISITOR
from smolville.world.cluster_runner import ClusterRunner, ClusterTick
from smolville.world.free_schedule import FreeSchedule, Frontier
from smolville.world.inbox_reader import FAR, InboxReader
from smolville.world.thinkers import EntityRunner

QUIET_TICKS = 60
"""Number of ticks without a commit after which an empty commit records the progress."""
LOOK_SECONDS = 0.1
"""Longest time in seconds between two checks of what an operator wants."""

OF_THE_RUN = ("reembedded", "templates", "visitor_says")
"""Interventions that the town does not notice.

A visitor's line is fetched by the talk that it belongs to.
"""


@dataclass(kw_only=True)
class Pacing:
    """Limits a run to the pace that is set in its inbox; without a pace, nothing is limited.

    A pace only decides when a tick is run in real time. What happens at the tick stays the same.
    """

    inbox: Inbox
    tick_seconds: int
    is_asked: Callable[[], bool]
    """Function that returns True if an operator's request has not been examined at any tick yet."""
    say_how_far: Callable[[int], None]
    """Function that records that everybody has completed a tick."""
    _since: float = field(default=0.0, init=False)
    """Time when the last wait ended; the time that thoughts took since then counts as waited."""

    async def wait(self, tick: int, after: int) -> int:
        """Wait until the tick `after` may begin in real time; return the next tick to run.

        Nothing happens between `tick` and `after`. The result is an earlier tick if an operator's
        request arrives during the wait, or if the run is paused.
        """
        reached, last = float(tick), self._since
        while (rate := self.inbox.pace()) is not None:
            now = time.monotonic()
            # From the moment on at which the pace was asked for, at the earliest.
            reached += (now - (last or now)) * rate / self.tick_seconds
            last = now
            if reached >= after:
                break
            here = max(tick + 1, int(reached))
            if self.is_asked() or self.inbox.is_paused():
                after = here
                break
            self.say_how_far(int(reached) - 1)
            await asyncio.sleep(LOOK_SECONDS)
        self._since = 0.0 if rate is None else time.monotonic()
        return after


@dataclass(kw_only=True)
class Engine:
    """Runs a world tick by tick, starting from its last commit."""

    world: World
    runner: ClusterRunner
    inbox: Inbox
    intake: InboxReader
    """Takes in the operators' requests."""
    watch: RunObserver = field(default_factory=RunObserver)
    entities: EntityRunner | None = None
    """Lets entities other than people take their turns."""
    _pacing: Pacing = field(init=False)

    def __post_init__(self) -> None:
        """Prepare for following the pace that somebody who takes part in the run may set."""
        self._pacing = Pacing(
            inbox=self.inbox,
            tick_seconds=self.world.clock.tick_seconds,
            is_asked=lambda: self.intake.has_fresh(()),
            say_how_far=lambda tick: self._say_how_far(tick, quiet=1),
        )

    @property
    def done(self) -> dict[str, int]:
        """The last tick that each agent is known to have completed, by name."""
        return self.runner.done

    def begin(self, done: dict[str, int], pending: Sequence[Intervention]) -> None:
        """Start after each agent's last tick; `pending` are recorded requests for later ticks."""
        self.runner.begin(done)
        self.intake.pending = list(pending)

    async def run(self, until: int) -> None:
        """Run all ticks below `until`.

        Raises StoppedError or a model's error if the run cannot continue; everything committed is
        kept.
        """
        if self.runner.schedule == "free":
            await self._run_freely(until)
        else:
            await self._run_together(max(self.done.values(), default=0), until, must=True)
        self._say_how_far(until - 1, quiet=1)

    async def _run_together(self, tick: int, until: int, *, must: bool) -> int:
        """Run ticks below `until`, each for everybody at once; return the next tick to run.

        If `must` is true, all of them are run. Otherwise one tick is run, and then more ticks only
        as long as the world requires that all people run each tick together.
        """
        first = tick
        while tick < until and (must or tick == first or self._locality(tick) is None):
            await self._wait_while_paused(tick)
            await self._let_entities_act(tick)
            waiting = [name for name in self.world.names if self.done.get(name, -1) < tick]
            await self._tick(tick, waiting)
            self.watch.on_tick(tick)
            after = self.world.next_tick(tick, self.world.names)
            after = min(until, max(tick + 1, min(after, self._next_meeting(after))))
            tick = await self._pacing.wait(tick, after)
            self._say_how_far(min(tick, until) - 1, quiet=QUIET_TICKS)
        return min(tick, until)

    async def _run_freely(self, until: int) -> None:
        """Run all ticks below `until` under the free schedule.

        At some ticks, all agents wait for each other and begin together: for example, when an
        operator's request takes effect.
        """
        tick = min((self.done.get(name, -1) for name in self.world.names), default=-1) + 1
        last = max(self.done.values(), default=tick)
        if tick >= last and (self.intake.has_fresh() or self._locality(last) is None):
            # A process that was killed may have lived this very tick with everybody, and not to
            # its end.
            tick = await self._run_together(last, until, must=False)
            self._catch_up(tick)
        while tick < until:
            locality = self._locality(tick)
            if locality is not None:
                tick = await self._live_apart(locality, until)
            if tick >= until:
                break
            # At least one tick: whatever made everybody stop is taken in there.
            tick = await self._run_together(tick, until, must=False)
            self._catch_up(tick)

    async def _live_apart(self, locality: Locality, until: int) -> int:
        """Run the free schedule up to the next tick that all must begin together.

        Returns that tick, or an earlier one if a request has come.
        """
        world = self.world
        frontier = Frontier(world.names, locality, world.tile_at, self.done)
        free = FreeSchedule(world, self.runner, frontier, self._next_meeting(until))
        told = -1

        def look() -> bool:
            nonlocal told
            if self.intake.has_fresh() or self.inbox.pace() is not None:
                free.stop_early()
            lived = frontier.lowest - 1
            if lived > told:
                told = lived
                self.watch.on_tick(lived)
                self._say_how_far(lived, quiet=QUIET_TICKS)
            return not self.inbox.is_paused()

        while True:
            await free.run(look)
            if not self.inbox.is_paused():
                return free.limit
            await self._wait_while_paused(frontier.lowest)

    def _locality(self, tick: int) -> Locality | None:
        return None if self.inbox.pace() is not None else self.world.locality(tick)

    def _next_meeting(self, until: int) -> int:
        """Return the first tick below `until` that all must begin together, or else `until`."""
        pending = self.intake.next_tick(until)
        return pending if self.entities is None else self.entities.next_tick(pending)

    async def _let_entities_act(self, tick: int) -> None:
        """Run the turns of entities that are due at a tick, if any.

        First it is recorded that everybody has completed the previous tick.
        """
        if self.entities is None or self.entities.next_tick(tick + 1) > tick:
            return
        self._say_how_far(tick - 1, quiet=1)
        await self.entities.take_turns(tick)

    def _catch_up(self, tick: int) -> None:
        """Record that everybody has completed all ticks before `tick`."""
        late = [name for name in self.world.names if self.done.get(name, -1) < tick - 1]
        self.runner.advance(late, tick - 1)

    async def _tick(self, tick: int, waiting: Sequence[str]) -> None:
        if self.runner.schedule == "free":
            self._catch_up(tick)
        wishes = self.intake.take(tick, waiting)
        arrived = self.world.arrivals(tick, waiting)
        due = self.world.stimuli(tick, waiting)
        active = {*arrived, *due, *wishes}
        if not active:
            return
        clusters = self.world.clusters(tick, waiting, active)
        left = len(clusters)

        def watermark() -> int:
            nonlocal left
            left -= 1
            return tick - 1 if left else tick

        await self.runner.run_jobs(
            self.runner.run(
                ClusterTick(tick=tick, members=members, due=due, arrived=arrived, wishes=wishes),
                watermark,
            )
            for members in clusters
        )

    async def _wait_while_paused(self, tick: int) -> None:
        """Wait while the run is paused, after recording its progress in the history."""
        if not self.inbox.is_paused():
            return
        if self.runner.schedule == "free" or max(self.done.values(), default=-1) < tick:
            self._say_how_far(tick - 1, quiet=1)
        self.runner.store.flush()
        self.watch.on_pause(True)
        while self.inbox.is_paused():
            await asyncio.sleep(LOOK_SECONDS)
        self.watch.on_pause(False)

    def _say_how_far(self, tick: int, quiet: int) -> None:
        """Commit that everybody has completed `tick`.

        Nothing is done if the last recorded tick is less than `quiet` ticks earlier.
        """
        if tick - self.runner.recorded(self.world.names) >= quiet:
            self.runner.record_progress(tick, self.world.names)


def restore(engine: Engine, history: History, cast: tuple[str, ...]) -> None:
    """Restore the last committed state of bodies, minds and objects; DamagedError if it is none."""
    states = history.state_of(cast)
    done = {name: state.done for name, state in states.items() if state.done is not None}
    try:
        engine.begin(done, list(_list_pending_interventions(history, done)))
        if done:
            _restore_people(engine, history, states, max(done.values()))
        if engine.entities is not None:
            engine.entities.restore()
    except ValidationError as error:
        raise DamagedError(
            f"the history of run {history.name!r} is damaged: the last state of its people cannot "
            f"be read ({one_line(str(error))[:120]}); put the file back as it was"
        ) from error


def _restore_people(
    engine: Engine,
    history: History,
    states: Mapping[str, AgentState],
    tick: int,
) -> None:
    bodies = {name: state.body for name, state in states.items() if state.body is not None}
    minds = {
        name: read_mind(state.mind.blob, Mind)
        for name, state in states.items()
        if state.mind is not None
    }
    engine.runner.minds.update(minds)
    seen = {name: mind.seen for name, mind in minds.items()}
    bodies |= history.visitors()
    engine.world.restore(tick, bodies, history.object_states(), seen)


def _list_pending_interventions(
    history: History, done: Mapping[str, int]
) -> Iterator[Intervention]:
    """Yield the interventions that still have to take effect for at least one agent."""
    first, last = min(done.values(), default=-1), max(done.values(), default=-1)
    told = {name: VISITOR.validate_json(body).told for name, body in history.visitors().items()}
    for each in history.interventions():
        if each.kind in OF_THE_RUN:
            continue
        if each.kind in FAR:
            # A visitor's body holds the tick at which it was last told something.
            if each.tick > max(first, told.get(each.target, -1)):
                yield each
        elif each.tick > done.get(each.target, last):
            yield each
