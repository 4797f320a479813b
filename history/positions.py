"""Where agents stood at a moment, derived from the recorded walks."""

import sqlite3

from agents.clock import Clock
from history.memory_rows import FOREVER
from history.records import Move, Tile
from history.tables import MOVES


def tile_at(move: Move, tick: int, clock: Clock) -> Tile:
    """Return the tile of a walk on which the agent stands at the start of `tick`."""
    walked = clock.tiles_walked(max(0, tick - move.tick))
    return move.path[min(walked, len(move.path) - 1)]


def moves_between(
    connection: sqlite3.Connection, agent: str | None, since: int, until: int
) -> list[Move]:
    """Return the walks under way at any tick from `since` to `until`; `agent` None: of all."""
    whose, given = ("", ()) if agent is None else (" AND agent = ?", (agent,))
    rows = connection.execute(
        f"{MOVES.select} WHERE tick <= ? AND end_tick >= ?{whose} ORDER BY tick, agent, rowid",
        (until, since, *given),
    )
    return [MOVES.row(cells) for cells in rows]


def last_move(connection: sqlite3.Connection, agent: str, tick: int = FOREVER) -> Move | None:
    """Return the last walk that an agent began up to a tick, else None."""
    cells = connection.execute(
        f"{MOVES.select} WHERE agent = ? AND tick <= ? ORDER BY tick DESC, rowid DESC LIMIT 1",
        (agent, tick),
    ).fetchone()
    return None if cells is None else MOVES.row(cells)
