"""Tables that histories of earlier versions lack.

They hold memories drawn at random, reuses of routines, needs, happenings, and agents' progress.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import fields
from json import dumps, loads

from smolville.agents.entities import Happening
from smolville.agents.needs import NeedsRow
from smolville.agents.rare_memories import MemoryDraw
from smolville.agents.routines import Reuse
from smolville.history.memory_rows import FOREVER
from smolville.history.tables import TEXTS, Codec, Table, has_table

DRAWS_TABLE = """
CREATE TABLE IF NOT EXISTS draws (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, step TEXT NOT NULL, memories TEXT NOT NULL,
    sizes TEXT NOT NULL, among INTEGER NOT NULL, clusters INTEGER NOT NULL, alike REAL NOT NULL
)
"""
_DRAW_COLUMNS = ("agent", "tick", "step", "memories", "sizes", "among", "clusters", "alike")
_SIZES = Codec(lambda numbers: dumps(list(numbers)), lambda text: tuple(map(int, loads(text))))
DRAWS = Table(
    "draws",
    MemoryDraw,
    {name: name for name in _DRAW_COLUMNS},
    {"memories": TEXTS, "sizes": _SIZES},
)

REUSES_TABLE = """
CREATE TABLE IF NOT EXISTS reuses (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, kind TEXT NOT NULL, activity TEXT NOT NULL,
    matched TEXT NOT NULL, similarity REAL NOT NULL, learnt INTEGER NOT NULL,
    since INTEGER NOT NULL, until INTEGER NOT NULL, tasks TEXT NOT NULL
)
"""
_REUSE_COLUMNS = (
    *("agent", "tick", "kind", "activity", "matched", "similarity", "learnt", "since", "until"),
    "tasks",
)
REUSES = Table("reuses", Reuse, {name: name for name in _REUSE_COLUMNS}, {"tasks": TEXTS})

NEEDS_TABLE = """
CREATE TABLE IF NOT EXISTS needs (
    agent TEXT NOT NULL, tick INTEGER NOT NULL, at INTEGER NOT NULL, levels TEXT NOT NULL,
    urgent TEXT NOT NULL
)
"""
LEVELS = Codec(lambda levels: dumps(levels, separators=(",", ":")), lambda text: dict(loads(text)))
_NEED_COLUMNS = ("agent", "tick", "at", "levels", "urgent")
NEEDS = Table("needs", NeedsRow, {name: name for name in _NEED_COLUMNS}, {"levels": LEVELS})

HAPPENINGS_TABLE = """
CREATE TABLE IF NOT EXISTS happenings (
    entity TEXT NOT NULL, tick INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
    place TEXT NOT NULL, who TEXT NOT NULL, until INTEGER NOT NULL
)
"""
HAPPENINGS = Table("happenings", Happening, {item.name: item.name for item in fields(Happening)})

REACHED_TABLE = """
CREATE TABLE IF NOT EXISTS reached (agent TEXT PRIMARY KEY, tick INTEGER NOT NULL) WITHOUT ROWID
"""
"""Ticks that agents have reached without a commit of their own. Histories of earlier versions lack
this table."""

_KEEP = (
    "INSERT INTO reached (agent, tick) VALUES (?, ?) "
    "ON CONFLICT (agent) DO UPDATE SET tick = max(tick, excluded.tick)"
)


def draws_of(
    connection: sqlite3.Connection, agent: str = "", since: int = 0, until: int = FOREVER
) -> list[MemoryDraw]:
    """Return the memories drawn at random for steps from tick `since` to tick `until`.

    An empty `agent` means everybody.
    """
    if not has_table(connection, DRAWS.name):
        return []
    query = (
        f"{DRAWS.select} WHERE tick BETWEEN ? AND ? AND (agent = ? OR ? = '') "
        "ORDER BY tick, agent, rowid"
    )
    given = (since, until, agent, agent)
    return [DRAWS.row(cells) for cells in connection.execute(query, given)]


def reuses_until(
    connection: sqlite3.Connection, since: int = 0, until: int = FOREVER
) -> list[Reuse]:
    """Return the reuses of routines from tick `since` to tick `until`, in order."""
    if not has_table(connection, REUSES.name):
        return []
    query = f"{REUSES.select} WHERE tick BETWEEN ? AND ? ORDER BY tick, agent, rowid"
    return [REUSES.row(cells) for cells in connection.execute(query, (since, until))]


def needs_of(
    connection: sqlite3.Connection, agent: str, since: int = 0, until: int = FOREVER
) -> list[NeedsRow]:
    """Return the levels of an agent's needs from tick `since` to tick `until`, in order of time."""
    if not has_table(connection, NEEDS.name):
        return []
    query = f"{NEEDS.select} WHERE agent = ? AND tick BETWEEN ? AND ? ORDER BY at, rowid"
    return [NEEDS.row(cells) for cells in connection.execute(query, (agent, since, until))]


def happenings_between(
    connection: sqlite3.Connection, since: int = 0, until: int = FOREVER
) -> list[Happening]:
    """Return the happenings from tick `since` to tick `until`, in order."""
    if not has_table(connection, HAPPENINGS.name):
        return []
    query = f"{HAPPENINGS.select} WHERE tick BETWEEN ? AND ? ORDER BY tick, entity, rowid"
    return [HAPPENINGS.row(cells) for cells in connection.execute(query, (since, until))]


def keep_reached(connection: sqlite3.Connection, reached: Mapping[str, int]) -> None:
    """Record the last tick that each of these agents has completed.

    This is part of the caller's transaction.
    """
    if reached:
        connection.executemany(_KEEP, reached.items())


def cut_reached(connection: sqlite3.Connection, tick: int) -> None:
    """Set the recorded progress of all agents who are beyond a tick back to that tick."""
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
