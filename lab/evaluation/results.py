"""The results of an evaluation: its variants, and the outcome of each moment with each variant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from smolville.graphs.loop.ledger import StepOutcome


@dataclass(frozen=True, kw_only=True)
class VariantName:
    """The name of a template set and a model, for display."""

    prompts: str
    """The folder of the templates as it was typed; `shipped` for the shipped ones."""
    model: str
    """The model's spec."""

    @property
    def label(self) -> str:
        """The whole name on one line: `mine · ollama:qwen2.5:3b`."""
        return f"{self.prompts} · {self.model}"


@dataclass(frozen=True, kw_only=True)
class StoredMoment:
    """A moment as stored in the run, for comparison."""

    id: str
    step: str
    agent: str
    time: str
    """Town time, `1 07:40`."""
    outcome: StepOutcome
    answer: Mapping[str, Any]
    inputs: Mapping[str, Any]
    odd: tuple[str, ...] = ()
    """What makes no sense in the answer."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """The result of asking one moment once with one variant."""

    moment: str
    """The moment's id."""
    variant: int
    """Index among the evaluation's variants."""
    turn: int
    """Number of the turn, from 0 to `turns` - 1."""
    outcome: StepOutcome | None
    """The outcome; None if the prompt does not fit the model's context."""
    answer: Mapping[str, Any] = field(default_factory=dict)
    """The accepted answer, or the fallback when there was none."""
    reply: str = ""
    """The first reply as the model wrote it."""
    problems: tuple[str, ...] = ()
    """The problems of the first reply."""
    kinds: tuple[str, ...] = ()
    """The kind of each problem (`parsers.problem.KINDS`)."""
    odd: tuple[str, ...] = ()
    """What makes no sense in the accepted answer, one sentence each."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each entry of `odd` (`parsers.problem.SENSE_KINDS`), in the same order."""
    attempts: int = 0
    prompt_tokens: int | None = None
    """Number of prompt tokens over all calls; None if the server does not count."""
    completion_tokens: int | None = None
    milliseconds: float = 0.0
    """Time of all calls together, without the time spent waiting for a slot."""

    @property
    def is_first_valid(self) -> bool:
        """True when the first answer was accepted, unchanged or mended in code."""
        return self.outcome in ("clean", "mended")

    @property
    def is_valid(self) -> bool:
        """True when an answer was finally accepted, including after repairs."""
        return self.outcome is not None and self.outcome != "fallback"

    @property
    def is_objected_to(self) -> bool:
        """True when no answer was accepted, or a check objects to the one that was."""
        return not self.is_valid or bool(self.odd)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """All results of an evaluation; some are missing when it was interrupted."""

    variants: tuple[VariantName, ...]
    """The variants. Each is compared with the first variant on the same model; that one is compared
    with the very first variant."""
    moments: tuple[StoredMoment, ...]
    turns: int
    """How often each moment was asked with each variant."""
    results: Sequence[Result]
    repairs: int
    """Number of repairs before a step falls back."""
    seconds: float = 0.0
