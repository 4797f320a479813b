"""What an evaluation finds: which variants were asked, and how each moment ended with each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphs.loop.ledger import StepOutcome


@dataclass(frozen=True, kw_only=True)
class VariantName:
    """One template set on one model, as people read it."""

    prompts: str
    """The folder as it was typed; `shipped` for the shipped templates."""
    model: str
    """The model's spec."""

    @property
    def label(self) -> str:
        """Both in one line, `mine · ollama:qwen2.5:3b`."""
        return f"{self.prompts} · {self.model}"


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A moment as the run has it: what an evaluation compares with."""

    id: str
    step: str
    agent: str
    time: str
    """Town time, `1 07:40`."""
    outcome: StepOutcome
    answer: Mapping[str, Any]
    inputs: Mapping[str, Any]
    odd: tuple[str, ...] = ()
    """What in the answer makes no sense."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """One moment asked once with one variant."""

    moment: str
    """The moment's id."""
    variant: int
    """Index among the evaluation's variants."""
    turn: int
    """From 0 to K - 1."""
    outcome: StepOutcome | None
    """None where the prompt does not fit the model's context."""
    answer: Mapping[str, Any] = field(default_factory=dict)
    """The accepted answer; the fallback when there was none."""
    reply: str = ""
    """The first reply, as the model wrote it."""
    problems: tuple[str, ...] = ()
    """What was wrong with the first reply."""
    kinds: tuple[str, ...] = ()
    """The kind of each problem (`parsers.problem.KINDS`)."""
    odd: tuple[str, ...] = ()
    """What in the accepted answer makes no sense, a sentence each."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each of them (`parsers.problem.SENSE_KINDS`), in the same order."""
    attempts: int = 0
    prompt_tokens: int | None = None
    """Of all calls together; None where the server does not count."""
    completion_tokens: int | None = None
    milliseconds: float = 0.0
    """Of all calls together, waiting for a slot left out."""

    @property
    def is_first_valid(self) -> bool:
        """True when the first answer was accepted, as it was or mended in code."""
        return self.outcome in ("clean", "mended")

    @property
    def is_valid(self) -> bool:
        """True when an answer was accepted in the end, repairs included."""
        return self.outcome is not None and self.outcome != "fallback"

    @property
    def is_sensible(self) -> bool:
        """True when an answer was accepted in the end, and nothing in it is odd."""
        return self.is_valid and not self.odd


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Everything an evaluation found; results may be missing where it was interrupted."""

    variants: tuple[VariantName, ...]
    """Each is compared with the first on its own model, and that with the very first."""
    moments: tuple[Stored, ...]
    turns: int
    """K: how often each moment was asked with each variant."""
    results: Sequence[Result]
    repairs: int
    """Repairs before a step fell back."""
    seconds: float = 0.0
