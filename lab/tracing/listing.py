"""The thoughts and talks of a run: listed, looked up, or selected to be traced."""

import difflib
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from types import MappingProxyType
from typing import Any, Literal

from smolville.agents.action import Talk
from smolville.agents.chance import fraction
from smolville.agents.errors import RunError
from smolville.agents.times import DAY_SECONDS, day_of, moment, read_moment
from smolville.graphs.loop.ledger import StepRecord
from smolville.history.memory_rows import FOREVER
from smolville.history.reader import RunReader
from smolville.history.records import ThoughtRow
from smolville.lab.moments.finding import LEAST, found_in
from smolville.lab.tracing.span import (
    DIGITS,
    Kind,
    find_worst_outcome,
    thought_digits,
    thought_name,
    what_was_done,
)
from smolville.world.meaning import find_thinker

HOUR = 3600
WAYS = '`latest`, its id, the id of a moment in it, or who and when: "Nadia 07:40"'

_ID = re.compile(rf"(?:(?P<run>\S+)/)?(?P<digits>[0-9a-f]{{{LEAST},{DIGITS}}})")
_WHO_AND_WHEN = re.compile(
    r"(?P<who>\D.*?)\s+(?:(?:day\s+)?(?P<day>\d{1,4})\s+)?(?P<clock>\d{1,2}:\d{2}(?::\d{2})?)"
)

Key = tuple[Kind, str, int]
"""Identifies a tree within its run: the kind of its root, the agent (or the talk's id) and the
tick; for an hour, the number of town hours before it."""
OwnerTick = tuple[str, int]
"""Key of a thought or talk: the agent or the talk's id, and the tick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCounts:
    """Numbers of calls and tokens; None for tokens that no server reported."""

    calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True, kw_only=True)
class TraceRow:
    """A thought or talk as a row of a list."""

    kind: Literal["thought", "talk"]
    owner: str
    """The agent, or the talk's id."""
    people: tuple[str, ...]
    tick: int
    at: int
    did: str
    """What the thought or talk did: its steps, or the node at which it ended."""
    steps: tuple[str, ...]
    outcome: str
    """The worst outcome of its steps, `failed`, or empty when no model was asked."""
    milliseconds: float
    spent: TokenCounts

    @property
    def digits(self) -> str:
        """The row's id within the run."""
        return thought_digits(self.owner, self.tick)

    @property
    def name(self) -> str:
        """The thought's or talk's name, the same as in its tree."""
        return thought_name(self.people, self.at, self.did)

    @property
    def time(self) -> str:
        """The town time, `1 07:40`."""
        return moment(self.at)

    @property
    def key(self) -> Key:
        """The row's key within the run."""
        return self.kind, self.owner, self.tick

    @property
    def is_silent(self) -> bool:
        """True when no model was asked and nothing failed."""
        return not self.steps and not self.outcome


def list_traces(
    reader: RunReader, agent: str | None = None, until: int = FOREVER
) -> list[TraceRow]:
    """Return the thoughts and talks up to a tick, in order, without building their trees.

    With `agent` (a full name), returns only that agent's thoughts and the talks it took part in.
    """
    with reader.snapshot():
        thoughts, talks = reader.thoughts(agent, until=until), reader.talks(agent, until=until)
        spent = spent_by_thought(reader.connection, until)
        steps = reader.steps(until=until)
    return listed_of(thoughts, talks, steps, reader.spec.tick_seconds, spent)


def listed_of(
    thoughts: Iterable[ThoughtRow],
    talks: Iterable[Talk],
    steps: Iterable[StepRecord],
    tick_seconds: int,
    spent: Mapping[OwnerTick, TokenCounts] = MappingProxyType({}),
) -> list[TraceRow]:
    """Return a row per thought and talk; `steps` must hold the steps of all of them.

    Rows are in order; talks come after the thoughts of the same tick.
    """
    records: defaultdict[OwnerTick, list[StepRecord]] = defaultdict(list)
    for step in steps:
        records[step.owner, step.tick].append(step)

    def entry(kind: Literal["thought", "talk"], owner: str, at: int, **more: Any) -> TraceRow:
        key = owner, at // tick_seconds
        fields = {"outcome": find_worst_outcome(step.outcome for step in records[key])} | more
        names = tuple(step.step for step in records[key])
        known = spent.get(key, TokenCounts())
        return TraceRow(
            kind=kind, owner=owner, tick=key[1], at=at, steps=names, spent=known, **fields
        )

    found = []
    for row in thoughts:
        names = [step.step for step in records[row.agent, row.tick]]
        did = what_was_done(names, row.path, row.failed)
        more = {"outcome": "failed"} if row.failed else {}
        fields = {"people": (row.agent,), "did": did, "milliseconds": row.milliseconds}
        found.append(entry("thought", row.agent, row.at, **fields, **more))
    for talk in talks:
        own = records[talk.id, talk.start // tick_seconds]
        started = min((step.started for step in own), default=0.0)
        ended = max((step.started + step.milliseconds / 1000.0 for step in own), default=0.0)
        fields = {
            "people": talk.participants,
            "did": "talk",
            "milliseconds": (ended - started) * 1e3,
        }
        found.append(entry("talk", talk.id, talk.start, **fields))
    return sorted(found, key=lambda each: (each.tick, each.kind == "talk", each.owner))


def find_thought(reader: RunReader, text: str, until: int) -> TraceRow:
    """Return the thought or talk that the user's text names, among those up to the tick `until`.

    The text is an id, an agent with a time, or `latest`. Raises RunError, with the closest matches,
    when there is none.
    """
    known = list_traces(reader, until=until)
    query, run = " ".join(text.split()), reader.spec.name
    if not known:
        raise RunError(f"Nobody in the run {run!r} has thought yet.")
    if query == "latest":
        return _choose_telling_row(known)
    if talks := [each for each in known if query == each.owner and each.kind == "talk"]:
        return talks[0]
    if found := _ID.fullmatch(query):
        if found["run"] not in (None, run):
            raise RunError(f"{query!r} is of another run: smolville trace {found['run']} {query}")
        return _by_digits(reader, known, found["digits"])
    asked = _WHO_AND_WHEN.fullmatch(query)
    if asked is None:
        raise RunError(f"There is no thought {query!r} in the run {run!r}; write {WAYS}.")
    who = find_thinker(asked["who"], reader.agents(), f"the run {run!r}")
    own = [each for each in known if who in each.people]
    at = _second(reader, asked["day"], asked["clock"], until)
    past = [each for each in own if each.at <= at]
    if not past:
        first = f"the first is at {own[0].time}" if own else "nor later"
        raise RunError(f"{who} had no thought before {moment(at - at % 60 + 60)}; {first}.")
    return _choose_telling_row([each for each in past if each.at // 60 == past[-1].at // 60])


def _choose_telling_row(known: Sequence[TraceRow]) -> TraceRow:
    """Return the last row that asked a model or failed; if there is none, the last row."""
    return next((each for each in reversed(known) if not each.is_silent), known[-1])


def _by_digits(reader: RunReader, known: Sequence[TraceRow], digits: str) -> TraceRow:
    """Return the thought or talk with an id that begins with these digits.

    The digits may also begin the id of a moment that belongs to the thought or talk.
    """
    places = {(each.owner, each.tick): each for each in known}
    ids = {use.digits: places[use.key[:2]] for use in found_in(reader) if use.key[:2] in places}
    ids |= {each.digits: each for each in known}
    fitting = {each.digits: each for id_, each in ids.items() if id_.startswith(digits)}
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    run = reader.spec.name
    if fitting:
        raise RunError(
            f"{digits!r} begins the ids of {_format_thought_names(list(fitting.values()))}; "
            "write more."
        )
    near = [ids[each] for each in difflib.get_close_matches(digits, ids, n=3, cutoff=0.7)]
    hint = (
        f"The nearest: {_format_thought_names(near)}."
        if near
        else f"`smolville trace {run}` lists them."
    )
    raise RunError(f"There is no thought or moment {digits!r} in the run {run!r}. {hint}")


def _second(reader: RunReader, day: str | None, clock: str, until: int) -> int:
    """Return the last second of a minute on a day; without a day, on the run's last day."""
    end = (until + 1) * reader.spec.tick_seconds
    try:
        at = read_moment(f"{day or day_of(end - 1)} {clock}")
    except ValueError as error:
        raise RunError(f"{error}.") from error
    if day is None and at >= end and at >= DAY_SECONDS:
        at -= DAY_SECONDS
    return at if clock.count(":") > 1 else at + 59


def _format_thought_names(some: Sequence[TraceRow]) -> str:
    """Return at most three thoughts by id and name."""
    more = f" and {len(some) - 3} more" if len(some) > 3 else ""
    return ", ".join(f"{each.digits} ({each.name})" for each in some[:3]) + more


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

    def select_traces(self, some: Iterable[TraceRow]) -> Iterator[Key]:
        """Yield the keys of the selected thoughts and talks."""
        for each in some:
            is_wrong = each.outcome in WRONG
            if self.mode == "hours" and each.kind == "thought":
                hour: Key = ("hour", each.owner, each.at // HOUR)
                self._hours[hour] = self._hours.get(hour, False) or is_wrong
            elif self._is_kept(each.key, is_wrong=is_wrong):
                yield each.key

    def finished_hours(self, before: float = inf) -> Iterator[Key]:
        """Yield the selected hours that end before a town second; by default all that remain."""
        for hour in sorted(self._hours):
            if (hour[2] + 1) * HOUR <= before and self._is_kept(
                hour, is_wrong=self._hours.pop(hour)
            ):
                yield hour

    def _is_kept(self, key: Key, *, is_wrong: bool) -> bool:
        """Return True for everything that went wrong, and for a random share of the rest."""
        is_drawn = self.rate >= 1.0 or fraction("trace", self.run, *key) < self.rate
        return is_wrong or (self.mode != "failures" and is_drawn)


def spent_by_thought(connection: sqlite3.Connection, until: int) -> dict[OwnerTick, TokenCounts]:
    """Return the calls and tokens of all thoughts and talks that asked a model, up to a tick."""
    rows = connection.execute(
        "SELECT owner, tick, COUNT(*), SUM(prompt_tokens), SUM(completion_tokens), "
        "SUM(cached_tokens) FROM committed_calls WHERE tick <= ? GROUP BY owner, tick",
        (until,),
    )
    return {
        (owner, tick): TokenCounts(
            calls=calls, prompt_tokens=prompt, completion_tokens=completion, cached_tokens=cached
        )
        for owner, tick, calls, prompt, completion, cached in rows
    }
