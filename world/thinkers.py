"""Run thoughts, talks and turns of entities: from minds and memories to what is committed."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, Protocol, TypeVar

import orjson

from smolville.agents.action import Talk
from smolville.agents.entities import HOURS, WORLD, EntityMind, Plot, Setting
from smolville.agents.errors import SmolvilleError
from smolville.agents.memory import Change, Memory, agent_of
from smolville.agents.mind import (
    Appointment,
    Mind,
    first_goals,
)
from smolville.agents.needs import NeedsRow
from smolville.agents.persona import Persona
from smolville.agents.routines import Reuse, Routines, persona_key
from smolville.agents.stream import MemoryDraw
from smolville.agents.times import at_of, day_of
from smolville.agents.wording import plain
from smolville.graphs.components import GOALS, KEYWORDS, ROUTINES
from smolville.graphs.context import MindContext, Thinker, context_of
from smolville.graphs.entities import take_turn
from smolville.graphs.loop.ledger import FinishedStep, OnAsk
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.meeting import GUEST_LINES, MOST_LINES, GuestLine, GuestTurn, Hear, Meeting
from smolville.graphs.mind import build_mind, think
from smolville.graphs.needs import needs_due
from smolville.graphs.say import seconds
from smolville.graphs.state import EntityState
from smolville.graphs.surroundings import Intent, Stimulus
from smolville.graphs.talk import talk
from smolville.history.history import History
from smolville.history.inbox import Inbox, VisitorTurn
from smolville.history.observers import RunObserver
from smolville.history.records import (
    CommitBatch,
    Intervention,
    MindRow,
    ThoughtRow,
    read_mind,
    write_mind,
)
from smolville.models.errors import ModelError
from smolville.world.adapter import Grant, World
from smolville.world.run_resources import VISITOR_PATIENCE
from smolville.world.streams import Streams
from smolville.world.wishes import LONGEST_LINE

T = TypeVar("T")

LOG = logging.getLogger("smolville")

SAYS: Literal["visitor_says"] = "visitor_says"
LOOK_SECONDS = 0.1
"""Longest time in seconds between two checks of what the person wants."""


@dataclass(kw_only=True)
class VisitorListener:
    """Asks for visitors' lines through a run's inbox, for each line only once, even after a crash.

    Every line is recorded at once, as an intervention keyed by talk and line. So a tick that is run
    again does not ask anybody again.
    """

    history: History
    inbox: Inbox
    watch: RunObserver = field(default_factory=RunObserver)
    patience: float = VISITOR_PATIENCE

    async def hear(self, asked: GuestTurn, grant: Grant, tick: int, at: int) -> GuestLine:
        """Return a visitor's line in a turn; empty if time is up or the visitor leaves."""
        wish = f"{SAYS}/{grant.id}/{asked.n}"
        recorded = self.history.intervention(wish)
        if recorded is None:
            now = time.time()
            turn = VisitorTurn(
                talk=grant.id,
                n=asked.n,
                visitor=asked.guest,
                agent=asked.to[0],
                place=grant.place,
                lines=tuple((line.speaker, line.text) for line in asked.lines),
                at=at,
                asked=now,
                until=now + self.patience,
            )
            spoken = await self._wait(turn)
            fields = {"talk": grant.id, "n": asked.n, "text": spoken.text, "ends": spoken.ends}
            recorded = orjson.dumps(fields).decode()
            made = Intervention(id=wish, tick=tick, kind=SAYS, target=asked.guest, text=recorded)
            self.history.record(made)
            self.inbox.close_turn(grant.id, asked.n)
        words = orjson.loads(recorded)
        return GuestLine(text=words["text"], ends=words["ends"])

    async def _wait(self, turn: VisitorTurn) -> GuestLine:
        inbox = self.inbox
        inbox.ask_turn(turn)
        self.watch.listening(f"{turn.visitor}'s turn to speak to {turn.agent}.")
        try:
            while True:
                is_over = time.time() >= inbox.turn_until(turn.talk, turn.n)
                is_over = is_over or inbox.wants("visitor_leaves", turn.visitor)
                # After that, so that a line from the last moment is not lost.
                answer = inbox.answer(turn.talk, turn.n)
                if answer is not None:
                    return GuestLine(text=plain(answer.text, LONGEST_LINE), ends=answer.ends)
                if is_over:
                    return GuestLine(text="")
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self.watch.listening("")


@dataclass(kw_only=True)
class ThoughtOutcome:
    """The results of one thought or talk for the commit."""

    agent: str
    intent: Intent | None = None
    row: ThoughtRow | None = None
    talk: Talk | None = None
    memories: list[Memory] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    finished: list[FinishedStep] = field(default_factory=list)
    reused: list[Reuse] = field(default_factory=list)
    draws: list[MemoryDraw] = field(default_factory=list)
    felt: list[NeedsRow] = field(default_factory=list)
    need_at: int = 0
    """Town second at which a need is due if the agent follows its intent; 0 for none."""
    agreed: tuple[Appointment, ...] = ()
    """What was agreed in a talk, for the others who took part."""
    mind: Mind | None = None
    """The new mind; None if the thought failed."""


class Thinks(Protocol):
    """A runner of thoughts, in this process or in another one (`world.workers`)."""

    async def think(self, me: Thinker, mind: Mind) -> ThoughtOutcome:
        """Run one thought, which begins with a mind."""
        ...


@dataclass(kw_only=True)
class ThoughtRunner:
    """Runs thoughts in this process."""

    client: ModelClient
    watch: RunObserver = field(default_factory=RunObserver)

    async def think(self, me: Thinker, mind: Mind) -> ThoughtOutcome:
        """Run one thought; a failure in it affects only this agent.

        Errors that concern an operator (a stopped run, a model that cannot be used) are raised.
        """
        started, clock = time.time(), time.perf_counter()
        agent, around = me.name, me.surroundings
        row = ThoughtRow(
            agent=agent,
            tick=around.tick,
            at=around.at,
            stimuli=tuple(stimulus.kind for stimulus in around.stimuli),
            path=(),
            started=started,
        )
        with watch_calls(self.watch, agent) as asks:
            done = await run_guarded(
                f"the thought of {agent} at tick {around.tick}",
                think(build_mind(), context_of(me, self.client, asks=asks), agent, mind),
            )
        if isinstance(done, Exception):
            return ThoughtOutcome(agent=agent, row=failed_row(row, done))
        row = replace(
            row,
            path=tuple(done.path),
            intent=_in_words(done.intent),
            milliseconds=(time.perf_counter() - clock) * 1000.0,
        )
        return ThoughtOutcome(
            agent=agent,
            intent=_declining(done.intent, done.declined),
            row=row,
            memories=list(done.draft.memories),
            changes=list(done.draft.changes),
            finished=done.finished,
            reused=done.reused,
            draws=done.draws,
            felt=done.felt,
            need_at=needs_due(me, done.mind, done.intent),
            agreed=done.agreed,
            mind=done.mind,
        )


@contextmanager
def watch_calls(watch: RunObserver, owner: str) -> Iterator[OnAsk | None]:
    """Yield the callback for an owner's model calls; None if nobody watches."""
    if not watch.wants_asks:
        yield None
        return
    try:
        yield partial(watch.asks, owner)
    finally:
        watch.asks(owner, None)


async def run_guarded(what: str, running: Awaitable[T]) -> T | Exception:
    """Return a graph's result or its error; raises errors that concern an operator."""
    try:
        return await running
    except (SmolvilleError, ModelError):
        raise
    except Exception as error:
        LOG.exception("%s failed", what)
        return error


def failed_row(row: ThoughtRow, error: Exception) -> ThoughtRow:
    """Return the row of a failed thought, which has only the reason."""
    return replace(row, failed=f"{type(error).__name__}: {error}"[:400])


def _declining(intent: Intent | None, people: tuple[str, ...]) -> Intent | None:
    return replace(intent or Intent(), declines=people) if people else intent


def _in_words(intent: Intent | None) -> str:
    if intent is None:
        return ""
    if intent.start_talk:
        return f"talk to {intent.start_talk}: {intent.reason}"
    assert intent.action is not None
    return f"{intent.action.activity} @ {intent.action.place}"


class Thinkers:
    """Runs the thoughts and talks of all minds."""

    def __init__(
        self,
        world: World,
        cast: Sequence[Persona],
        streams: Streams,
        client: ModelClient,
        minds: Mapping[str, Mind],
        listening: VisitorListener | None = None,
        watch: RunObserver | None = None,
        routines: Mapping[str, Routines] | None = None,
        runner: Thinks | None = None,
    ) -> None:
        """Store what thoughts need; `runner` makes the thoughts, in this process by default.

        `minds` are those of the last commits, by agent; whoever is missing has not thought yet.
        """
        self._routines = routines or {}
        self._listening = listening
        self._watch = watch or RunObserver()
        self._world = world
        self._cast = {persona.name: persona for persona in cast}
        self._streams = streams
        self._desk = client
        self._minds = minds
        rules = client.rules
        unknown = {ROUTINES.name} if rules.routine_similarity is None else set()
        unknown |= set() if streams.has_keywords else {KEYWORDS.name}
        self._without = frozenset(rules.without) | unknown
        self._runner = runner or ThoughtRunner(client=client, watch=self._watch)

    async def think(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> ThoughtOutcome:
        """Run one thought; a failure in it affects only this agent.

        Errors that concern an operator (a stopped run, a model that cannot be used) are raised.
        """
        return await self._runner.think(self._thinker(agent, tick, stimuli), self._mind(agent))

    async def talk(self, grant: Grant, tick: int, changed: Mapping[str, Mind]) -> ThoughtOutcome:
        """Run one granted talk for all participants; a talk that fails leaves no trace.

        `changed` are the minds that have thought at this tick already.
        """
        thinkers = {
            name: self._thinker(name, tick, (), mind=changed.get(name) or self._mind(name))
            for name in grant.participants
            if name not in grant.guests
        }
        meeting = _meeting(grant, thinkers)
        with watch_calls(self._watch, grant.id) as asks:
            context = MindContext(
                owner=grant.id, tick=tick, thinkers=thinkers, client=self._desk, asks=asks
            )
            done = await run_guarded(
                f"the talk {grant.id}", talk(context, meeting, self._hear(grant, tick))
            )
        if isinstance(done, Exception) or not done.lines:
            return ThoughtOutcome(agent=grant.id)
        late = grant.begins - self._world.clock.at(tick)
        end = self._world.clock.tick_at(grant.begins + seconds(done.lines))
        held = Talk(
            id=grant.id,
            participants=grant.participants,
            place=grant.place,
            start=self._world.clock.at(tick),
            end=self._world.clock.at(end),
            lines=tuple(line.shift_time(late) for line in done.lines),
            ended_by=done.ended_by,
        )
        return ThoughtOutcome(
            agent=grant.id,
            talk=held,
            changes=[
                change
                for name in thinkers
                for change in done.draft.changes
                if agent_of(change.id) == name
            ],
            finished=done.finished,
        )

    def _hear(self, grant: Grant, tick: int) -> Hear:

        async def hear(turn: GuestTurn) -> GuestLine:
            """Wait for a visitor's line."""
            assert self._listening is not None
            self._watch.asks(grant.id, None)
            return await self._listening.hear(turn, grant, tick, self._world.clock.at(tick))

        return hear

    def _thinker(
        self, agent: str, tick: int, stimuli: tuple[Stimulus, ...], mind: Mind | None = None
    ) -> Thinker:
        return Thinker(
            persona=self._cast[agent],
            surroundings=self._world.surroundings(agent, tick, stimuli),
            stream=self._streams.by_agent[agent],
            embed=self._streams.embed,
            mind=mind,
            without=self._without,
            norms=self._world.norms_at(tick),
        )

    def _mind(self, agent: str) -> Mind:
        return self._minds.get(agent) or self._make_first_mind(agent)

    def _make_first_mind(self, agent: str) -> Mind:
        persona = self._cast[agent]
        goals = first_goals(persona.goals, persona.currently, persona.first_name)
        return Mind(
            name=agent,
            currently=persona.currently,
            requirement=persona.daily_requirement,
            goals=() if GOALS.name in self._without else goals,
            places=self._world.known_at_start(persona),
            routines=self._routines.get(persona_key(self._cast[agent]), Routines()),
        )


def _meeting(grant: Grant, thinkers: Mapping[str, Thinker]) -> Meeting:
    doing = {name: guest.doing for name, guest in grant.guests.items()}
    for name, each in thinkers.items():
        doing[name] = each.surroundings.body.doing or "standing about"
    return Meeting(
        speakers=grant.participants,
        doing=doing,
        place=f"{grant.place}, on the telephone" if grant.by_telephone else grant.place,
        reasons=grant.reasons,
        guests=dict(grant.guests),
        most_lines=GUEST_LINES if grant.guests else MOST_LINES,
    )


TURN = "turn"
"""The stimulus of an entity's turn."""


class EntityRunner:
    """Runs the turns of the world and of the plot, and commits each of them.

    An entity's turn is committed before anybody begins its tick. So everybody perceives its
    happenings from the same tick on, under every schedule, and nobody misses them after a crash.
    """

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
