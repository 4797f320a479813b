"""The levels of people's needs in a history, in a table that earlier histories lack."""

import sqlite3
from json import dumps, loads

from agents.needs import NeedsRow
from history.memory_rows import FOREVER
from history.tables import Codec, Table, has_table

TABLE = """
CREATE TABLE IF NOT EXISTS needs (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, at INTEGER NOT NULL, levels TEXT NOT NULL,
    urgent TEXT NOT NULL
)
"""
LEVELS = Codec(lambda levels: dumps(levels, separators=(",", ":")), lambda text: dict(loads(text)))
_COLUMNS = ("agent", "tick", "at", "levels", "urgent")
NEEDS = Table("needs", NeedsRow, {name: name for name in _COLUMNS}, {"levels": LEVELS})


def needs_of(
    connection: sqlite3.Connection, agent: str, since: int = 0, until: int = FOREVER
) -> list[NeedsRow]:
    """Return the levels of somebody's needs in the ticks between two, in order of time."""
    if not has_table(connection, NEEDS.name):
        return []
    query = f"{NEEDS.select} WHERE agent = ? AND tick BETWEEN ? AND ? ORDER BY at, rowid"
    return [NEEDS.row(cells) for cells in connection.execute(query, (agent, since, until))]
