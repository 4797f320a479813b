"""One tick of one cluster: people think, intents are resolved, talks are held, all is committed."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from smolville.agents.chance import shuffle_items
from smolville.agents.memory import agent_of
from smolville.agents.mind import Mind
from smolville.graphs.surroundings import Stimulus
from smolville.history.history import History
from smolville.history.memory_store import MemoryStore
from smolville.history.observers import RunObserver
from smolville.history.records import CommitBatch, MindRow, write_mind
from smolville.world.adapter import Changes, World
from smolville.world.inbox_reader import ClusterCommit
from smolville.world.streams import Streams
from smolville.world.thinkers import Thinkers, ThoughtOutcome

T = TypeVar("T")

Schedule = Literal["free", "lockstep", "serial"]


@dataclass(frozen=True, kw_only=True)
class ClusterTick:
    """One tick of one cluster: the people in the cluster, and what the tick has to handle."""

    tick: int
    members: tuple[str, ...]
    due: Mapping[str, tuple[Stimulus, ...]]
    """The people who must think, each with the reasons."""
    arrived: Mapping[str, Changes]
    wishes: Mapping[str, ClusterCommit] = field(default_factory=dict)
    """Operators' requests, by the agent whose commit contains them."""


@dataclass(kw_only=True)
class ClusterRunner:
    """Runs the ticks of clusters, and commits each of them."""

    world: World
    thinkers: Thinkers
    minds: dict[str, Mind]
    """The minds of the last commits, by agent."""
    streams: Streams
    history: History
    store: MemoryStore
    seed: int
    schedule: Schedule = "lockstep"
    watch: RunObserver = field(default_factory=RunObserver)
    done: dict[str, int] = field(default_factory=dict)
    """The last tick that each agent has completed, known to the schedule but perhaps not recorded.
    """
    _recorded: dict[str, int] = field(default_factory=dict)
    """The last tick that each agent has completed, as recorded in the history."""
    _moved: dict[str, None] = field(default_factory=dict)
    """The agents that have completed a tick since the last commit; an ordered set."""

    def begin(self, done: Mapping[str, int]) -> None:
        """Start from each agent's last tick, as recorded in the history."""
        self.done = dict(done)
        self._recorded = dict(done)

    def advance(self, agents: Iterable[str], tick: int) -> None:
        """Note that these agents have completed every tick up to this one."""
        lived = dict.fromkeys(agents, tick)
        self.done.update(lived)
        self._moved |= dict.fromkeys(lived)

    async def run(self, work: ClusterTick, watermark: Callable[[], int]) -> None:
        """Run a cluster's tick: thoughts, intents, talks and the commit.

        `watermark` is called when the tick is complete. Raises errors that concern an operator: a
        stopped run, a model that cannot be used.
        """
        tick = work.tick
        changes = Changes()
        # In the order in which the world made them: an object keeps its last state.
        commits = [work.wishes[name] for name in work.wishes if name in work.members]
        for each in commits:
            changes.add(each.changes)
        for name in [name for name in work.arrived if name in work.members]:
            changes.add(work.arrived[name])
        thinking = [name for name in work.members if name in work.due]
        outcomes = await self.run_jobs(
            self.thinkers.think(name, tick, work.due[name]) for name in thinking
        )
        for outcome in outcomes:
            self._settle(outcome, tick)
        for outcome in outcomes:
            self.world.pass_on(outcome.agent, outcome.agreed, work.members)
        intents = {each.agent: each.intent for each in outcomes if each.intent is not None}
        order = shuffle_items(list(intents), self.seed, tick, "resolve")
        # A visitor spoke before the tick began.
        order, intents = [*changes.intents, *order], {**changes.intents, **intents}
        changes.add(self.world.resolve(tick, order, intents))
        minds = {each.agent: each.mind for each in outcomes if each.mind is not None}
        talks = await self.run_jobs(
            self.thinkers.talk(grant, tick, minds) for grant in changes.granted
        )
        for grant, outcome in zip(tuple(changes.granted), talks, strict=True):
            if outcome.talk is None:
                at = self.world.clock.at(tick)
                changes.deeds.append(grant.refused(tick, at, "they found no words"))
            else:
                changes.add(self.world.hold(tick, outcome.talk))
        batch = self._batch(work, changes, [*outcomes, *talks])
        batch.interventions += [made for each in commits for made in each.interventions]
        batch.bodies |= self.world.bodies([name for each in commits for name in each.visitors])
        batch.minds += [
            MindRow(agent=name, tick=tick, blob=write_mind(mind)) for name, mind in minds.items()
        ]
        await self._commit(batch, watermark)
        self.minds.update(minds)

    def recorded(self, agents: Iterable[str]) -> int:
        """Return the tick up to which the history is known to be complete for all `agents`."""
        if self.schedule == "free":
            mark = self.history.watermark()
            return -1 if mark is None else mark
        return min(self.done.get(name, -1) for name in agents)

    def record_progress(self, tick: int, agents: Sequence[str]) -> None:
        """Commit nothing but the fact that all `agents` have completed `tick`.

        Some of them may have completed later ticks too.
        """
        batch = CommitBatch(tick=tick, at=self.world.clock.at(tick), agents=())
        if self.schedule != "free":
            batch.agents = tuple(agents)
            self.advance(agents, tick)
        self._write(batch)

    async def run_jobs(self, jobs: Iterable[Awaitable[T]]) -> list[T]:
        """Run jobs one after another, or all at once, depending on the schedule.

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

    def _settle(self, outcome: ThoughtOutcome, tick: int) -> None:
        if outcome.mind is None:
            self.world.excuse(outcome.agent, tick)
        else:
            self.world.settle(outcome.agent, tick, outcome.mind.seen, outcome.need_at)

    def _batch(
        self, work: ClusterTick, changes: Changes, outcomes: list[ThoughtOutcome]
    ) -> CommitBatch:
        tick, members = work.tick, work.members
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
            batch.draws += outcome.draws
            batch.needs += outcome.felt
            batch.steps += [each.record for each in outcome.finished]
            batch.readings += [row for each in outcome.finished for row in each.readings]
        # The rows of changes must not depend on who else is in the cluster.
        batch.changes.sort(key=lambda change: agent_of(change.id))
        return batch

    async def _commit(self, batch: CommitBatch, watermark: Callable[[], int]) -> None:
        """Write a batch, and only then update everything in memory."""
        vectors = await self.streams.embed([memory.text for memory in batch.memories])
        self.advance(batch.agents, batch.tick)
        batch.watermark = watermark()
        self._write(batch)
        self.streams.add(batch.memories, vectors)
        self.streams.change(batch.changes)
        if batch.memories:
            self.store.add(batch.memories, self.streams.stacked(vectors))
        self.watch.on_commit(batch)

    def _write(self, batch: CommitBatch) -> None:
        """Write a batch to the history.

        Under the free schedule, agents outside the batch may have completed ticks in which nothing
        happened to them. Their progress is written with it.
        """
        if self.schedule == "free":
            batch.reached = {
                name: self.done[name]
                for name in self._moved
                if self.done[name] > self._recorded.get(name, -1) and name not in batch.agents
            }
        self.history.commit(batch)
        self._moved.clear()
        self._recorded.update(dict.fromkeys(batch.agents, batch.tick))
        self._recorded.update(batch.reached)
