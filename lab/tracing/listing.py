"""Thoughts and talks of a run as a list, and the one of them that somebody means."""

import difflib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from agents.action import Talk
from agents.errors import RunError
from agents.times import DAY_SECONDS, day_of, moment, read_moment
from graphs.loop.ledger import StepRecord
from lab.moments.finding import found_in
from lab.tracing.naming import DIGITS, thought_digits, thought_name, what_was_done, worst
from lab.tracing.span import Span
from lab.tracing.tree import talk_span, thought_span
from world.finding import find_person
from world.records import ThoughtRow
from world.runs.counts import OwnerTick, Spent, spent_by_thought
from world.runs.memory_rows import FOREVER
from world.runs.reader import RunReader

LEAST = 4
"""Digits of an id that have to be given."""
WAYS = '`latest`, its id, the id of a moment in it, or who and when: "Nadia 07:40"'

_ID = re.compile(rf"(?:(?P<run>\S+)/)?(?P<digits>[0-9a-f]{{{LEAST},{DIGITS}}})")
_WHO_AND_WHEN = re.compile(
    r"(?P<who>\D.*?)\s+(?:(?:day\s+)?(?P<day>\d{1,4})\s+)?(?P<clock>\d{1,2}:\d{2}(?::\d{2})?)"
)


@dataclass(frozen=True, kw_only=True)
class Listed:
    """One thought or talk, as a list tells of it."""

    kind: Literal["thought", "talk"]
    owner: str
    """The agent, or the talk's id."""
    people: tuple[str, ...]
    tick: int
    at: int
    did: str
    """What it did: its steps, or where it ended."""
    steps: tuple[str, ...]
    outcome: str
    """The worst step's, `failed`, or empty when nothing was asked."""
    milliseconds: float
    spent: Spent

    @property
    def digits(self) -> str:
        """Its id within the run."""
        return thought_digits(self.owner, self.tick)

    @property
    def name(self) -> str:
        """Its name, as its tree has it."""
        return thought_name(self.people, self.at, self.did)

    @property
    def time(self) -> str:
        """The town time, `1 07:40`."""
        return moment(self.at)

    @property
    def is_silent(self) -> bool:
        """True when no model was asked and nothing failed."""
        return not self.steps and not self.outcome

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from all others of its run."""
        return self.kind, self.owner, self.tick

    def tree(self, reader: RunReader) -> Span | None:
        """Return it with all that was done in it; None where the history has it no more."""
        if self.kind == "talk":
            return talk_span(reader, self.owner)
        return thought_span(reader, self.owner, self.tick)


def listed(
    reader: RunReader,
    *,
    agent: str | None = None,
    outcome: str | None = None,
    until: int = FOREVER,
) -> list[Listed]:
    """Return thoughts and talks up to a tick in their order, without building their trees.

    `agent` (the full name) also gives the talks it took part in; `outcome` is the worst step's.
    """
    with reader.snapshot():
        thoughts = reader.thoughts(agent, until=until)
        talks = reader.talks(agent, until=until)
        steps = reader.steps(until=until)
        spent = spent_by_thought(reader.connection, until)
    found = listed_of(thoughts, talks, steps, reader.spec.tick_seconds, spent)
    return [each for each in found if outcome is None or each.outcome == outcome]


def listed_of(
    thoughts: Iterable[ThoughtRow],
    talks: Iterable[Talk],
    steps: Iterable[StepRecord],
    tick_seconds: int,
    spent: Mapping[OwnerTick, Spent] = MappingProxyType({}),
) -> list[Listed]:
    """Return some ticks' thoughts and talks, given with all their steps, in their order.

    A talk follows its tick's thoughts.
    """
    records: defaultdict[OwnerTick, list[StepRecord]] = defaultdict(list)
    for step in steps:
        records[step.owner, step.tick].append(step)

    def entry(owner: str, tick: int, at: int, **told: Any) -> Listed:
        own = records[owner, tick]
        facts: dict[str, Any] = {
            "steps": tuple(step.step for step in own),
            "outcome": worst(step.outcome for step in own),
            "spent": spent.get((owner, tick), Spent()),
        }
        return Listed(owner=owner, tick=tick, at=at, **facts | told)

    found = []
    for row in thoughts:
        names = [step.step for step in records[row.agent, row.tick]]
        told: dict[str, Any] = {"kind": "thought", "people": (row.agent,)}
        told |= {"did": what_was_done(names, row.path, row.failed)}
        told |= {"milliseconds": row.milliseconds} | ({"outcome": "failed"} if row.failed else {})
        found.append(entry(row.agent, row.tick, row.at, **told))
    for talk in talks:
        tick = talk.start // tick_seconds
        own = records[talk.id, tick]
        begun = min((step.started for step in own), default=0.0)
        ended = max((step.started + step.milliseconds / 1000.0 for step in own), default=0.0)
        told = {"kind": "talk", "people": talk.participants, "did": "talk"}
        told |= {"milliseconds": (ended - begun) * 1000.0}
        found.append(entry(talk.id, tick, talk.start, **told))
    return sorted(found, key=lambda each: (each.tick, each.kind == "talk", each.owner))


def find_thought(reader: RunReader, text: str, until: int) -> Listed:
    """Return the thought or talk that a text means, up to a tick; RunError with the nearest."""
    known = listed(reader, until=until)
    said, run = " ".join(text.split()), reader.spec.name
    if not known:
        raise RunError(f"Nobody in the run {run!r} has thought yet.")
    if said == "latest":
        return _telling(known)
    talk = next((each for each in known if said == each.owner and each.kind == "talk"), None)
    if talk is not None:
        return talk
    if found := _ID.fullmatch(said):
        if found["run"] not in (None, run):
            raise RunError(f"{said!r} is of another run: smolville trace {found['run']} {said}")
        return _by_digits(reader, known, found["digits"])
    asked = _WHO_AND_WHEN.fullmatch(said)
    if asked is None:
        raise RunError(f"There is no thought {said!r} in the run {run!r}; write {WAYS}.")
    who = find_person(asked["who"], reader.agents(), f"the run {run!r}")
    own = [each for each in known if who in each.people]
    at = _second(reader, asked["day"], asked["clock"], until)
    past = [each for each in own if each.at <= at]
    if not past:
        first = f"the first is at {own[0].time}" if own else "nor later"
        raise RunError(f"{who} had no thought before {moment(at - at % 60 + 60)}; {first}.")
    return _telling([each for each in past if each.at // 60 == past[-1].at // 60])


def _telling(known: Sequence[Listed]) -> Listed:
    """Return the last one that asked a model or failed, else the last."""
    return next((each for each in reversed(known) if not each.is_silent), known[-1])


def _by_digits(reader: RunReader, known: Sequence[Listed], digits: str) -> Listed:
    """Return the thought whose digits, or one of whose moments' digits, begin so."""
    places = {(each.owner, each.tick): each for each in known}
    ids = {each.digits: each for each in known}
    for use in found_in(reader):
        owner, tick, *_ = use.key
        if (owner, tick) in places:
            ids.setdefault(use.digits, places[owner, tick])
    fitting = {ids[each].digits: ids[each] for each in ids if each.startswith(digits)}
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    run = reader.spec.name
    if fitting:
        raise RunError(f"{digits!r} begins the ids of {_told(list(fitting.values()))}; write more.")
    near = difflib.get_close_matches(digits, ids, n=3, cutoff=0.7)
    hint = f"The nearest: {_told([ids[each] for each in near])}." if near else ""
    hint = hint or f"`smolville trace {run}` lists them."
    raise RunError(f"There is no thought or moment {digits!r} in the run {run!r}. {hint}")


def _second(reader: RunReader, day: str | None, clock: str, until: int) -> int:
    """Return the last second of the minute that is meant; without a day, on the run's last one."""
    end = (until + 1) * reader.spec.tick_seconds
    try:
        at = read_moment(f"{day or day_of(end - 1)} {clock}")
    except ValueError as error:
        raise RunError(f"{error}.") from error
    if day is None and at >= end and at >= DAY_SECONDS:
        at -= DAY_SECONDS
    return at if clock.count(":") > 1 else at + 59


def _told(some: Sequence[Listed]) -> str:
    """Return at most three thoughts by id and name."""
    more = f" and {len(some) - 3} more" if len(some) > 3 else ""
    return ", ".join(f"{each.digits} ({each.name})" for each in some[:3]) + more
