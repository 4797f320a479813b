"""Happenings caused by entities other than people, in a history."""

import sqlite3
from dataclasses import fields

from agents.entities import Happening
from history.memory_rows import FOREVER
from history.tables import Table, has_table

TABLE = """
CREATE TABLE IF NOT EXISTS happenings (
    entity TEXT NOT NULL, tick INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
    place TEXT NOT NULL, who TEXT NOT NULL, until INTEGER NOT NULL
)
"""
HAPPENINGS = Table("happenings", Happening, {item.name: item.name for item in fields(Happening)})


def happenings_between(
    connection: sqlite3.Connection, since: int = 0, until: int = FOREVER
) -> list[Happening]:
    """Return the happenings of the ticks between two, both included, in order."""
    if not has_table(connection, HAPPENINGS.name):
        return []
    query = f"{HAPPENINGS.select} WHERE tick BETWEEN ? AND ? ORDER BY tick, entity, rowid"
    return [HAPPENINGS.row(cells) for cells in connection.execute(query, (since, until))]
