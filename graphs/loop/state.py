"""The state of a step's graph: the state around it, and channels that stay inside."""

from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from agents.stream import Recollection
from graphs.cards import Card
from graphs.loop.budget import Showing
from graphs.loop.ledger import Call, CallReading, Recall
from graphs.state import (
    InterviewSeen,
    InterviewState,
    MindSeen,
    MindState,
    Reported,
    Seen,
    TalkSeen,
    TalkState,
)
from parsers.answer import Answer
from parsers.problem import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """A reply that was not accepted."""

    said: str
    problems: tuple[str, ...]
    """Full sentences, the most important first."""
    cut: bool
    """True when the reply ended at its length limit."""
    missing: str | None = None
    """Of a list whose right items are kept, the numbers still needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spare:
    """An answer that parses but is odd, kept in case that asking again brings nothing better."""

    answer: Answer
    outcome: str
    odd: tuple[Problem, ...]


@dataclass(kw_only=True)
class StepState(Seen, Reported):
    """One use of one step, from its inputs to its answer."""

    inputs: Card | None = None
    ordinal: int = 0
    """How often this step was used before in this thought or talk."""
    recalled: tuple[Recollection, ...] = ()
    recalls: tuple[Recall, ...] = ()
    """The rows of the recalls made for it."""
    started: float = 0.0
    """Wall clock, epoch seconds; for traces, decides nothing."""
    clock: float = 0.0
    """The performance counter at that moment."""
    showing: Showing | None = None
    """What the prompt shows of the inputs; None before anything was asked."""
    first: list[BaseMessage] = field(default_factory=list)
    """The rendered prompt."""
    render_ms: float = 0.0
    """It took to render it."""
    wrongs: tuple[Wrong, ...] = ()
    """The replies that were not accepted, in their order."""
    attempt: int = 0
    warmth: float = 0.0
    """Added to the temperature, after identical wrong answers."""
    call: Call | None = None
    kept: tuple[BaseModel, ...] = ()
    """Items of a list answer that are right already."""
    problems: tuple[str, ...] = ()
    readings: tuple[CallReading, ...] = ()
    answer: Answer | None = None
    outcome: str = ""
    odd: tuple[Problem, ...] = ()
    """What in the answer makes no sense, though it is accepted."""
    spare: Spare | None = None


@dataclass(kw_only=True)
class MindStepState(StepState, MindState):
    """A step inside a thought."""


@dataclass(kw_only=True)
class TalkStepState(StepState, TalkState):
    """A step inside a talk."""


@dataclass(kw_only=True)
class InterviewStepState(StepState, InterviewState):
    """A step inside an interview."""


@dataclass(kw_only=True)
class GivenSeen(Seen):
    """What a step reads that is asked by itself: its inputs are given."""

    inputs: Card | None = None
    recalled: tuple[Recollection, ...] = ()


@dataclass(kw_only=True)
class GivenState(GivenSeen, Reported):
    """What a step that is asked by itself gives back."""

    answer: Answer | None = None
    outcome: str = ""


STATES: dict[type[Seen], tuple[type[Reported], type[StepState]]] = {
    MindSeen: (MindState, MindStepState),
    TalkSeen: (TalkState, TalkStepState),
    InterviewSeen: (InterviewState, InterviewStepState),
    GivenSeen: (GivenState, StepState),
}
"""What a step reads to the state around it, which it gives back, and the state inside."""
