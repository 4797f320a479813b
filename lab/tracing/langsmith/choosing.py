"""Selection of the thoughts and talks to trace: all, a share of them, or those with problems."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Literal

from agents.chance import fraction
from lab.tracing.listing import HOUR, Key, TraceRow

Mode = Literal["thoughts", "hours", "failures"]
WRONG = ("repaired", "escalated", "fallback", "failed")
"""Outcomes that count as a problem."""


@dataclass(kw_only=True)
class TraceSelector:
    """Selects traces from commits as they come or from a whole history, with the same result."""

    run: str
    mode: Mode
    rate: float = 1.0
    _hours: dict[Key, bool] = field(default_factory=dict)
    """Hours that are not complete yet, and whether something went wrong in them."""

    def chosen(self, some: Iterable[TraceRow]) -> Iterator[Key]:
        """Yield the keys of the selected thoughts and talks."""
        for each in some:
            is_wrong = each.outcome in WRONG
            if self.mode == "hours" and each.kind == "thought":
                hour: Key = ("hour", each.owner, each.at // HOUR)
                self._hours[hour] = self._hours.get(hour, False) or is_wrong
            elif self._is_kept(each.key, is_wrong=is_wrong):
                yield each.key

    def over(self, before: float = inf) -> Iterator[Key]:
        """Yield the selected hours that end before a town second; all remaining ones by default."""
        for hour in sorted(self._hours):
            if (hour[2] + 1) * HOUR <= before and self._is_kept(
                hour, is_wrong=self._hours.pop(hour)
            ):
                yield hour

    def _is_kept(self, key: Key, *, is_wrong: bool) -> bool:
        """Return True for everything that went wrong, and for a random share of the rest."""
        is_drawn = self.rate >= 1.0 or fraction("trace", self.run, *key) < self.rate
        return is_wrong or (self.mode != "failures" and is_drawn)
