"""The state of a step, from its inputs to its answer; all steps have the same."""

from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from smolville.agents.stream import Recollection
from smolville.graphs.loop.budget import TrimmedPrompt
from smolville.graphs.loop.ledger import Call, CallReading, RecallRecord
from smolville.graphs.state import State
from smolville.parsers.answer import Answer
from smolville.parsers.problem import Problem
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.contract import Format


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
    form: Format = "json"
    """How it was to be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpareAnswer:
    """An odd answer, kept in case the repeated question gives nothing better."""

    answer: Answer
    outcome: str
    odd: tuple[Problem, ...]


@dataclass(kw_only=True)
class StepState(State):
    """The state of one use of a step, from its inputs to its answer."""

    around: Any = None
    """The state of the graph of which the step is a node, as its `gather` and `apply` know it."""
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
