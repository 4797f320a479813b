"""Thoughts and talks of a run as a list: what each did and cost, without building its tree."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agents.action import Talk
from agents.times import moment as town_time
from graphs.loop.ledger import StepRecord
from lab.tracing.naming import talk_name, thought_digits, thought_name, what_was_done, worst
from lab.tracing.span import Span
from lab.tracing.tree import talk_span, thought_span
from world.records import ThoughtRow
from world.runs.memory_rows import FOREVER
from world.runs.reader import RunReader
from world.runs.spent import Spent, spent_by_thought


@dataclass(frozen=True, kw_only=True)
class Listed:
    """One thought or talk, as a list tells of it."""

    digits: str
    """Its id within the run."""
    kind: Literal["thought", "talk"]
    owner: str
    """The agent, or the talk's id."""
    people: tuple[str, ...]
    tick: int
    at: int
    name: str
    did: str
    """What it did: its steps, or where it ended."""
    steps: tuple[str, ...]
    outcome: str
    """The worst step's, `failed`, or empty when nothing was asked."""
    milliseconds: float
    spent: Spent

    @property
    def time(self) -> str:
        """The town time, `1 07:40`."""
        return town_time(self.at)

    @property
    def is_silent(self) -> bool:
        """True when no model was asked and nothing failed."""
        return not self.steps and not self.outcome

    def span(self, reader: RunReader) -> Span:
        """Return its tree."""
        is_talk = self.kind == "talk"
        found = (
            talk_span(reader, self.owner)
            if is_talk
            else thought_span(reader, self.owner, self.tick)
        )
        assert found is not None
        return found


def listed(
    reader: RunReader,
    *,
    agent: str | None = None,
    outcome: str | None = None,
    until: int = FOREVER,
) -> list[Listed]:
    """Return thoughts and talks up to a tick in their order; a talk follows its tick's thoughts.

    `agent` (the full name) also gives the talks it took part in; `outcome` is the worst step's.
    """
    steps: defaultdict[tuple[str, int], list[StepRecord]] = defaultdict(list)
    with reader.snapshot():
        for step in reader.steps(until=until):
            steps[step.owner, step.tick].append(step)
        spent = spent_by_thought(reader.connection, until)
        rows = reader.thoughts(agent, until=until)
        talks = reader.talks(agent, until=until)
    seconds = reader.spec.tick_seconds
    found = [_thought(row, steps[row.agent, row.tick], spent) for row in rows]
    found += [
        _talk(talk, talk.start // seconds, steps[talk.id, talk.start // seconds], spent)
        for talk in talks
    ]
    found.sort(key=lambda each: (each.tick, each.kind == "talk", each.owner))
    return [each for each in found if outcome is None or each.outcome == outcome]


def _thought(
    row: ThoughtRow, steps: Sequence[StepRecord], spent: dict[tuple[str, int], Spent]
) -> Listed:
    names = tuple(step.step for step in steps)
    did = what_was_done(names, row.path, row.failed)
    return Listed(
        digits=thought_digits(row.agent, row.tick),
        kind="thought",
        owner=row.agent,
        people=(row.agent,),
        tick=row.tick,
        at=row.at,
        name=thought_name(row.agent, row.at, did),
        did=did,
        steps=names,
        outcome="failed" if row.failed else worst(step.outcome for step in steps),
        milliseconds=row.milliseconds,
        spent=spent.get((row.agent, row.tick), Spent()),
    )


def _talk(
    talk: Talk, tick: int, steps: Sequence[StepRecord], spent: dict[tuple[str, int], Spent]
) -> Listed:
    begun = min((step.started for step in steps), default=0.0)
    ended = max((step.started + step.milliseconds / 1000.0 for step in steps), default=0.0)
    names = tuple(step.step for step in steps)
    return Listed(
        digits=thought_digits(talk.id, tick),
        kind="talk",
        owner=talk.id,
        people=talk.participants,
        tick=tick,
        at=talk.start,
        name=talk_name(talk.participants, talk.start),
        did="talk",
        steps=names,
        outcome=worst(step.outcome for step in steps),
        milliseconds=(ended - begun) * 1000.0,
        spent=spent.get((talk.id, tick), Spent()),
    )
