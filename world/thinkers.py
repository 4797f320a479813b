"""Runs the mind and talk graphs for the agents of a tick."""

import logging
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from agents.action import Talk
from agents.errors import SmolvilleError
from agents.memory import Change, Memory
from agents.mind import Mind
from agents.persona import Persona
from graphs.checkpoints import MindSaver
from graphs.guests import GUEST_LINES, Guest, Spoken, Turn
from graphs.loop.desk import Desk
from graphs.mind import build_mind, think
from graphs.notebook import Notebook
from graphs.surroundings import Intent, Stimulus
from graphs.talk import Meeting, Speaker, seconds, talk
from graphs.thinking import Ledger, Thought
from models.errors import ModelError
from world.adapter import Grant, World
from world.records import ThoughtRow
from world.streams import Streams
from world.visiting.listening import Listening

T = TypeVar("T")

LOG = logging.getLogger("smolville")


@dataclass(kw_only=True)
class Outcome:
    """What one thought or talk gives to the commit."""

    agent: str
    intent: Intent | None = None
    row: ThoughtRow | None = None
    talk: Talk | None = None
    memories: list[Memory] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    mind: Mind | None = None
    """None when the thought failed."""


class Thinkers:
    """Everybody's minds, ready to think."""

    def __init__(
        self,
        world: World,
        cast: Sequence[Persona],
        streams: Streams,
        desk: Desk,
        saver: MindSaver,
        listening: Listening | None = None,
    ) -> None:
        self._listening = listening
        self._world = world
        self._cast = {persona.name: persona for persona in cast}
        self._streams = streams
        self._desk = desk
        self._saver = saver
        self._graph = build_mind(saver)

    async def think(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> Outcome:
        """Run one thought; whatever goes wrong in it stays with this agent.

        What an operator must know of (a stopped run, a model that cannot be used) is raised.
        """
        started, clock = time.time(), time.perf_counter()
        thought = self._thought(agent, tick, stimuli, Ledger())
        row = ThoughtRow(
            agent=agent,
            tick=tick,
            at=thought.surroundings.at,
            stimuli=tuple(stimulus.kind for stimulus in stimuli),
            path=(),
            started=started,
        )
        done = await _guarded(
            f"the thought of {agent} at tick {tick}",
            think(self._graph, thought, self._first(agent)),
        )
        if isinstance(done, Exception):
            self._saver.drop(agent)
            return Outcome(agent=agent, row=_failed(row, done))
        mind, intent = done
        notes, ledger = thought.notes, thought.ledger
        row = ThoughtRow(
            agent=agent,
            tick=tick,
            at=row.at,
            stimuli=row.stimuli,
            path=tuple(ledger.nodes),
            intent=_in_words(intent),
            milliseconds=(time.perf_counter() - clock) * 1000.0,
            started=started,
        )
        return Outcome(
            agent=agent,
            intent=intent,
            row=row,
            memories=notes.memories,
            changes=notes.changes,
            ledger=ledger,
            mind=mind,
        )

    async def talk(self, grant: Grant, tick: int) -> Outcome:
        """Run one granted talk over all who take part in it; one that fails leaves no trace."""
        ledger = Ledger()
        speakers: list[Speaker] = []
        for name in grant.participants:
            if name in grant.guests:
                continue
            thought = self._thought(name, tick, (), ledger, owner=grant.id)
            mind = self._saver.mind(name) or self._born(name)
            action = thought.surroundings.body().action
            doing = action.activity if action else "standing about"
            speakers.append(Speaker(thought=thought, mind=mind, doing=doing))
        done = await _guarded(f"the talk {grant.id}", talk(self._meeting(grant, speakers, tick)))
        if isinstance(done, Exception) or not done.lines:
            return Outcome(agent=grant.id)
        late = grant.begins - self._world.clock.at(tick)
        end = self._world.clock.tick_at(grant.begins + seconds(done.lines))
        held = Talk(
            id=grant.id,
            participants=grant.participants,
            place=grant.place,
            start=self._world.clock.at(tick),
            end=self._world.clock.at(end),
            lines=tuple(line.later(late) for line in done.lines),
            ended_by=done.ended_by,
        )
        changes = [change for each in speakers for change in each.thought.notes.changes]
        return Outcome(agent=grant.id, talk=held, changes=changes, ledger=ledger)

    def _meeting(self, grant: Grant, speakers: Sequence[Speaker], tick: int) -> Meeting:
        """Return the context of a talk; a guest's lines are waited for."""
        takes_part: dict[str, Speaker | Guest] = {each.name: each for each in speakers}
        takes_part |= grant.guests
        meeting = Meeting(
            speakers=tuple(takes_part[name] for name in grant.participants),
            place=f"{grant.place}, on the telephone" if grant.by_telephone else grant.place,
            reason=grant.reason,
        )
        if not grant.guests:
            return meeting
        at = self._world.clock.at(tick)

        async def hear(turn: Turn) -> Spoken:
            """Wait for a guest's line."""
            assert self._listening is not None
            return await self._listening.hear(turn, grant, tick, at)

        return replace(meeting, most_lines=GUEST_LINES, hear=hear)

    def _thought(
        self, agent: str, tick: int, stimuli: tuple[Stimulus, ...], ledger: Ledger, owner: str = ""
    ) -> Thought:
        """Return the context of one run of a graph."""
        surroundings = self._world.surroundings(agent, tick, stimuli)
        notes = Notebook(
            persona=self._cast[agent],
            stream=self._streams.by_agent[agent],
            embed=self._streams.embed,
            tick=tick,
            at=surroundings.at,
        )
        return Thought(
            owner=owner or agent,
            persona=self._cast[agent],
            surroundings=surroundings,
            notes=notes,
            desk=self._desk,
            ledger=ledger,
        )

    def _first(self, agent: str) -> Mind | None:
        """Return the mind of an agent that has never thought; None for every other one."""
        return None if self._saver.mind(agent) is not None else self._born(agent)

    def _born(self, agent: str) -> Mind:
        """Return a mind as a run begins."""
        persona = self._cast[agent]
        return Mind(
            name=agent,
            currently=persona.currently,
            requirement=persona.daily_requirement,
            places=self._world.known_at_start(persona),
        )


async def _guarded(what: str, running: Awaitable[T]) -> T | Exception:
    """Return what a graph gives, or why it failed; what an operator must know of is raised."""
    try:
        return await running
    except (SmolvilleError, ModelError):
        raise
    except Exception as error:
        LOG.exception("%s failed", what)
        return error


def _failed(row: ThoughtRow, error: Exception) -> ThoughtRow:
    """Return the row of a thought that failed: why, and nothing else."""
    why = f"{type(error).__name__}: {error}"[:400]
    return ThoughtRow(
        agent=row.agent,
        tick=row.tick,
        at=row.at,
        stimuli=row.stimuli,
        path=(),
        failed=why,
        started=row.started,
    )


def _in_words(intent: Intent | None) -> str:
    """Return what came of a thought, for people."""
    if intent is None:
        return ""
    if intent.start_talk:
        return f"talk to {intent.start_talk}: {intent.reason}"
    assert intent.action is not None
    return f"{intent.action.activity} @ {intent.action.place}"
