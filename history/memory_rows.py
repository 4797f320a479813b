"""Memories as rows of the history: every later change of a memory is a row of its own."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from json import dumps, loads

from smolville.agents.errors import InternalError
from smolville.agents.memory import Change, Memory
from smolville.agents.memory_records import apply_change
from smolville.history.tables import MEMORIES

FOREVER = 1 << 62
"""A tick later than any in a history."""

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
