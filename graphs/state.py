"""The states of the graphs: values that a thought, talk or interview passes between nodes.

Fields without a reducer are replaced by the node that writes them, and may be read by any later
node. Accumulators (`Annotated[list, operator.add]`) are only written; they hold what the run of a
graph reports. A sub-graph takes the `StateView` part of a state, without accumulators, and returns
the whole state. The accumulators that it returns hold only its own reports, which are then added to
those of the surrounding state.
"""

import operator
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated

from langgraph.channels import UntrackedValue

from smolville.agents.action import TalkLine
from smolville.agents.entities import EntityMind, Happening, Plot, Setting
from smolville.agents.mind import Appointment, Mind
from smolville.agents.needs import NeedsRow
from smolville.agents.rare_memories import MemoryDraw
from smolville.agents.routines import Reuse
from smolville.graphs.draft import Draft
from smolville.graphs.loop.ledger import FinishedStep
from smolville.graphs.meeting import Meeting
from smolville.graphs.surroundings import Intent, Percept
from smolville.parsers.prompt_inputs import SpokenLine


@dataclass(kw_only=True)
class StateView:
    """The fields that the nodes of every graph may read."""

    agent: str
    """The agent whose mind is asked: the thinker, or the current speaker of a talk."""
    draft: Draft = field(default_factory=Draft)


@dataclass(kw_only=True)
class ReportedState:
    """The fields that every graph reports; nothing reads them before the graph has ended."""

    finished: Annotated[list[FinishedStep], operator.add] = field(default_factory=list)
    """The completed steps, in order."""
    path: Annotated[list[str], operator.add] = field(default_factory=list)
    """The nodes that ran, in order."""


RatedMemories = tuple[tuple[str, int | None], ...]
"""Ids of memories, each with its importance; None keeps the provisional importance."""


def _whichever(before: RatedMemories, after: RatedMemories) -> RatedMemories:
    """Return the later ratings, or the earlier ones if the later are empty."""
    return after or before


@dataclass(kw_only=True)
class MindSeen(StateView):
    """The fields that the nodes of a thought read: the mind, and messages to later nodes."""

    mind: Mind
    """The only value that outlives a thought."""
    fresh: Annotated[tuple[Percept, ...], UntrackedValue(tuple)] = ()
    """Events in sight that are new to this mind."""
    disturbed: Annotated[str, UntrackedValue(str)] = ""
    """Why the rest of the current hour needs a new plan; empty if it does not."""
    changed: Annotated[bool, UntrackedValue(bool)] = False
    """True if the plan for the present moment has changed since the thought began."""
    questions: Annotated[tuple[str, ...], UntrackedValue(tuple)] = ()
    """The questions of a reflection."""
    elsewhere: Annotated[tuple[int, ...], UntrackedValue(tuple)] = ()
    """Start minutes of the tasks that fit none of the places offered."""
    sector: Annotated[str, UntrackedValue(str)] = ""
    """The sector chosen for the first of those tasks."""
    sector_fallback: Annotated[str, UntrackedValue(str)] = ""
    """Name of the step whose fallback chose that sector; empty if a model did."""
    rating: Annotated[tuple[str, ...], UntrackedValue(tuple)] = ()
    """Ids of the memories that are rated in this thought."""
    rated: Annotated[RatedMemories, _whichever] = ()
    """Ratings of these memories, once they are made."""
    urgent: Annotated[str, UntrackedValue(str)] = ""
    """The need that requires a decision now; empty for none."""
    intent: Annotated[Intent | None, UntrackedValue(Intent)] = None
    agreed: Annotated[tuple[Appointment, ...], UntrackedValue(tuple)] = ()
    """What was agreed in the talk that has just ended, for the others who took part."""
    declined: Annotated[tuple[str, ...], UntrackedValue(tuple)] = ()
    """The people who are there and with whom the agent has decided not to talk."""
    came_up: Annotated[tuple[str, ...], UntrackedValue(tuple)] = ()
    """Ids of the memories chosen for the step that follows: at random, or as what mattered most."""


@dataclass(kw_only=True)
class MindState(MindSeen, ReportedState):
    """The state of the mind graph and of its phases."""

    reused: Annotated[list[Reuse], operator.add] = field(default_factory=list)
    """The routines that were reused, in order; only reported, like `path`."""
    draws: Annotated[list[MemoryDraw], operator.add] = field(default_factory=list)
    """The memories that were chosen at random, and how rare they are; only reported."""
    felt: Annotated[list[NeedsRow], operator.add] = field(default_factory=list)
    """The levels of needs, in order of time; only reported, like `path`."""


@dataclass(kw_only=True)
class TalkSeen(StateView):
    """The fields that the nodes of a talk read; `agent` is the speaker whose turn it is."""

    meeting: Meeting
    lines: tuple[TalkLine, ...] = ()
    ended_by: str = ""
    """Who ended the talk, or `the cap`; empty while the talk goes on."""


@dataclass(kw_only=True)
class TalkState(TalkSeen, ReportedState):
    """The state of the talk graph."""


@dataclass(kw_only=True)
class EntitySeen(StateView):
    """The fields that the nodes of an entity's turn read; `agent` is the entity's name."""

    mind: EntityMind
    """The only value that outlives a turn."""
    at: int
    """Town second at which the turn takes place."""
    start_date: date
    """The date of day 1."""
    setting: Setting
    plot: Plot | None = None
    kinds: tuple[str, ...] = ()
    """Kinds of happenings that may happen now; empty for none."""
    weather: str = ""
    """The weather by rule."""
    made: tuple[Happening, ...] = ()
    """The happenings of this turn."""


@dataclass(kw_only=True)
class EntityState(EntitySeen, ReportedState):
    """The state of the graphs of entities."""


@dataclass(kw_only=True)
class InterviewSeen(StateView):
    """The fields that the node of an interview reads."""

    asker: str
    """Description of the interviewer: `a news reporter`."""
    question: str
    lines: tuple[SpokenLine, ...] = ()
    """Earlier questions and answers; the answer to `question` is appended."""


@dataclass(kw_only=True)
class InterviewState(InterviewSeen, ReportedState):
    """The state of the interview graph."""
