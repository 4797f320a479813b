"""Where spans belong: their run, their thought or talk, and for a step's spans the step."""

from dataclasses import dataclass
from typing import Any

from agents.times import moment as town_time
from lab.tracing.metadata import told
from lab.tracing.naming import span_id
from lab.tracing.span import Kind, Span
from world.runs.folder import RunSpec


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where spans belong: the run, the thought or talk, and for a step's spans the step."""

    spec: RunSpec
    owner: str
    tick: int
    at: int
    agent: str
    step: str = ""
    ordinal: int = 0

    def shared(self) -> dict[str, Any]:
        """Return the metadata that all spans here have."""
        shared: dict[str, Any] = {
            "run": self.spec.name,
            "agent": self.agent,
            "time": town_time(self.at),
            "tick": self.tick,
        }
        return shared | ({"step": self.step, "ordinal": self.ordinal} if self.step else {})

    def id(self, kind: Kind, *parts: object) -> str:
        """Return a span's id."""
        return span_id(self.spec, self.owner, self.tick, kind, self.step, self.ordinal, *parts)

    def span(self, kind: Kind, name: str, start: float, end: float, **more: Any) -> Span:
        """Return a span of this place; `part` is what tells it from its like."""
        metadata = told(self.shared() | more.pop("metadata", {}))
        ident = self.id(kind, *more.pop("part", ()))
        return Span(name=name, kind=kind, id=ident, start=start, end=end, metadata=metadata, **more)
