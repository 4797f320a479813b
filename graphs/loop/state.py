"""The state of a step's graph: the surrounding state, and channels that stay inside."""

from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from smolville.agents.stream import Recollection
from smolville.graphs.loop.budget import TrimmedPrompt
from smolville.graphs.loop.ledger import Call, CallReading, RecallRecord
from smolville.graphs.state import (
    EntitySeen,
    EntityState,
    InterviewSeen,
    InterviewState,
    MindSeen,
    MindState,
    ReportedState,
    StateView,
    TalkSeen,
    TalkState,
)
from smolville.parsers.answer import Answer
from smolville.parsers.problem import Problem
from smolville.parsers.prompt_inputs import PromptInput


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedReply:
    """A reply that was not accepted."""

    said: str
    problems: tuple[str, ...]
    """Problems as full sentences, the most important first."""
    cut: bool
    """True if the reply ended at its length limit."""
    missing: str | None = None
    """The numbers still needed, for a list whose right items are kept; None otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpareAnswer:
    """An odd answer, kept in case the repeated question gives nothing better."""

    answer: Answer
    outcome: str
    odd: tuple[Problem, ...]


@dataclass(kw_only=True)
class StepState(StateView, ReportedState):
    """The state of one use of a step, from its inputs to its answer."""

    inputs: PromptInput | None = None
    ordinal: int = 0
    """Number of earlier uses of this step in this thought or talk."""
    recalled: tuple[Recollection, ...] = ()
    recalls: tuple[RecallRecord, ...] = ()
    """Records of the recalls made for it."""
    started: float = 0.0
    """Wall-clock time of the beginning in epoch seconds; it is only for traces and decides
    nothing."""
    clock: float = 0.0
    """Reading of the performance counter at that moment."""
    showing: TrimmedPrompt | None = None
    """The trimmed case that the prompt shows; None before anything is asked."""
    first: list[BaseMessage] = field(default_factory=list)
    """The rendered prompt."""
    render_ms: float = 0.0
    """Milliseconds it took to render the prompt."""
    wrongs: tuple[RejectedReply, ...] = ()
    """The replies that were not accepted, in order."""
    attempt: int = 0
    warmth: float = 0.0
    """Amount added to the temperature after identical wrong answers."""
    call: Call | None = None
    kept: tuple[BaseModel, ...] = ()
    """Items of a list answer that are right already."""
    problems: tuple[str, ...] = ()
    readings: tuple[CallReading, ...] = ()
    answer: Answer | None = None
    outcome: str = ""
    odd: tuple[Problem, ...] = ()
    """What makes no sense in the answer, although it is accepted."""
    spare: SpareAnswer | None = None
    part: Answer | None = None
    """The right part of a refused answer, for a step that can ask for the rest alone."""
    narrowed: bool = False
    """Whether the narrower question is asked (`Step.narrowing`)."""
    filled: Answer | None = None
    """The part of the answer that the fallback filled in."""


@dataclass(kw_only=True)
class MindStepState(StepState, MindState):
    """The state of one step inside a thought."""


@dataclass(kw_only=True)
class TalkStepState(StepState, TalkState):
    """The state of one step inside a talk."""


@dataclass(kw_only=True)
class EntityStepState(StepState, EntityState):
    """The state of one step inside an entity's turn."""


@dataclass(kw_only=True)
class InterviewStepState(StepState, InterviewState):
    """The state of one step inside an interview."""


@dataclass(kw_only=True)
class GivenSeen(StateView):
    """The state that a step with given inputs reads when it runs by itself."""

    inputs: PromptInput | None = None
    recalled: tuple[Recollection, ...] = ()


@dataclass(kw_only=True)
class GivenState(GivenSeen, ReportedState):
    """The state that a step returns when it runs by itself."""

    answer: Answer | None = None
    outcome: str = ""


STATES: dict[type[StateView], tuple[type[ReportedState], type[StepState]]] = {
    MindSeen: (MindState, MindStepState),
    TalkSeen: (TalkState, TalkStepState),
    EntitySeen: (EntityState, EntityStepState),
    InterviewSeen: (InterviewState, InterviewStepState),
    GivenSeen: (GivenState, StepState),
}
"""For each state that a step reads: the surrounding state that it returns, and its inner state."""
