"""The first tick at which the histories of two runs differ, and in which tables."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from history.digest import CALLS, TABLES, rows_by_tick
from history.reader import RunReader

DatedRow = tuple[int, str, tuple[Any, ...]]
"""A tick, the agent or thing that the row is about, and the row."""


@dataclass(frozen=True, kw_only=True)
class RowDifference:
    """The first tick at which two histories differ."""

    tick: int
    tables: tuple[str, ...]
    """Tables with different rows of this tick, in the order of the digest's parts."""
    who: tuple[str, ...]
    """Agents, talks and things that these rows are about, sorted."""


def find_first_difference(one: RunReader, other: RunReader, until: int) -> RowDifference | None:
    """Return the first tick up to `until` at which any row that enters a digest differs.

    None if there is none: then the digests up to that tick are equal.
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
    """Return the first tick at which two tables differ, and what the differing rows are about."""
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
