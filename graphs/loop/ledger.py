"""What is written down about calls and steps: the rows from which every count is made."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

StepOutcome = Literal["clean", "mended", "repaired", "escalated", "fallback"]
OUTCOMES: tuple[StepOutcome, ...] = ("clean", "mended", "repaired", "escalated", "fallback")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallKey:
    """Which call this is: the name of a random draw, of a journal row and of a trace."""

    owner: str
    """The agent whose thought it is, or the id of the talk."""
    tick: int
    step: str
    ordinal: int
    """The n-th use of that step in that thought or talk, from 0."""
    attempt: int
    """From 0: the first question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One finished request to a model, exactly as asked and as answered."""

    key: CallKey
    agent: str
    """Whose mind asked; for a talk, the speaker."""
    inputs: str
    """The step's typed inputs, JSON."""
    recalled: str
    """JSON list of the memories that came with it: id, score, recency, importance, relevance."""
    template: str
    """Version of the prompt template, 8 hex digits."""
    messages: str
    """JSON list of {role, content}, as rendered."""
    messages_hash: str
    """BLAKE2b over messages, schema, model and sampling; the journal serves on a match only."""
    model: str
    tier: str
    temperature: float
    max_tokens: int
    seed: int
    schema: str
    """JSON schema the decoding was held to; empty when unconstrained."""
    reply: str
    finish: str
    """`stop`, `length`, or `unreadable` when the server could not parse what the model wrote."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    thinking_tokens: int = 0
    cached_tokens: int | None = None
    milliseconds: float = 0.0
    prompt_ms: float | None = None
    """Reading the prompt, by the server's own clock; None where it does not say."""
    reply_ms: float | None = None
    """Writing the reply, by the server's own clock; None where it does not say."""
    retries: int = 0
    """Transport retries before it succeeded."""
    cuts: int = 0
    """Prompts too long for the context before it succeeded with a shorter one."""
    dropped: int = 0
    """Memories and lines left out so that the prompt fits."""
    slot: int | None = None
    """The server's slot it was sent to; None where the server chose."""
    source: Literal["model", "cache"] = "model"
    """Whether a model wrote the reply for this call, or a cache had it."""
    thinking: str = ""
    """What the model thought aloud beside its reply."""
    examples: str = "[]"
    """JSON list of the example cases shown: case, answer, likeness, from (`shipped` or a key)."""
    lost: str = "[]"
    """JSON list of what went wrong on the way, a sentence each: as many as retries and cuts."""
    started: float = field(default=0.0, compare=False)
    """When it was put, wall clock in epoch seconds; for traces, decides nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReading:
    """What was made of a call's reply."""

    key: CallKey
    accepted: bool
    mends: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """The kind of each problem (`parsers.problem.KINDS`), in the same order."""
    milliseconds: float = field(default=0.0, compare=False)
    """It took to read the reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """One recall from an agent's memories."""

    agent: str
    queries: tuple[str, ...]
    ids: tuple[str, ...]
    """Of the memories that came back, in the order of time."""
    started: float
    """Wall clock, epoch seconds."""
    milliseconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """How one step ended."""

    owner: str
    tick: int
    step: str
    ordinal: int
    agent: str
    outcome: StepOutcome
    attempts: int
    """Calls made; outcomes sum to steps, attempts to calls."""
    answer: str
    """The accepted (or fallback) answer, JSON."""
    problems: tuple[str, ...] = ()
    """Of the last reply, when it ended in a fallback."""
    odd: tuple[str, ...] = ()
    """What in an accepted answer makes no sense, a sentence each; empty when it is sensible."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each of them (`parsers.problem.SENSE_KINDS`), in the same order."""
    started: float = field(default=0.0, compare=False)
    """Wall clock, epoch seconds; like what follows for traces, decides nothing."""
    milliseconds: float = field(default=0.0, compare=False)
    """From the first rendering to the answer."""
    render_ms: float = field(default=0.0, compare=False)
    """Rendering the first attempt's prompt, once."""
    recalls: tuple[Recall, ...] = field(default=(), compare=False)
    """The recalls made for it."""

    @property
    def is_sensible(self) -> bool:
        """True when a model's answer stands behind it, and nothing in that is odd."""
        return self.outcome != "fallback" and not self.odd


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Accepted:
    """A clean and sensible answer of this run; they sort in the order in which they were made."""

    tick: int
    owner: str
    step: str
    ordinal: int
    agent: str
    case: str
    answer: str
    """JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedStep:
    """One use of a step that has ended: its rows for the history."""

    record: StepRecord
    readings: tuple[CallReading, ...]
    """Of its calls, in the order of the attempts."""
    accepted: Accepted | None = None
    """The answer, where later prompts may show it as an example."""


class Journal(Protocol):
    """Where finished calls are kept at once, so that nothing paid for is asked twice."""

    def served(self, key: CallKey, messages_hash: str) -> Call | None:
        """Return the call kept under `key` when it asked exactly the same, else None."""
        ...

    def keep(self, call: Call) -> None:
        """Keep a finished call in a transaction of its own."""
        ...

    def give_up(self, call: Call) -> None:
        """Keep what was lost of a call that nobody answered."""
        ...


class MemoryJournal:
    """A journal that lives as long as the program: for tests and single questions."""

    def __init__(self, calls: Sequence[Call] = ()) -> None:
        self.calls: dict[CallKey, Call] = {call.key: call for call in calls}
        self.given_up: list[Call] = []

    def served(self, key: CallKey, messages_hash: str) -> Call | None:
        """Return the call kept under `key` when it asked exactly the same, else None."""
        call = self.calls.get(key)
        return call if call is not None and call.messages_hash == messages_hash else None

    def keep(self, call: Call) -> None:
        """Keep a finished call."""
        self.calls[call.key] = call

    def give_up(self, call: Call) -> None:
        """Keep a call that nobody answered."""
        self.given_up.append(call)
