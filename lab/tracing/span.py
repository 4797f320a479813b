"""A span: one piece of work inside a thought, with what it began with and what came of it."""

from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["hour", "thought", "talk", "step", "render", "recall", "attempt", "model", "parse"]


@dataclass(frozen=True, kw_only=True)
class Span:
    """One node of a tree of spans, without any service's own words."""

    name: str
    kind: Kind
    id: str
    """32 hex digits, the same whenever the same history is read."""
    start: float
    """Wall clock, epoch seconds."""
    end: float
    inputs: dict[str, Any] = field(default_factory=dict)
    """Small: ids and short texts, never a whole state; a model's are its messages."""
    outputs: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    """Plain values and lists of them, under names that docs/tracing.md lists."""
    tags: tuple[str, ...] = ()
    error: str = ""
    """Why it failed; of a parse, the problems."""
    children: tuple["Span", ...] = ()

    @property
    def milliseconds(self) -> float:
        """How long it took."""
        return (self.end - self.start) * 1000.0
