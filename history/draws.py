"""The memories drawn for dreams and ideas, in a table that histories of earlier versions lack."""

import sqlite3
from json import dumps, loads

from agents.rare_memories import MemoryDraw
from history.memory_rows import FOREVER
from history.tables import TEXTS, Codec, Table, has_table

TABLE = """
CREATE TABLE IF NOT EXISTS draws (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, step TEXT NOT NULL, memories TEXT NOT NULL,
    sizes TEXT NOT NULL, among INTEGER NOT NULL, clusters INTEGER NOT NULL, alike REAL NOT NULL
)
"""
_COLUMNS = ("agent", "tick", "step", "memories", "sizes", "among", "clusters", "alike")
_NUMBERS = Codec(lambda numbers: dumps(list(numbers)), lambda text: tuple(map(int, loads(text))))
DRAWS = Table(
    "draws",
    MemoryDraw,
    {name: name for name in _COLUMNS},
    {"memories": TEXTS, "sizes": _NUMBERS},
)


def draws_of(
    connection: sqlite3.Connection, agent: str = "", since: int = 0, until: int = FOREVER
) -> list[MemoryDraw]:
    """Return an agent's draws (or everybody's) of the ticks between two, both included."""
    if not has_table(connection, DRAWS.name):
        return []
    query = (
        f"{DRAWS.select} WHERE tick BETWEEN ? AND ? AND (agent = ? OR ? = '') "
        "ORDER BY tick, agent, rowid"
    )
    given = (since, until, agent, agent)
    return [DRAWS.row(cells) for cells in connection.execute(query, given)]
