"""The states of the graphs: what a thought, a talk or an interview carries from node to node.

Fields without a reducer are replaced by whoever writes them, and may be read by any later node.
Accumulators (`Annotated[list, operator.add]`) are only written: they are what a run reports.
A sub-graph takes the `Seen` part of a state, without accumulators, and gives the whole back: so
exactly what it added is added to the state around it.
"""

import operator
from dataclasses import dataclass, field
from typing import Annotated

from langgraph.channels import UntrackedValue

from agents.action import Line
from agents.mind import Mind
from graphs.cards import Said
from graphs.draft import Draft
from graphs.loop.ledger import FinishedStep
from graphs.meeting import Meeting
from graphs.surroundings import Intent, Percept


@dataclass(kw_only=True)
class Seen:
    """What every graph's nodes may read."""

    agent: str
    """Whose mind is asked: the one who thinks, the speaker of the present turn."""
    draft: Draft = field(default_factory=Draft)


@dataclass(kw_only=True)
class Reported:
    """What every graph reports; nothing reads it before the graph has ended."""

    finished: Annotated[list[FinishedStep], operator.add] = field(default_factory=list)
    """The steps, in the order in which they ended."""
    path: Annotated[list[str], operator.add] = field(default_factory=list)
    """The nodes that ran, in their order."""


@dataclass(kw_only=True)
class MindSeen(Seen):
    """What the nodes of a thought read: the mind, and what nodes tell later ones."""

    mind: Mind
    """The one value that lives longer than a thought."""
    fresh: Annotated[tuple[Percept, ...], UntrackedValue(tuple)] = ()
    """Events in sight that are new to this mind."""
    disturbed: Annotated[str, UntrackedValue(str)] = ""
    """Why the rest of the present hour wants a new plan; empty when it does not."""
    changed: Annotated[bool, UntrackedValue(bool)] = False
    """True when the plan of this very moment is another one than when the thought began."""
    questions: Annotated[tuple[str, ...], UntrackedValue(tuple)] = ()
    """What a reflection asks."""
    elsewhere: Annotated[tuple[int, ...], UntrackedValue(tuple)] = ()
    """Start minutes of the tasks that fit none of the places offered."""
    sector: Annotated[str, UntrackedValue(str)] = ""
    """The sector chosen for the first of them."""
    sector_fallback: Annotated[str, UntrackedValue(str)] = ""
    """Name of the step whose fallback chose that sector; empty where a model did."""
    intent: Annotated[Intent | None, UntrackedValue(Intent)] = None


@dataclass(kw_only=True)
class MindState(MindSeen, Reported):
    """The state of the mind graph and of its phases."""


@dataclass(kw_only=True)
class TalkSeen(Seen):
    """What the nodes of a talk read; `agent` is the speaker whose turn it is."""

    meeting: Meeting
    lines: tuple[Line, ...] = ()
    ended_by: str = ""
    """Who ended the talk, or `the cap`; empty while it goes on."""


@dataclass(kw_only=True)
class TalkState(TalkSeen, Reported):
    """The state of the talk graph."""


@dataclass(kw_only=True)
class InterviewSeen(Seen):
    """What the node of an interview reads."""

    asker: str
    """Who asks: `a news reporter`."""
    question: str
    lines: tuple[Said, ...] = ()
    """What was asked and answered so far; the answer to `question` becomes the last one."""


@dataclass(kw_only=True)
class InterviewState(InterviewSeen, Reported):
    """The state of the interview graph."""
