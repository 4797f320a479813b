"""A hash of a whole history: runs with the same digest are equal, row for row.

Rows are sorted by their keys, so that the schedule makes no difference. Everything that differs
between any two runs is left out: wall-clock times, tokens, milliseconds, transport retries, the ids
and blobs of checkpoints, ids of requests, the number of commits, and calls whose step was never
committed.
"""

import sqlite3
from collections.abc import Iterator
from hashlib import blake2b
from json import dumps
from typing import Any

from history.calls import LISTING, Unpacker, read_call
from history.reader import RunReader
from history.reuses import REUSES, has_reuses

_SIZE = 16

_PARTS: dict[str, str] = {
    "bodies": "SELECT agent, tick, state FROM bodies ORDER BY agent, tick",
    "moves": "SELECT agent, tick, end_tick, path FROM moves ORDER BY agent, tick, rowid",
    "deeds": "SELECT * FROM deeds ORDER BY agent, tick, rowid",
    "objects": "SELECT * FROM objects ORDER BY address, tick, rowid",
    "talks": "SELECT * FROM talks ORDER BY id",
    "lines": "SELECT * FROM lines ORDER BY talk, n",
    "thoughts": (
        "SELECT agent, tick, at, stimuli, path, intent, failed FROM thoughts ORDER BY agent, tick"
    ),
    "steps": (
        "SELECT owner, tick, step, ordinal, agent, outcome, attempts, answer, problems, "
        "odd, odd_kinds FROM steps ORDER BY owner, tick, step, ordinal"
    ),
    "readings": (
        "SELECT owner, tick, step, ordinal, attempt, accepted, mends, problems, kinds FROM "
        "readings ORDER BY owner, tick, step, ordinal, attempt"
    ),
    "memories": (
        "SELECT id, agent, kind, text, created, tick, accessed, importance, subject, predicate, "
        "object, keywords, expires, evidence, depth, strength FROM memories ORDER BY agent, n"
    ),
    "changes": (
        "SELECT agent, changes.tick, changes.n, kind, at, value, reason, "
        "(SELECT json_group_array(id) FROM (SELECT memories.id FROM json_each(changes.memories) "
        "JOIN memories ON memories.n = json_each.value ORDER BY key)) FROM changes "
        "ORDER BY agent, changes.tick, changes.n"
    ),
    "minds": "SELECT agent, tick FROM minds ORDER BY agent, tick",
    "interventions": (
        "SELECT tick, kind, target, text FROM interventions WHERE tick <= "
        "(SELECT COALESCE(MAX(watermark), -1) FROM commits) ORDER BY tick, target, n"
    ),
}
"""Query for the rows of each table that enter the digest, in an order that depends on the rows
alone. An intervention enters it once it is in force."""

_REUSES = f"{REUSES.select} ORDER BY agent, tick, rowid"
_CALLS = f"SELECT {LISTING} FROM committed_calls ORDER BY owner, tick, step, ordinal, attempt"  # noqa: S608


def digest(reader: RunReader) -> str:
    """Return the digest of a run's history, 32 hex digits."""
    return _hash(iter(digest_parts(reader).items()))


def digest_parts(reader: RunReader) -> dict[str, str]:
    """Return a digest for each table: two runs differ in the tables whose digests differ."""
    connection = reader.connection
    with reader.snapshot():
        parts = {name: _hash(connection.execute(query)) for name, query in _PARTS.items()}
        parts["calls"] = _hash(_call_rows(connection))
        reused = connection.execute(_REUSES).fetchall() if has_reuses(connection) else []
    if reused:
        parts["reuses"] = _hash(iter(reused))
    return parts


def _call_rows(connection: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    unpacker = Unpacker(connection)
    for cells in connection.execute(_CALLS):
        call = read_call(cells, unpacker)
        key = call.key
        yield (
            *(key.owner, key.tick, key.step, key.ordinal, key.attempt, call.agent),
            *(call.template, call.messages, call.messages_hash, call.model, call.tier),
            *(call.temperature, call.max_tokens, call.seed, call.schema, call.inputs),
            *(call.recalled, call.reply, call.finish),
        )


def _hash(rows: Iterator[tuple[Any, ...]] | sqlite3.Cursor) -> str:
    state = blake2b(digest_size=_SIZE)
    for row in rows:
        state.update(dumps(row, ensure_ascii=True).encode())
        state.update(b"\n")
    return state.hexdigest()
