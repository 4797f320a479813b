"""Which thoughts and talks become traces: all, a share of them, or those that went wrong."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from agents.chance import fraction
from lab.tracing.listing import Listed
from lab.tracing.span import Span
from lab.tracing.tree import hour_span, thought_span
from world.runs.reader import RunReader

Mode = Literal["thoughts", "hours", "failures"]
WRONG = ("repaired", "escalated", "fallback", "failed")
"""The outcome of what did not go well at once."""
HOUR = 3600


@dataclass(frozen=True)
class Hour:
    """An agent's thoughts of one town hour, to be sent as one tree."""

    owner: str
    number: int
    """How many town hours lie before it."""

    @property
    def end(self) -> int:
        """The town second at which it is over."""
        return (self.number + 1) * HOUR

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from all others."""
        return "hour", self.owner, self.number

    def tree(self, reader: RunReader) -> Span | None:
        """Return the tree, None when the history has no thought there."""
        seconds = reader.spec.tick_seconds
        first, after = (-(-at // seconds) for at in (self.end - HOUR, self.end))
        rows = reader.thoughts(self.owner, first, after - 1)
        spans = [thought_span(reader, self.owner, row.tick) for row in rows]
        return hour_span([each for each in spans if each is not None])


Wanted = Listed | Hour


@dataclass(kw_only=True)
class Choice:
    """Chooses, from commits as they come or from a whole history; the same from both."""

    run: str
    mode: Mode
    rate: float = 1.0
    _hours: dict[Hour, bool] = field(default_factory=dict)
    """Hours that are not over, and whether something went wrong in them."""

    def chosen(self, some: Iterable[Listed]) -> Iterator[Wanted]:
        """Give what is wanted of some ticks' thoughts and talks."""
        for each in some:
            is_wrong = each.outcome in WRONG
            if self.mode == "hours" and each.kind == "thought":
                hour = Hour(each.owner, each.at // HOUR)
                self._hours[hour] = self._hours.get(hour, False) or is_wrong
            elif self._is_kept(each, is_wrong=is_wrong):
                yield each

    def over(self, before: int | None = None) -> Iterator[Wanted]:
        """Give the hours that are over before town second `before` (None: all that are left)."""
        done = [hour for hour in self._hours if before is None or hour.end <= before]
        for hour in sorted(done, key=lambda each: each.key):
            if self._is_kept(hour, is_wrong=self._hours.pop(hour)):
                yield hour

    def _is_kept(self, wanted: Wanted, *, is_wrong: bool) -> bool:
        """True for all that went wrong, and for its share of the rest."""
        is_drawn = self.rate >= 1.0 or fraction("trace", self.run, *wanted.key) < self.rate
        return is_wrong or (self.mode != "failures" and is_drawn)
