"""Queries that a history's owner, its readers and the page share, and memories as rows.

Every later change of a memory is a row of its own.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from json import dumps, loads

from smolville.agents.entities import Happening
from smolville.agents.errors import InternalError
from smolville.agents.memory import Change, Memory, apply_change
from smolville.agents.needs import NeedsRow
from smolville.agents.routines import Reuse
from smolville.agents.stream import MemoryDraw
from smolville.agents.times import Clock
from smolville.history.records import (
    DRAWS,
    HAPPENINGS,
    INTERVENTIONS,
    MEMORIES,
    NEEDS,
    REUSES,
    Intervention,
    MindRow,
    Move,
    Tile,
)

FOREVER = 1 << 62
"""A tick later than any in a history."""
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


_CHANGES = (
    "SELECT kind, tick, at, memories, value, reason FROM changes "
    "WHERE agent = ? AND tick <= ? ORDER BY tick, n"
)
_MADE = f"SELECT n, {MEMORIES.listing} FROM memories"  # noqa: S608
_APPEND = (
    "INSERT INTO changes (agent, tick, n, kind, at, memories, value, reason) VALUES (?, ?, "
    "(SELECT COALESCE(MAX(n) + 1, 0) FROM changes WHERE agent = ? AND tick = ?), ?, ?, ?, ?, ?)"
)

NUMBERS_KEPT = 4096
"""Number of memories whose row numbers are cached; they are forgotten all at once."""


class MemoryRows:
    """Writes memories and changes; caches the row numbers of recently written memories."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._numbers: dict[str, tuple[int, str]] = {}

    def forget(self) -> None:
        """Clear the cached numbers, after the transaction was rolled back."""
        self._numbers.clear()

    def add(self, memories: Iterable[Memory]) -> None:
        """Write new memories."""
        if len(self._numbers) > NUMBERS_KEPT:
            self._numbers.clear()
        for memory in memories:
            cursor = self._connection.execute(MEMORIES.insert, MEMORIES.cells(memory))
            self._numbers[memory.id] = (int(cursor.lastrowid or 0), memory.agent)

    def change(self, changes: Sequence[Change]) -> None:
        """Write changes; one row holds consecutive equal changes of several memories."""
        for (agent, tick, kind, at, value, reason), group in groupby(changes, self._change_row):
            numbers = dumps([self._numbers[change.id][0] for change in group])
            cells = (agent, tick, agent, tick, kind, at, numbers, value, reason)
            self._connection.execute(_APPEND, cells)

    def _change_row(self, change: Change) -> tuple[str, int, str, int, int | None, str]:
        known = self._numbers.get(change.id) or self._find(change.id)
        return (known[1], change.tick, change.kind, change.at, change.value, change.reason)

    def _find(self, memory: str) -> tuple[int, str]:
        row = self._connection.execute(
            "SELECT n, agent FROM memories WHERE id = ?", (memory,)
        ).fetchone()
        if row is None:
            raise InternalError(f"a change names the memory {memory!r}, which was never made")
        self._numbers[memory] = (row[0], row[1])
        return self._numbers[memory]


def memories_of_all(connection: sqlite3.Connection) -> list[Memory]:
    """Return everybody's memories as they are now, in the order of their commits."""
    return _brought_up(connection, connection.execute(f"{_MADE} ORDER BY n"), FOREVER)


def memories_at(connection: sqlite3.Connection, agent: str, tick: int = FOREVER) -> list[Memory]:
    """Return an agent's memories as they were at the end of `tick`, oldest first."""
    rows = connection.execute(f"{_MADE} WHERE agent = ? AND tick <= ? ORDER BY n", (agent, tick))
    return _brought_up(connection, rows, tick)


def changes_of(connection: sqlite3.Connection, agent: str, tick: int = FOREVER) -> list[Change]:
    """Return the changes to an agent's memories up to `tick`, in their order."""
    rows = connection.execute("SELECT n, id FROM memories WHERE agent = ?", (agent,))
    ids: dict[int, str] = dict(rows)
    return [change for _, change in _numbered_changes(connection, ids, agent, tick)]


def _brought_up(connection: sqlite3.Connection, rows: sqlite3.Cursor, tick: int) -> list[Memory]:
    """Return memories as they were at the end of `tick`, by applying their changes up to it."""
    made = {number: MEMORIES.row(cells) for number, *cells in rows}
    ids = {number: memory.id for number, memory in made.items()}
    for agent in dict.fromkeys(memory.agent for memory in made.values()):
        for number, change in _numbered_changes(connection, ids, agent, tick):
            made[number] = apply_change(made[number], change)
    return list(made.values())


def _numbered_changes(
    connection: sqlite3.Connection, ids: dict[int, str], agent: str, tick: int
) -> Iterator[tuple[int, Change]]:
    for kind, when, at, numbers, value, reason in connection.execute(_CHANGES, (agent, tick)):
        for number in loads(numbers):
            yield (
                number,
                Change(id=ids[number], kind=kind, tick=when, at=at, value=value, reason=reason),
            )
