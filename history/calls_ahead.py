"""Speculative calls, made ahead of time, and whether they were used; in a table of their own.

It is not part of the digest: how much can be asked ahead depends on timing, and changes nothing in
the town. Used calls are also stored with the other calls.
"""

import sqlite3
from typing import NamedTuple

from graphs.loop.ledger import CallKey
from history.memory_rows import FOREVER
from history.tables import has_table

NAME = "calls_ahead"
TABLE = f"""
CREATE TABLE IF NOT EXISTS {NAME} (
    owner TEXT NOT NULL, tick INTEGER NOT NULL, step TEXT NOT NULL, used INTEGER NOT NULL
)
"""
"""One row for each; the same thought may have been made ahead more than once."""


class AheadCounts(NamedTuple):
    """Counts of speculative calls: made, used and discarded."""

    used: int = 0
    """Those whose thought came, and asked the same."""
    unused: int = 0
    """Those that were thrown away, since the world had changed."""


def note_ahead(connection: sqlite3.Connection, key: CallKey, is_used: bool) -> None:
    """Record that a speculative call was used, or discarded."""
    row = (key.owner, key.tick, key.step, is_used)
    connection.execute(f"INSERT INTO {NAME} VALUES (?, ?, ?, ?)", row)  # noqa: S608


def count_ahead(connection: sqlite3.Connection, until: int = FOREVER) -> AheadCounts:
    """Return the counts of speculative calls up to a tick."""
    if not has_table(connection, NAME):
        return AheadCounts()
    query = f"SELECT used, COUNT(*) FROM {NAME} WHERE tick <= ? GROUP BY used"  # noqa: S608
    found = dict(connection.execute(query, (until,)).fetchall())
    return AheadCounts(used=found.get(1, 0), unused=found.get(0, 0))
