"""The reuses of routines in a history, in a table that histories of earlier versions lack."""

import sqlite3

from agents.routines import Reuse
from history.memory_rows import FOREVER
from history.tables import TEXTS, Table, has_table

TABLE = """
CREATE TABLE IF NOT EXISTS reuses (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, kind TEXT NOT NULL, activity TEXT NOT NULL,
    matched TEXT NOT NULL, similarity REAL NOT NULL, learnt INTEGER NOT NULL,
    since INTEGER NOT NULL, until INTEGER NOT NULL, tasks TEXT NOT NULL
)
"""
_COLUMNS = (
    *("agent", "tick", "kind", "activity", "matched", "similarity", "learnt", "since", "until"),
    "tasks",
)
REUSES = Table("reuses", Reuse, {name: name for name in _COLUMNS}, {"tasks": TEXTS})


def reuses_until(
    connection: sqlite3.Connection, since: int = 0, until: int = FOREVER
) -> list[Reuse]:
    """Return the reuses of the ticks between two, both included, in order."""
    if not has_table(connection, REUSES.name):
        return []
    query = f"{REUSES.select} WHERE tick BETWEEN ? AND ? ORDER BY tick, agent, rowid"
    return [REUSES.row(cells) for cells in connection.execute(query, (since, until))]
