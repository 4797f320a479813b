"""Which thoughts and talks become traces: all, a share of them, or those that went wrong."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from agents.action import Talk
from agents.chance import fraction
from agents.times import clock
from graphs.loop.ledger import StepRecord
from lab.tracing.naming import span_id
from lab.tracing.span import Span
from lab.tracing.tree import hour_span, talk_span, thought_span
from world.records import ThoughtRow
from world.runs.reader import RunReader

Mode = Literal["thoughts", "hours", "failures"]
WRONG = ("repaired", "escalated", "fallback")
"""How a step ends whose first answers would not do."""
HOUR = 3600


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A tree that is to be built and sent."""

    kind: Literal["thought", "talk", "hour"]
    owner: str
    """The agent, or the talk's id."""
    number: int = 0
    """A thought's tick; of an hour, how many town hours lie before it; 0 of a talk."""

    def tree(self, reader: RunReader) -> Span | None:
        """Return the tree, None when the history has none there."""
        if self.kind == "talk":
            return talk_span(reader, self.owner)
        if self.kind == "thought":
            return thought_span(reader, self.owner, self.number)
        seconds = reader.spec.tick_seconds
        first, after = (-(-hour * HOUR // seconds) for hour in (self.number, self.number + 1))
        rows = reader.thoughts(self.owner, first, after - 1)
        found = [thought_span(reader, self.owner, row.tick) for row in rows]
        spans = [each for each in found if each is not None]
        name = f"{self.owner} · {clock(self.number % 24 * 60)}"
        ident = span_id(reader.spec, self.owner, "hour", self.number)
        return hour_span(name, spans, id=ident) if spans else None


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
        for row in thoughts:
            is_wrong = bool(row.failed) or (row.agent, row.tick) in wrong
            if self.mode == "hours":
                hour = (row.agent, row.at // HOUR)
                self._hours[hour] = self._hours.get(hour, False) or is_wrong
            else:
                wanted = Wanted(kind="thought", owner=row.agent, number=row.tick)
                yield from self._kept(wanted, is_wrong=is_wrong)
        wrong_owners = {owner for owner, _ in wrong}
        for talk in talks:
            is_wrong = talk.id in wrong_owners
            yield from self._kept(Wanted(kind="talk", owner=talk.id), is_wrong=is_wrong)

    def over(self, before: int | None = None) -> Iterator[Wanted]:
        """Give the hours that are over before town second `before` (None: all that are left)."""
        for agent, hour in sorted(self._hours):
            if before is None or (hour + 1) * HOUR <= before:
                is_wrong = self._hours.pop((agent, hour))
                wanted = Wanted(kind="hour", owner=agent, number=hour)
                yield from self._kept(wanted, is_wrong=is_wrong)

    def _kept(self, wanted: Wanted, *, is_wrong: bool) -> Iterator[Wanted]:
        """Give what is sent: all that went wrong, and its share of the rest."""
        key = (wanted.kind, wanted.owner, wanted.number)
        is_drawn = self.rate >= 1.0 or fraction("trace", self.run, *key) < self.rate
        if is_wrong or (self.mode != "failures" and is_drawn):
            yield wanted
