"""A hash of a whole history: runs with the same digest are equal, row for row.

Rows are sorted by their keys, so that the schedule makes no difference. Everything that differs
between any two runs is left out: wall-clock times, tokens, milliseconds, transport retries, the ids
and blobs of checkpoints, ids of requests, the number of commits, and calls whose step was never
committed.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from json import dumps
from typing import Any

from smolville.history.calls import LISTING, Unpacker, read_call
from smolville.history.moments import FOREVER
from smolville.history.reader import RunReader
from smolville.history.records import DRAWS, HAPPENINGS, MEMORIES, NEEDS, REUSES

_SIZE = 16
CALLS = "calls"
LATER = ("reuses", "draws", "happenings", "needs")
"""Parts that are left out while they have no rows."""


@dataclass(frozen=True)
class DigestTable:
    """The rows of one table that enter the digest, in an order that depends on the rows alone."""

    columns: str
    table: str
    order: str
    who: str = "agent"
    """Column with the agent, talk, object or person that a row is about."""
    tick: str = "tick"

    def query(self, *, by_tick: bool = False) -> str:
        """Return the query of the rows up to the tick `:until`.

        With `by_tick`, the rows are in the order of their ticks, and the columns named by `tick`
        and `who` are selected before all others.
        """
        first, order = self.columns, self.order
        if by_tick:
            first, order = f"{self.tick}, {self.who}, {first}", f"{self.tick}, {order}"
        return f"SELECT {first} FROM {self.table} WHERE {self.tick} <= :until ORDER BY {order}"  # noqa: S608


_CHANGES = (
    "agent, changes.tick, changes.n, kind, at, value, reason, (SELECT json_group_array(id) "
    "FROM (SELECT memories.id FROM json_each(changes.memories) "
    "JOIN memories ON memories.n = json_each.value ORDER BY key))"
)
_IN_FORCE = (
    "(SELECT * FROM interventions WHERE tick <= (SELECT COALESCE(MAX(watermark), -1) FROM commits))"
)
_USE = "owner, tick, step, ordinal"

TABLES: dict[str, DigestTable] = {
    "bodies": DigestTable("agent, tick, state", "bodies", "agent, tick"),
    "moves": DigestTable("agent, tick, end_tick, path", "moves", "agent, tick, rowid"),
    "deeds": DigestTable("*", "deeds", "agent, tick, rowid"),
    "objects": DigestTable("*", "objects", "address, tick, rowid", who="address"),
    "talks": DigestTable("*", "talks", "id", who="id"),
    "lines": DigestTable("*", "lines", "talk, n", who="speaker"),
    "thoughts": DigestTable(
        "agent, tick, at, stimuli, path, intent, failed", "thoughts", "agent, tick"
    ),
    "steps": DigestTable(
        f"{_USE}, agent, outcome, attempts, answer, problems, odd, odd_kinds", "steps", _USE
    ),
    "readings": DigestTable(
        f"{_USE}, attempt, accepted, mends, problems, kinds",
        "readings",
        f"{_USE}, attempt",
        who="owner",
    ),
    "memories": DigestTable(MEMORIES.listing, "memories", "agent, n"),
    "changes": DigestTable(
        _CHANGES, "changes", "agent, changes.tick, changes.n", tick="changes.tick"
    ),
    "minds": DigestTable("agent, tick", "minds", "agent, tick"),
    "interventions": DigestTable(
        "tick, kind, target, text", _IN_FORCE, "tick, target, n", who="target"
    ),
    CALLS: DigestTable(LISTING, "committed_calls", f"{_USE}, attempt"),
    "draws": DigestTable(DRAWS.listing, "draws", "agent, tick, rowid"),
    "happenings": DigestTable(
        HAPPENINGS.listing, "happenings", "entity, tick, rowid", who="entity"
    ),
    "reuses": DigestTable(REUSES.listing, "reuses", "agent, tick, rowid"),
    "needs": DigestTable(NEEDS.listing, "needs", "agent, tick, rowid"),
}
"""The tables that enter the digest, by name. An intervention enters it once it is in force."""


def digest(reader: RunReader, until: int = FOREVER) -> str:
    """Return the digest of a run's history up to a tick, 32 hex digits."""
    return _hash(iter(digest_parts(reader, until).items()))


def digest_parts(reader: RunReader, until: int = FOREVER) -> dict[str, str]:
    """Return a digest for each table: two runs differ in the tables whose digests differ.

    Rows of later ticks than `until` are left out.
    """
    with reader.snapshot():
        parts = {name: _hash(_rows(reader, name, until)) for name in TABLES if name not in LATER}
        for name in LATER:
            if rows := list(_rows(reader, name, until)):
                parts[name] = _hash(iter(rows))
    return parts


def rows_by_tick(
    reader: RunReader, table: str, until: int
) -> Iterator[tuple[int, str, tuple[Any, ...]]]:
    """Yield the rows of a table that enter the digest, in the order of their ticks.

    Each comes with its tick, and with the agent, talk, object or person that it is about.
    """
    for tick, who, *row in _rows(reader, table, until, by_tick=True):
        yield tick, who, tuple(row)


def _rows(
    reader: RunReader, table: str, until: int, *, by_tick: bool = False
) -> Iterator[tuple[Any, ...]]:
    connection = reader.connection
    found = connection.execute(TABLES[table].query(by_tick=by_tick), {"until": until})
    if table == CALLS:
        yield from _call_rows(connection, found, first=2 if by_tick else 0)
    else:
        # Not `yield from`: it would close the cursor when a reader is left early, and fail.
        for row in found:  # noqa: UP028
            yield row


def _call_rows(
    connection: sqlite3.Connection, found: sqlite3.Cursor, first: int
) -> Iterator[tuple[Any, ...]]:
    """Yield rows of calls in which each call is unpacked into plain cells.

    The first `first` cells of a row are kept; the cells after them are the stored call.
    """
    unpacker = Unpacker(connection)
    for cells in found:
        call = read_call(cells[first:], unpacker)
        key = call.key
        yield (
            *cells[:first],
            *(key.owner, key.tick, key.step, key.ordinal, key.attempt, call.agent),
            *(call.template, call.messages, call.messages_hash, call.model, call.tier),
            *(call.temperature, call.max_tokens, call.seed, call.schema, call.inputs),
            *(call.recalled, call.reply, call.finish),
        )


def _hash(rows: Iterator[tuple[Any, ...]]) -> str:
    state = blake2b(digest_size=_SIZE)
    for row in rows:
        state.update(dumps(row, ensure_ascii=True).encode())
        state.update(b"\n")
    return state.hexdigest()
