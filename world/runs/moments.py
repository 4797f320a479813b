"""What a history says of a moment: how far it is, and the latest state of bodies and objects.

Plain queries on a connection: the owner asks them when it opens a run, the reader for any tick.
"""

import sqlite3
from dataclasses import dataclass
from json import loads

from world.records import Intervention, MindRow, ObjectState
from world.runs.calls import Unpacker
from world.runs.memory_rows import FOREVER
from world.runs.tables import INTERVENTIONS, OBJECTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Until when a run was asked to go on."""

    at: int
    """Town seconds."""
    tick: int
    """The last tick that had been done when it was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """Where one agent's history stands."""

    body: str | None
    """Its body's state, JSON, as last committed; None before the first commit."""
    mind: MindRow | None
    """Its last checkpoint; None before the first thought."""
    done: int | None
    """The last tick of a commit that names it."""


def watermark_of(connection: sqlite3.Connection) -> int | None:
    """Return the tick up to which every agent's history is complete; None before any commit."""
    row = connection.execute("SELECT watermark FROM commits ORDER BY seq DESC LIMIT 1").fetchone()
    return None if row is None else int(row[0])


def done_ticks(connection: sqlite3.Connection) -> dict[str, int]:
    """Return each agent's last committed tick."""
    done: dict[str, int] = {}
    rows = connection.execute(
        "SELECT agents, MAX(tick) FROM commits JOIN clusters ON clusters.id = cluster "
        "GROUP BY cluster ORDER BY cluster"
    )
    for names, tick in rows:
        for name in loads(names):
            done[name] = max(tick, done.get(name, tick))
    return done


def body_at(connection: sqlite3.Connection, agent: str, tick: int = FOREVER) -> str | None:
    """Return an agent's body as it was when `tick` was done."""
    row = connection.execute(
        "SELECT state FROM bodies WHERE agent = ? AND tick <= ? ORDER BY tick DESC LIMIT 1",
        (agent, tick),
    ).fetchone()
    return None if row is None else str(row[0])


def mind_at(
    connection: sqlite3.Connection, unpacker: Unpacker, agent: str, tick: int = FOREVER
) -> MindRow | None:
    """Return an agent's last checkpoint as of `tick`."""
    row = connection.execute(
        "SELECT tick, checkpoint_id, blob FROM minds WHERE agent = ? AND tick <= ? "
        "ORDER BY tick DESC LIMIT 1",
        (agent, tick),
    ).fetchone()
    if row is None:
        return None
    blob = unpacker.unpack(row[2])
    return MindRow(agent=agent, tick=row[0], checkpoint_id=row[1], blob=blob)


def objects_at(connection: sqlite3.Connection, tick: int = FOREVER) -> dict[str, ObjectState]:
    """Return the last state of every object that ever changed, by address."""
    rows = connection.execute(
        f"{OBJECTS.select} WHERE tick <= ? ORDER BY address, tick, rowid", (tick,)
    )
    return {row.address: row for row in map(OBJECTS.row, rows)}


def interventions_after(connection: sqlite3.Connection, tick: int) -> list[Intervention]:
    """Return the interventions that hold from a tick beyond `tick` on, in their order."""
    rows = connection.execute(f"{INTERVENTIONS.select} WHERE tick > ? ORDER BY tick, n", (tick,))
    return [INTERVENTIONS.row(cells) for cells in rows]


def latest_goal(connection: sqlite3.Connection) -> Goal | None:
    """Return until when the run was last asked to go on."""
    row = connection.execute("SELECT at, tick FROM goals ORDER BY seq DESC LIMIT 1").fetchone()
    return None if row is None else Goal(at=row[0], tick=row[1])
