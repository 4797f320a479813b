"""Runs the turns of entities other than people, at ticks that nobody has begun.

An entity's turn is committed before anybody begins its tick. So everybody perceives its happenings
from the same tick on, under every schedule, and nobody misses them after a crash.
"""

import time
from dataclasses import replace

from smolville.agents.entities import HOURS, WORLD, EntityMind, Plot, Setting
from smolville.agents.times import at_of, day_of
from smolville.graphs.context import MindContext
from smolville.graphs.entities import take_turn
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.state import EntityState
from smolville.history.history import History
from smolville.history.observers import RunObserver
from smolville.history.records import CommitBatch, MindRow, ThoughtRow, read_mind, write_mind
from smolville.world.adapter import World
from smolville.world.thinkers import failed_row, run_guarded, watch_calls

TURN = "turn"
"""The stimulus of an entity's turn."""


class EntityRunner:
    """Runs the turns of the world and of the plot, and commits each of them."""

    def __init__(
        self,
        world: World,
        setting: Setting,
        client: ModelClient,
        history: History,
        *,
        plot: Plot | None = None,
        watch: RunObserver | None = None,
    ) -> None:
        self._world = world
        self._setting = setting
        self._client = client
        self._history = history
        self._plot = plot
        self._watch = watch or RunObserver()
        self._minds = {
            name: EntityMind(name=name) for name in HOURS if name == WORLD or plot is not None
        }
        self._done: dict[str, int] = {}

    def restore(self) -> None:
        """Restore each entity's last committed state, and put its happenings into the world."""
        for name, state in self._history.state_of(tuple(self._minds)).items():
            if state.mind is not None:
                self._minds[name] = read_mind(state.mind.blob, EntityMind)
                self._done[name] = state.mind.tick
        self._world.let_happen(self._history.happenings())

    def next_tick(self, until: int) -> int:
        """Return the first tick below `until` at which an entity has a turn, or else `until`."""
        return min((until, *(self._next_turn(name)[0] for name in self._minds)))

    async def take_turns(self, tick: int) -> None:
        """Run the turns due at a tick that nobody has begun."""
        for name in self._minds:
            due, at = self._next_turn(name)
            if due <= tick:
                await self._take_turn(name, tick, at)

    def _next_turn(self, name: str) -> tuple[int, int]:
        """Return the tick and the town second of an entity's next turn."""
        clock, done = self._world.clock, self._done.get(name, -1)
        day = day_of(clock.at(max(done, 0)))
        turns = (at_of(day + more, hour) for more in (0, 1, 2) for hour in HOURS[name])
        return next((tick, at) for at in turns if (tick := clock.tick_at(at)) > done)

    async def _take_turn(self, name: str, tick: int, at: int) -> None:
        started, clock = time.time(), time.perf_counter()
        start = EntityState(
            agent=name,
            mind=self._minds[name],
            at=at,
            start_date=self._world.start_date,
            setting=self._setting,
            plot=self._plot,
        )
        row = ThoughtRow(agent=name, tick=tick, at=at, stimuli=(TURN,), path=(), started=started)
        batch = CommitBatch(tick=tick, at=self._world.clock.at(tick), agents=(), watermark=tick - 1)
        with watch_calls(self._watch, name) as asks:
            context = MindContext(
                owner=name, tick=tick, thinkers={}, client=self._client, asks=asks
            )
            done = await run_guarded(
                f"the turn of {name} at tick {tick}", take_turn(context, start)
            )
        if isinstance(done, Exception):
            batch.thoughts.append(failed_row(row, done))
        else:
            spent = (time.perf_counter() - clock) * 1000.0
            self._fill(batch, done, replace(row, milliseconds=spent))
        self._history.commit(batch)
        if not isinstance(done, Exception):
            self._minds[name] = done.mind
        self._done[name] = tick
        self._world.let_happen(batch.happenings)
        self._watch.on_commit(batch)

    def _fill(self, batch: CommitBatch, done: EntityState, row: ThoughtRow) -> None:
        told = "; ".join(each.text for each in done.made)
        batch.thoughts.append(replace(row, path=tuple(done.path), intent=told))
        batch.steps += [each.record for each in done.finished]
        batch.readings += [reading for each in done.finished for reading in each.readings]
        batch.happenings += done.made
        batch.minds.append(MindRow(agent=row.agent, tick=row.tick, blob=write_mind(done.mind)))
