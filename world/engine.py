"""The engine: who thinks when. A schedule decides what runs at the same time, never what is read.

A tick has four phases for each cluster of agents near each other: everybody with a stimulus thinks
about the town as it was when the tick began; the adapter resolves their intents in a seeded order;
granted talks are held; one commit writes everything.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from agents.chance import shuffle_items
from graphs.checkpoints import MindSaver
from graphs.loop.examples import ExamplePool
from graphs.surroundings import Stimulus
from history.history import History
from history.inbox import Inbox
from history.memory_store import MemoryStore
from history.observers import RunObserver
from history.records import CommitBatch, MindRow
from world.adapter import Changes, World
from world.editing import TemplateWatcher
from world.inbox_reader import ClusterCommit, InboxReader
from world.streams import Streams
from world.thinkers import Thinkers, ThoughtOutcome

T = TypeVar("T")

Schedule = Literal["lockstep", "serial"]

QUIET_TICKS = 60
"""Number of ticks without a commit after which an empty one records the progress."""
HOLD_SECONDS = 0.1
"""Seconds between two checks whether a paused run may continue."""


@dataclass(kw_only=True)
class Engine:
    """Runs a world tick by tick, from its last commit on."""

    world: World
    thinkers: Thinkers
    saver: MindSaver
    streams: Streams
    history: History
    store: MemoryStore
    inbox: Inbox
    intake: InboxReader
    """Takes in the operators' wishes."""
    seed: int
    schedule: Schedule = "lockstep"
    watch: RunObserver = field(default_factory=RunObserver)
    pool: ExamplePool = field(default_factory=ExamplePool)
    """Collects committed answers, to show them as examples for later cases."""
    done: dict[str, int] = field(default_factory=dict)
    """Agent to the last tick of a commit that contains it."""
    edits: TemplateWatcher | None = None
    """Applies templates that are edited while the run lives."""
    _open: int = 0
    """Clusters of the current tick that are not committed yet."""

    async def run(self, until: int) -> None:
        """Run all ticks below `until`.

        Raises StoppedError or a model's error when it cannot continue; everything committed is
        kept.
        """
        tick = max(self.done.values(), default=0)
        while tick < until:
            await self._wait_while_paused(tick)
            if self.edits is not None:
                self.edits.take(self._find_untouched_tick(tick))
            waiting = [name for name in self.world.names if self.done.get(name, -1) < tick]
            await self._tick(tick, waiting)
            self.watch.on_tick(tick)
            after = self.world.next_tick(tick, self.world.names)
            tick = max(tick + 1, min(after, self.intake.next_tick(after)))
            self._say_how_far(min(tick, until) - 1, quiet=QUIET_TICKS)
        self._say_how_far(until - 1, quiet=1)

    async def _wait_while_paused(self, tick: int) -> None:
        """Wait while the run is paused; its progress is recorded in the history first."""
        if not self.inbox.is_paused():
            return
        if max(self.done.values(), default=-1) < tick:
            self._say_how_far(tick - 1, quiet=1)
        self.store.flush()
        self.watch.on_pause(True)
        while self.inbox.is_paused():
            await asyncio.sleep(HOLD_SECONDS)
        self.watch.on_pause(False)

    def _find_untouched_tick(self, tick: int) -> int:
        """Return the first tick, from `tick` on, that nobody has begun."""
        return max(tick, max(self.done.values(), default=-1) + 1)

    async def _tick(self, tick: int, waiting: Sequence[str]) -> None:
        """Run one tick for everybody who has not done it yet."""
        wishes = self.intake.take(tick, waiting)
        arrived = self.world.arrivals(tick, waiting)
        due = self.world.stimuli(tick, waiting)
        active = {*arrived, *due, *wishes}
        if not active:
            return
        clusters = self.world.clusters(tick, waiting, active)
        self._open = len(clusters)
        await self._run_jobs(
            self._cluster(tick, members, due, arrived, wishes) for members in clusters
        )

    async def _cluster(
        self,
        tick: int,
        members: tuple[str, ...],
        due: dict[str, tuple[Stimulus, ...]],
        arrived: dict[str, Changes],
        wishes: dict[str, ClusterCommit],
    ) -> None:
        """Run one tick for one cluster: think, resolve, talk, commit."""
        changes = Changes()
        # In the order in which the world made them: an object keeps its last state.
        commits = [wishes[name] for name in wishes if name in members]
        for each in commits:
            changes.add(each.changes)
        for name in [name for name in arrived if name in members]:
            changes.add(arrived[name])
        thinking = [name for name in members if name in due]
        outcomes = await self._run_jobs(
            self.thinkers.think(name, tick, due[name]) for name in thinking
        )
        for outcome in outcomes:
            self._settle(outcome, tick)
        intents = {each.agent: each.intent for each in outcomes if each.intent is not None}
        order = shuffle_items(list(intents), self.seed, tick, "resolve")
        # A visitor spoke before the tick began.
        order, intents = [*changes.intents, *order], {**changes.intents, **intents}
        changes.add(self.world.resolve(tick, order, intents))
        talks = await self._run_jobs(self.thinkers.talk(grant, tick) for grant in changes.granted)
        for grant, outcome in zip(tuple(changes.granted), talks, strict=True):
            if outcome.talk is None:
                at = self.world.clock.at(tick)
                changes.deeds.append(grant.refused(tick, at, "they found no words"))
            else:
                changes.add(self.world.hold(tick, outcome.talk))
        batch = self._batch(tick, members, changes, [*outcomes, *talks])
        batch.interventions += [made for each in commits for made in each.interventions]
        batch.bodies |= self.world.bodies([name for each in commits for name in each.visitors])
        await self._commit(batch)
        for outcome in (*outcomes, *talks):
            self.pool.add(each.accepted for each in outcome.finished if each.accepted)

    def _settle(self, outcome: ThoughtOutcome, tick: int) -> None:
        """Tell the world whether a thought ended well."""
        if outcome.mind is None:
            self.world.excuse(outcome.agent, tick)
        else:
            self.world.settle(outcome.agent, tick, outcome.mind.seen)

    def _batch(
        self, tick: int, members: tuple[str, ...], changes: Changes, outcomes: list[ThoughtOutcome]
    ) -> CommitBatch:
        """Return everything that a cluster's tick changed."""
        batch = CommitBatch(
            tick=tick,
            at=self.world.clock.at(tick),
            agents=members,
            bodies=self.world.bodies(
                (*members, *{row.agent for row in changes.deeds}.difference(members))
            ),
            moves=changes.moves,
            deeds=changes.deeds,
            objects=changes.objects,
        )
        for outcome in outcomes:
            if outcome.row is not None:
                batch.thoughts.append(outcome.row)
            if outcome.talk is not None:
                batch.talks.append(outcome.talk)
            batch.memories += outcome.memories
            batch.changes += outcome.changes
            batch.reuses += outcome.reused
            batch.steps += [each.record for each in outcome.finished]
            batch.readings += [row for each in outcome.finished for row in each.readings]
        for name in members:
            staged = self.saver.read_staged(name)
            if staged is not None:
                batch.minds.append(
                    MindRow(agent=name, tick=tick, checkpoint_id=staged[0], blob=staged[1])
                )
        return batch

    async def _commit(self, batch: CommitBatch) -> None:
        """Write a batch, and only then update everything in memory."""
        vectors = await self.streams.embed([memory.text for memory in batch.memories])
        self._open -= 1
        batch.watermark = batch.tick - 1 if self._open else batch.tick
        self.history.commit(batch)
        self.saver.commit(batch.agents)
        self.streams.add(batch.memories, vectors)
        self.streams.change(batch.changes)
        if batch.memories:
            self.store.add(batch.memories, self.streams.stacked(vectors))
        self.store.change(self.streams.get(change.id) for change in batch.changes)
        self.done.update(dict.fromkeys(batch.agents, batch.tick))
        self.watch.on_commit(batch)

    def _say_how_far(self, tick: int, quiet: int) -> None:
        """Commit only the tick, if somebody has had no commit for `quiet` ticks."""
        names = self.world.names
        if tick - min(self.done.get(name, -1) for name in names) >= quiet:
            self.history.commit(CommitBatch(tick=tick, at=self.world.clock.at(tick), agents=names))
            self.done.update(dict.fromkeys(names, tick))

    async def _run_jobs(self, jobs: Iterable[Awaitable[T]]) -> list[T]:
        """Run jobs as the schedule says: one after another, or all at once.

        The first error cancels the others, so that no part of this tick keeps running.
        """
        if self.schedule == "serial":
            return [await job for job in jobs]
        tasks = [asyncio.ensure_future(job) for job in jobs]
        try:
            return await asyncio.gather(*tasks)
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise
