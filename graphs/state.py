"""The states of the graphs: one class for a thought, a talk, an entity's turn and an interview.

A node returns the fields that it changes. Reports (`finished`, `path` and the like) only grow: a
node returns what was reported before with its own behind, as a graph does that is a node of
another one. The state of a step is in `graphs.loop.state`.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, TypedDict, TypeVar

from smolville.agents.action import TalkLine
from smolville.agents.entities import EntityMind, Happening, Plot, Setting
from smolville.agents.mind import Appointment, Mind
from smolville.agents.needs import NeedsRow
from smolville.agents.routines import Reuse
from smolville.agents.stream import MemoryDraw
from smolville.graphs.draft import Draft
from smolville.graphs.loop.ledger import FinishedStep
from smolville.graphs.meeting import Meeting
from smolville.graphs.surroundings import Intent, Percept
from smolville.parsers.prompt_inputs import SpokenLine

T = TypeVar("T")


def joined(before: list[T], after: list[T]) -> list[T]:
    """Return the reports so far with those that a node, or one of several at a time, has added.

    Both lists begin with what was reported before the node ran. Nodes that run at the same time
    report different things, so what both lists share at their beginning is just that.
    """
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    return [*before, *after[same:]]


RatedMemories = tuple[tuple[str, int | None], ...]
"""Ids of memories, each with its importance; None keeps the provisional importance."""


def whichever(before: RatedMemories, after: RatedMemories) -> RatedMemories:
    """Return the later ratings, or the earlier ones if the later are empty."""
    return after or before


@dataclass(kw_only=True)
class State:
    """The fields that every graph has."""

    agent: str
    """The agent whose mind is asked: the thinker, or the current speaker of a talk."""
    draft: Draft = field(default_factory=Draft)
    finished: Annotated[list[FinishedStep], joined] = field(default_factory=list)
    """The completed steps, in order."""
    path: Annotated[list[str], joined] = field(default_factory=list)
    """The nodes that ran, in order."""


@dataclass(kw_only=True)
class MindState(State):
    """The state of a thought: the mind, messages to later nodes, and reports."""

    mind: Mind
    """The only value that outlives a thought."""
    fresh: tuple[Percept, ...] = ()
    """Events in sight that are new to this mind."""
    disturbed: str = ""
    """Why the rest of the current hour needs a new plan; empty if it does not."""
    changed: bool = False
    """True if the plan for the present moment has changed since the thought began."""
    questions: tuple[str, ...] = ()
    """The questions of a reflection."""
    elsewhere: tuple[int, ...] = ()
    """Start minutes of the tasks that fit none of the places offered."""
    offered: tuple[str, ...] = ()
    """Addresses of these places."""
    rating: tuple[str, ...] = ()
    """Ids of the memories that are rated in this thought."""
    rated: Annotated[RatedMemories, whichever] = ()
    """Ratings of these memories, once they are made."""
    urgent: str = ""
    """The need that requires a decision now; empty for none."""
    intent: Intent | None = None
    agreed: tuple[Appointment, ...] = ()
    """What was agreed in the talk that has just ended, for the others who took part."""
    declined: tuple[str, ...] = ()
    """The people who are there and with whom the agent has decided not to talk."""
    came_up: tuple[str, ...] = ()
    """Ids of the memories chosen for the step that follows: at random, or as what mattered most."""
    reused: Annotated[list[Reuse], joined] = field(default_factory=list)
    """The routines that were reused, in order."""
    draws: Annotated[list[MemoryDraw], joined] = field(default_factory=list)
    """The memories that were chosen at random, and how rare they are."""
    felt: Annotated[list[NeedsRow], joined] = field(default_factory=list)
    """The levels of needs, in order of time."""


class RatingState(TypedDict):
    """What the phase `rating` returns, which runs at the same time as others."""

    rated: Annotated[RatedMemories, whichever]
    finished: Annotated[list[FinishedStep], joined]
    path: Annotated[list[str], joined]


@dataclass(kw_only=True)
class TalkState(State):
    """The state of a talk; `agent` is the speaker whose turn it is."""

    meeting: Meeting
    lines: tuple[TalkLine, ...] = ()
    ended_by: str = ""
    """Who ended the talk, or `the cap`; empty while the talk goes on."""


@dataclass(kw_only=True)
class EntityState(State):
    """The state of an entity's turn; `agent` is the entity's name."""

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
class InterviewState(State):
    """The state of an interview."""

    asker: str
    """Description of the interviewer: `a news reporter`."""
    question: str
    lines: tuple[SpokenLine, ...] = ()
    """Earlier questions and answers; the answer to `question` is appended."""
