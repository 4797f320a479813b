"""Queries that a history's owner, its readers and the page share."""

import sqlite3
from dataclasses import dataclass
from json import loads

from smolville.agents.entities import Happening
from smolville.agents.needs import NeedsRow
from smolville.agents.routines import Reuse
from smolville.agents.stream import MemoryDraw
from smolville.agents.times import Clock
from smolville.history.memory_rows import FOREVER
from smolville.history.records import Intervention, MindRow, Move, Tile
from smolville.history.tables import DRAWS, HAPPENINGS, INTERVENTIONS, NEEDS, REUSES

EDITED = "templates"
"""Kind of the intervention that changes templates."""
COMINGS = ("visitor_enters", "visitor_calls")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGoal:
    """The goal of a run: until when it was asked to go on."""

    at: int
    """Town second of the goal."""
    tick: int
    """The last tick that was done when the goal was set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """The last recorded state of one agent."""

    body: str | None
    """The body's state as JSON, as last committed; None before the first commit."""
    mind: MindRow | None
    """The mind; None before the first thought."""
    done: int | None
    """The last committed tick of the agent; None before the first commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One stay of a visitor, or one call from outside."""

    name: str
    about: str
    """What the operator wrote about the visitor or caller; it may be empty."""
    came: int
    """Tick at which the visitor came or called."""
    left: int | None
    """Tick from which the visitor is gone; None while the visitor stays."""
    by_telephone: bool


def watermark_of(connection: sqlite3.Connection) -> int | None:
    """Return the tick up to which every agent's history is complete; None before any commit."""
    row = connection.execute("SELECT watermark FROM commits ORDER BY seq DESC LIMIT 1").fetchone()
    return None if row is None else int(row[0])


def latest_goal(connection: sqlite3.Connection) -> RunGoal | None:
    """Return the goal that was last set for the run, else None."""
    row = connection.execute("SELECT at, tick FROM goals ORDER BY seq DESC LIMIT 1").fetchone()
    return None if row is None else RunGoal(at=row[0], tick=row[1])


def body_at(connection: sqlite3.Connection, agent: str, tick: int = FOREVER) -> str | None:
    """Return the state of an agent's body in the town at the end of `tick`, as JSON."""
    row = connection.execute(
        "SELECT state FROM bodies WHERE agent = ? AND tick <= ? ORDER BY tick DESC LIMIT 1",
        (agent, tick),
    ).fetchone()
    return None if row is None else str(row[0])


def interventions_after(connection: sqlite3.Connection, tick: int) -> list[Intervention]:
    """Return the interventions that take effect after `tick`, in order."""
    return INTERVENTIONS.read(connection, "WHERE tick > ? ORDER BY tick, n", tick)


def draws_of(
    connection: sqlite3.Connection, agent: str = "", since: int = 0, until: int = FOREVER
) -> list[MemoryDraw]:
    """Return the memories drawn at random for steps; an empty `agent` means everybody."""
    rest = "WHERE tick BETWEEN ? AND ? AND (agent = ? OR ? = '') ORDER BY tick, agent, rowid"
    return DRAWS.read(connection, rest, since, until, agent, agent)


def reuses_until(
    connection: sqlite3.Connection, since: int = 0, until: int = FOREVER
) -> list[Reuse]:
    """Return the reuses of routines from tick `since` to tick `until`, in order."""
    rest = "WHERE tick BETWEEN ? AND ? ORDER BY tick, agent, rowid"
    return REUSES.read(connection, rest, since, until)


def needs_of(
    connection: sqlite3.Connection, agent: str, since: int = 0, until: int = FOREVER
) -> list[NeedsRow]:
    """Return the levels of an agent's needs from tick `since` to tick `until`, in order of time."""
    rest = "WHERE agent = ? AND tick BETWEEN ? AND ? ORDER BY at, rowid"
    return NEEDS.read(connection, rest, agent, since, until)


def happenings_between(
    connection: sqlite3.Connection, since: int = 0, until: int = FOREVER
) -> list[Happening]:
    """Return the happenings from tick `since` to tick `until`, in order."""
    rest = "WHERE tick BETWEEN ? AND ? ORDER BY tick, entity, rowid"
    return HAPPENINGS.read(connection, rest, since, until)


def visits_until(connection: sqlite3.Connection, until: int) -> list[Visit]:
    """Return who came or called up to a tick, as known at the end of that tick."""
    rows = connection.execute(
        "SELECT target, tick, kind, text FROM interventions WHERE kind IN (?, ?) AND tick <= ? "
        "ORDER BY tick, n",
        (*COMINGS, until),
    ).fetchall()
    return [
        Visit(
            name=name,
            about=str(loads(text).get("about", "")),
            came=tick,
            left=tick if kind == "visitor_calls" else _departure(connection, name, tick, until),
            by_telephone=kind == "visitor_calls",
        )
        for name, tick, kind, text in rows
    ]


def _departure(connection: sqlite3.Connection, name: str, came: int, until: int) -> int | None:
    """Return the tick from which a visitor who came at tick `came` is gone; None if they stay."""
    (leaving,) = connection.execute(
        "SELECT MIN(tick) FROM interventions WHERE kind = 'visitor_leaves' AND target = ? "
        "AND tick BETWEEN ? AND ?",
        (name, came, until),
    ).fetchone()
    body = None if leaving is None else body_at(connection, name, leaving)
    left = -1 if body is None else int(loads(body)["left"])
    return left if left >= 0 else None


def tile_at(move: Move, tick: int, clock: Clock) -> Tile:
    """Return the tile that a walking agent has reached at the start of `tick`."""
    walked = clock.tiles_walked(max(0, tick - move.tick))
    return move.path[min(walked, len(move.path) - 1)]
