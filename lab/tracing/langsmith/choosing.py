"""Which thoughts and talks become traces: all, a share of them, or those that went wrong."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from agents.action import Talk
from agents.chance import fraction
from graphs.loop.ledger import StepRecord
from world.records import ThoughtRow

Mode = Literal["thoughts", "hours", "failures"]
Tracing = Literal["off", "thoughts", "hours", "failures"]
WRONG = ("repaired", "escalated", "fallback")
"""How a step ends whose first answers would not do."""
HOUR = 3600


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A tree that is to be built and sent."""

    kind: Literal["thought", "talk", "hour"]
    owner: str
    """The agent, or the talk's id."""
    number: int
    """A thought's tick; of an hour, how many town hours lie before it; 0 of a talk."""


@dataclass(kw_only=True)
class Choice:
    """Chooses, from commits as they come or from a whole history; the same from both."""

    run: str
    mode: Mode
    rate: float = 1.0
    _hours: dict[tuple[str, int], bool] = field(default_factory=dict)
    """Agent and hour to whether something went wrong in it; hours that are not over."""

    def chosen(
        self, thoughts: Iterable[ThoughtRow], talks: Iterable[Talk], steps: Iterable[StepRecord]
    ) -> Iterator[Wanted]:
        """Give what is wanted of some ticks' thoughts and talks, with all their steps."""
        wrong = {(step.owner, step.tick) for step in steps if step.outcome in WRONG}
        wrong_owners = {owner for owner, _ in wrong}
        for row in thoughts:
            is_wrong = bool(row.failed) or (row.agent, row.tick) in wrong
            if self.mode == "hours":
                hour = (row.agent, row.at // HOUR)
                self._hours[hour] = self._hours.get(hour, False) or is_wrong
            elif self._is_kept("thought", row.agent, row.tick, is_wrong):
                yield Wanted(kind="thought", owner=row.agent, number=row.tick)
        for talk in talks:
            if self._is_kept("talk", talk.id, 0, talk.id in wrong_owners):
                yield Wanted(kind="talk", owner=talk.id, number=0)

    def over(self, before: int | None = None) -> Iterator[Wanted]:
        """Give the hours that are over before town second `before` (None: all that are left)."""
        for agent, hour in sorted(self._hours):
            if before is None or (hour + 1) * HOUR <= before:
                is_wrong = self._hours.pop((agent, hour))
                if self._is_kept("hour", agent, hour, is_wrong):
                    yield Wanted(kind="hour", owner=agent, number=hour)

    def _is_kept(self, kind: str, owner: str, number: int, is_wrong: bool) -> bool:
        if is_wrong:
            return True
        if self.mode == "failures":
            return False
        return self.rate >= 1.0 or fraction("trace", self.run, kind, owner, number) < self.rate
