"""Which thoughts and talks become traces: all, a share of them, or those that went wrong."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Literal

from agents.chance import fraction
from lab.tracing.listing import HOUR, Key, Listed

Mode = Literal["thoughts", "hours", "failures"]
WRONG = ("repaired", "escalated", "fallback", "failed")
"""The outcome of what did not go well at once."""


@dataclass(kw_only=True)
class Choice:
    """Chooses, from commits as they come or from a whole history; the same from both."""

    run: str
    mode: Mode
    rate: float = 1.0
    _hours: dict[Key, bool] = field(default_factory=dict)
    """Hours that are not over, and whether something went wrong in them."""

    def chosen(self, some: Iterable[Listed]) -> Iterator[Key]:
        """Give what is wanted of some ticks' thoughts and talks."""
        for each in some:
            is_wrong = each.outcome in WRONG
            if self.mode == "hours" and each.kind == "thought":
                hour: Key = ("hour", each.owner, each.at // HOUR)
                self._hours[hour] = self._hours.get(hour, False) or is_wrong
            elif self._is_kept(each.key, is_wrong=is_wrong):
                yield each.key

    def over(self, before: float = inf) -> Iterator[Key]:
        """Give the hours that are over before a town second; all that are left without one."""
        for hour in sorted(self._hours):
            if (hour[2] + 1) * HOUR <= before and self._is_kept(
                hour, is_wrong=self._hours.pop(hour)
            ):
                yield hour

    def _is_kept(self, key: Key, *, is_wrong: bool) -> bool:
        """True for all that went wrong, and for its share of the rest."""
        is_drawn = self.rate >= 1.0 or fraction("trace", self.run, *key) < self.rate
        return is_wrong or (self.mode != "failures" and is_drawn)
