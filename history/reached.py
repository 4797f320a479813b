"""Each agent's progress: its last commit, or a later tick up to which nothing happened to it."""

import sqlite3
from collections.abc import Mapping
from json import loads

from history.tables import has_table

TABLE = """
CREATE TABLE IF NOT EXISTS reached (agent TEXT PRIMARY KEY, tick INTEGER NOT NULL) WITHOUT ROWID
"""
"""Histories of earlier versions lack this table; it has rows where people live at different ticks,
and says nothing about agents without one."""

_KEEP = (
    "INSERT INTO reached (agent, tick) VALUES (?, ?) "
    "ON CONFLICT (agent) DO UPDATE SET tick = max(tick, excluded.tick)"
)


def keep_reached(connection: sqlite3.Connection, reached: Mapping[str, int]) -> None:
    """Record the last tick of each of these agents, inside the caller's transaction."""
    if reached:
        connection.executemany(_KEEP, reached.items())


def cut_reached(connection: sqlite3.Connection, tick: int) -> None:
    """Set the progress of everybody beyond a tick back to that tick."""
    if has_table(connection, "reached"):
        connection.execute("UPDATE reached SET tick = min(tick, ?)", (tick,))


def done_ticks(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the last tick that each agent has completed."""
    done: dict[str, int] = {}
    rows = connection.execute(
        "SELECT agents, MAX(tick) FROM commits JOIN clusters ON clusters.id = cluster "
        "GROUP BY cluster ORDER BY cluster"
    )
    for names, tick in rows:
        for name in loads(names):
            done[name] = max(tick, done.get(name, tick))
    if has_table(connection, "reached"):
        for name, tick in connection.execute("SELECT agent, tick FROM reached"):
            done[name] = max(tick, done.get(name, tick))
    return done
