"""Comparison of two runs: equal, or equal up to a moment, with the cause of the difference."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from smolville.history.digest import CALLS, TABLES, digest, rows_by_tick
from smolville.history.progress_file import read_pulse
from smolville.history.reader import RunReader
from smolville.reports.diff.cause import Cause, SpecDifference, compare_specs, find_cause
from smolville.reports.diff.first_deed import DeedDifference, find_first_deed
from smolville.reports.diff.people import DatedDeed, PersonDifference, compare_people, dated_deed
from smolville.reports.runs import OpenRun
from smolville.reports.thought_reasons import explain_thought

DatedRow = tuple[int, str, tuple[Any, ...]]
"""A tick, the agent or thing concerned, and the row."""


@dataclass(frozen=True, kw_only=True)
class FirstDifference:
    """The first difference of two histories: its moment, the people concerned, and the cause."""

    at: int
    """Town second of the difference."""
    agent: str
    """The first person of the casts who differs. If none does, a thing or visitor; may be empty."""
    also: tuple[str, ...]
    """The other people of the casts who differ at that moment."""
    tables: tuple[str, ...]
    """Tables of the history with different rows; empty if the ticks have different lengths."""
    cause: Cause
    doing: tuple[DatedDeed | None, DatedDeed | None]
    """What the agent does at that moment in each run; None before the agent's first deed."""


@dataclass(frozen=True, kw_only=True)
class RunDifference:
    """The differences of two runs, up to the time that both have reached."""

    names: tuple[str, str]
    lived: tuple[int, int]
    """Town second up to which each run is complete; later rows are not compared."""
    digest: str
    """Digest of both histories, up to the time that both have reached; empty if they differ."""
    spec: tuple[SpecDifference, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]
    """For each run, the people who live only there."""
    first: FirstDifference | None
    deeds: DeedDifference | None
    """The first moment at which people do different things; None if they never do."""
    people: tuple[PersonDifference, ...]
    states: tuple[str, str]
    """State of each run: `living`, `paused`, `stopped`, `finished` or `new`."""

    @property
    def until(self) -> int:
        """Town second up to which the runs are compared."""
        return min(self.lived)

    @property
    def is_equal(self) -> bool:
        """True if both histories are equal and equally long."""
        return self.first is None and self.lived[0] == self.lived[1]

    @property
    def fundamental(self) -> tuple[SpecDifference, ...]:
        """The differences that make two runs share nothing from the first moment on."""
        return tuple(each for each in self.spec if each.is_fundamental)

    @property
    def shared(self) -> int:
        """Town second up to which the histories are equal; 0 if they have nothing in common."""
        if self.first is None:
            return self.until
        return 0 if self.fundamental else self.first.at


def describe_difference(found: RunDifference, format_time: Callable[[int], str]) -> str:
    """Return a sentence on whether two runs are equal, or else up to when they are equal."""
    one, other = found.names
    if found.is_equal:
        return f"{one} and {other} are equal up to {format_time(found.until)}: {found.digest}."
    if found.first is None and not found.until:
        not_lived = min(zip(found.lived, found.names, strict=True))[1]
        return f"{not_lived} has not started yet, so there is nothing to compare."
    if found.first is None:
        shorter, longer = sorted(zip(found.lived, found.names, strict=True))
        equal = f"{one} and {other} are equal up to {format_time(found.until)}, where "
        if found.states[found.names.index(shorter[1])] == "living":
            return f"{equal}{shorter[1]} is running now; differences are shown as it goes on."
        return f"{equal}{shorter[1]} ends; {longer[1]} goes on to {format_time(longer[0])}."
    if found.fundamental:
        why = "; ".join(str(each) for each in found.fundamental)
        return f"{one} and {other} have no history in common: they differ in {why}."
    if not found.shared:
        return f"{one} and {other} differ from the first moment on."
    return f"{one} and {other} share their history up to {format_time(found.shared)}."


def compare_runs(one: OpenRun, other: OpenRun, most: int = 1) -> RunDifference:
    """Return how two runs differ, each up to its last tick.

    For each person, at most `most` deeds that only one run has are listed.
    """
    mine, theirs = one.reader, other.reader
    spec = compare_specs(mine.spec, theirs.spec)
    casts = [set(reader.agents()) for reader in (mine, theirs)]
    until = min(one.at, other.at)
    with mine.snapshot(), theirs.snapshot():
        people = compare_people(mine, theirs, until, most)
        first = (
            find_parting(one, other)
            if mine.spec.tick_seconds == theirs.spec.tick_seconds
            else _first_of_people(mine, theirs, spec, people)
        )
        same = "" if first else digest(mine, until // mine.spec.tick_seconds - 1)
    return RunDifference(
        names=(one.folder.name, other.folder.name),
        lived=(one.at, other.at),
        digest=same,
        spec=spec,
        only=(tuple(sorted(casts[0] - casts[1])), tuple(sorted(casts[1] - casts[0]))),
        first=first,
        deeds=None if first is None else find_first_deed(one, other, first.at),
        people=tuple(people),
        states=(state_of(one), state_of(other)),
    )


def state_of(run: OpenRun) -> str:
    """Return a run's state: `living`, `paused`, `stopped`, `finished` or `new`.

    In a `paused` run a process is waiting; in a `stopped` run there is no process.
    """
    state = run.state()
    if state == "running":
        pulse = read_pulse(run.folder)
        return "paused" if pulse and pulse.get("state") == "paused" else "living"
    return "stopped" if state == "paused" else state


def _first_of_people(
    one: RunReader,
    other: RunReader,
    spec: tuple[SpecDifference, ...],
    people: list[PersonDifference],
) -> FirstDifference:
    """Return the first difference in people's deeds, for runs whose rows cannot be compared."""
    parted = [each for each in people if each.at is not None]
    at = min((each.at for each in parted if each.at is not None), default=0)
    who = tuple(each.name for each in parted if each.at == at)
    cause = find_cause(one, other, 0, spec)
    return _first_difference((one, other), at, who, (), cause)


def find_parting(one: OpenRun, other: OpenRun) -> FirstDifference | None:
    """Return where the histories of two runs first differ; None if they do not.

    Both runs must have ticks of the same length.
    """
    mine, theirs = one.reader, other.reader
    found = find_first_difference(mine, theirs, min(one.tick, other.tick))
    if found is None:
        return None
    cause = find_cause(mine, theirs, found.tick, compare_specs(mine.spec, theirs.spec))
    names = dict.fromkeys((*mine.agents(), *theirs.agents()))
    who = [name for name in names if name in found.who]
    if cause.agent in who:
        who.sort(key=lambda name: name != cause.agent)
    who = who or list(found.who[:1])
    at = found.tick * mine.spec.tick_seconds
    return _first_difference((mine, theirs), at, tuple(who), found.tables, cause)


def _first_difference(
    readers: tuple[RunReader, RunReader],
    at: int,
    who: tuple[str, ...],
    tables: tuple[str, ...],
    cause: Cause,
) -> FirstDifference:
    """Return the first difference, with the action of the first person concerned in both runs."""
    agent = next(iter(who), "")
    return FirstDifference(
        at=at,
        agent=agent,
        also=who[1:],
        tables=tables,
        cause=cause,
        doing=(_doing(readers[0], agent, at), _doing(readers[1], agent, at)),
    )


def _doing(reader: RunReader, agent: str, at: int) -> DatedDeed | None:
    """Return what an agent does at a moment: a deed that begins then, otherwise one in progress.

    If the agent had a thought at this moment, the deed has the reason of this thought.
    """
    tick = at // reader.spec.tick_seconds
    begun = reader.deeds(agent, since=tick, until=tick)
    deed = begun[-1] if begun else reader.doing(agent, tick)
    if deed is None:
        return None
    dated = dated_deed(reader, deed)
    return replace(dated, why=explain_thought(reader, agent, tick) or dated.why)


@dataclass(frozen=True, kw_only=True)
class RowDifference:
    """The first tick at which two histories differ."""

    tick: int
    tables: tuple[str, ...]
    """Tables whose rows differ at this tick, in the order of the digest's parts."""
    who: tuple[str, ...]
    """Agents, talks and things whose rows differ, sorted."""


def find_first_difference(one: RunReader, other: RunReader, until: int) -> RowDifference | None:
    """Return the first tick up to `until` with a difference in a row that enters a digest.

    If there is none, return None; then the digests up to that tick are equal.
    """
    limit = until
    found: dict[str, tuple[int, frozenset[str]]] = {}
    with one.snapshot(), other.snapshot():
        # Calls come last: to read them takes longest, and most often they need not be read far.
        for table in sorted(TABLES, key=lambda name: name == CALLS):
            difference = _first_in(table, one, other, limit)
            if difference is not None:
                found[table] = difference
                limit = difference[0]
    first = {table: who for table, (tick, who) in found.items() if tick == limit}
    if not first:
        return None
    return RowDifference(
        tick=limit,
        tables=tuple(table for table in TABLES if table in first),
        who=tuple(sorted(frozenset().union(*first.values()))),
    )


def _first_in(
    table: str, one: RunReader, other: RunReader, until: int
) -> tuple[int, frozenset[str]] | None:
    """Return the first tick at which two tables differ, and the agents or things concerned."""
    left, right = _ticks(one, table, until), _ticks(other, table, until)
    while True:
        mine, theirs = next(left, None), next(right, None)
        if mine == theirs:
            if mine is None:
                return None
            continue
        tick = min(each[0] for each in (mine, theirs) if each is not None)
        rows = [Counter(each[1] if each and each[0] == tick else ()) for each in (mine, theirs)]
        differing = (rows[0] - rows[1]) + (rows[1] - rows[0])
        # Rows that are the same in another order differ too, and concern all of them.
        return tick, frozenset(who for _, who, _ in differing or rows[0])


def _ticks(reader: RunReader, table: str, until: int) -> Iterator[tuple[int, list[DatedRow]]]:
    """Yield each tick with its rows in a table."""
    for tick, rows in groupby(rows_by_tick(reader, table, until), key=itemgetter(0)):
        yield tick, list(rows)
