"""Records of calls and steps: the rows from which all counts are made."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

StepOutcome = Literal["clean", "mended", "repaired", "escalated", "fallback"]
OUTCOMES: tuple[StepOutcome, ...] = ("clean", "mended", "repaired", "escalated", "fallback")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallKey:
    """Key of a call, which also identifies its random choices, journal row and trace."""

    owner: str
    """The agent whose thought makes the call, or the id of the talk."""
    tick: int
    step: str
    ordinal: int
    """Number of earlier uses of the step in that thought or talk."""
    attempt: int
    """Number of the attempt, from 0."""


class AskEvent(NamedTuple):
    """One attempt of a step, before its model call."""

    agent: str
    """The agent whose mind asks; in a talk, the speaker."""
    step: str
    ordinal: int
    """Number of earlier uses of the step in this thought or talk."""
    attempt: int
    """Number of the attempt, from 0."""


OnAsk = Callable[[AskEvent], None]
"""Callback for each attempt as it begins, in the event loop that runs the graph."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One finished request to a model, exactly as asked and as answered."""

    key: CallKey
    agent: str
    """The agent whose mind was asked; in a talk, the speaker."""
    inputs: str
    """The step's typed inputs as JSON."""
    recalled: str
    """JSON list of the memories recalled for it: id, score, recency, importance, relevance."""
    template: str
    """Version of the prompt template, 8 hex digits."""
    messages: str
    """JSON list of {role, content}, as rendered."""
    messages_hash: str
    """BLAKE2b hash of messages, schema, model and sampling, since the journal serves exact matches
    only."""
    model: str
    tier: str
    temperature: float
    max_tokens: int
    seed: int
    schema: str
    """JSON schema that constrained the decoding; empty if it was unconstrained."""
    reply: str
    finish: str
    """`stop`, `length`, or `unreadable` if the server could not parse what the model wrote."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    thinking_tokens: int = 0
    cached_tokens: int | None = None
    milliseconds: float = 0.0
    prompt_ms: float | None = None
    """Milliseconds for reading the prompt, by the server's own clock; None if it does not say."""
    reply_ms: float | None = None
    """Milliseconds for writing the reply, by the server's own clock; None if it does not say."""
    retries: int = 0
    """Number of transport retries before the call succeeded."""
    cuts: int = 0
    """Number of prompts that were too long for the context before a shorter one succeeded."""
    dropped: int = 0
    """Number of memories and lines left out to make the prompt fit."""
    source: Literal["model", "cache"] = "model"
    """Whether a model wrote the reply for this call, or a cache supplied it."""
    thinking: str = ""
    """The model's thinking, which is separate from its reply."""
    examples: str = "[]"
    """JSON list of the examples shown: case and answer."""
    lost: str = "[]"
    """JSON list of transport errors and cuts before the reply, one sentence each."""
    started: float = field(default=0.0, compare=False)
    """Wall-clock time of sending, in epoch seconds; it is only for traces and decides nothing."""
    server: str = field(default="", compare=False)
    """Spec of the server that answered, if the model has several; stored beside the call."""
    lost_by: tuple[str, ...] = field(default=(), compare=False)
    """Specs of the servers that lost the call, once for each time, if the model has several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReading:
    """The result of reading a call's reply."""

    key: CallKey
    accepted: bool
    mends: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """The kind of each problem (`parsers.problem.KINDS`), in the same order."""
    milliseconds: float = field(default=0.0, compare=False)
    """Milliseconds that reading the reply took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRecord:
    """One recall from an agent's memories."""

    agent: str
    queries: tuple[str, ...]
    ids: tuple[str, ...]
    """Ids of the memories recalled, in chronological order."""
    started: float
    """Wall-clock time of the recall, in epoch seconds."""
    milliseconds: float
    about: tuple[str, ...] = ()
    """Names that the recall was about; facts about these people are among the memories."""
    is_filtered: bool = False
    """True if memories were left out before the best were taken, as what a prompt says already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """The record of how one step ended."""

    owner: str
    tick: int
    step: str
    ordinal: int
    agent: str
    outcome: StepOutcome
    attempts: int
    """Number of calls made for the step."""
    answer: str
    """The accepted (or fallback) answer as JSON."""
    problems: tuple[str, ...] = ()
    """Problems of the last reply, if the step ended in a fallback."""
    odd: tuple[str, ...] = ()
    """What the checks object to in an accepted answer, one sentence each."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each oddity (`parsers.problem.SENSE_KINDS`), in the same order."""
    started: float = field(default=0.0, compare=False)
    """Wall-clock time in epoch seconds; like the fields below, it is only for traces and decides
    nothing."""
    milliseconds: float = field(default=0.0, compare=False)
    """Milliseconds from the first rendering to the answer."""
    render_ms: float = field(default=0.0, compare=False)
    """Milliseconds for rendering the first attempt's prompt."""
    recalls: tuple[RecallRecord, ...] = field(default=(), compare=False)
    """The recalls made for the step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedStep:
    """One completed use of a step: its rows for the history."""

    record: StepRecord
    readings: tuple[CallReading, ...]
    """Readings of its calls, in the order of the attempts."""


class Journal(Protocol):
    """Protocol of the store of finished calls, written at once so that no paid call is repeated."""

    def find_stored(self, key: CallKey, messages_hash: str) -> Call | None:
        """Return the call stored under `key` if it asked exactly the same; None otherwise."""
        ...

    def store(self, call: Call) -> None:
        """Store a finished call in a transaction of its own."""
        ...

    def give_up(self, call: Call) -> None:
        """Store the failed attempts of a call that was never answered."""
        ...


class MemoryJournal:
    """A journal in memory that lasts as long as the program: for tests and single questions."""

    def __init__(self, calls: Sequence[Call] = ()) -> None:
        self.calls: dict[CallKey, Call] = {call.key: call for call in calls}
        self.given_up: list[Call] = []

    def find_stored(self, key: CallKey, messages_hash: str) -> Call | None:
        """Return the call stored under `key` if it asked exactly the same; None otherwise."""
        call = self.calls.get(key)
        return call if call is not None and call.messages_hash == messages_hash else None

    def store(self, call: Call) -> None:
        """Store a finished call."""
        self.calls[call.key] = call

    def give_up(self, call: Call) -> None:
        """Store a call that was never answered."""
        self.given_up.append(call)
