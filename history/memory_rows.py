"""Memories on disk: rows of the history, and records of the vector store.

In the history, every later change of a memory is a row of its own, with its tick. The vector store
has a memory's text, its fields as plain cells, and its vector.

This module also records which embedder made a run's vectors, so that another embedder is noticed.
When a run changes its embedder, a second collection is built beside the first, and carries a mark
until it is complete. So a collection that still has its mark was never in use, and may be dropped.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from itertools import groupby
from json import dumps, loads
from operator import attrgetter
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

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
    rows = connection.execute(f"{_MADE} ORDER BY n")
    made = {cells[0]: MEMORIES.row(cells[1:]) for cells in rows}
    return _brought_up(connection, made, FOREVER)


def memories_at(connection: sqlite3.Connection, agent: str, tick: int = FOREVER) -> list[Memory]:
    """Return an agent's memories as they were at the end of `tick`, oldest first."""
    rows = connection.execute(f"{_MADE} WHERE agent = ? AND tick <= ? ORDER BY n", (agent, tick))
    made = {cells[0]: MEMORIES.row(cells[1:]) for cells in rows}
    return _brought_up(connection, made, tick)


def changes_of(connection: sqlite3.Connection, agent: str, tick: int = FOREVER) -> list[Change]:
    """Return the changes to an agent's memories up to `tick`, in their order."""
    rows = connection.execute("SELECT n, id FROM memories WHERE agent = ?", (agent,))
    ids: dict[int, str] = dict(rows)
    return [change for _, change in _numbered_changes(connection, ids, agent, tick)]


def _brought_up(connection: sqlite3.Connection, made: dict[int, Memory], tick: int) -> list[Memory]:
    """Return memories as they were at the end of `tick`, by applying their changes up to it.

    `made` holds the memories as they were created, by row number, and is updated too.
    """
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


Vectors = NDArray[np.float32]
Cell = str | int | float | bool

_LISTS = ("keywords", "evidence")
LATER = ("importance", "accessed", "expires", "strength")
"""Fields that may change after a memory was made."""
_CHECK = "vector_check"
_NAMES = tuple(item.name for item in fields(Memory) if item.name not in ("id", "text"))
_values_of = attrgetter(*_NAMES)


@dataclass(frozen=True, slots=True)
class VectorRecord:
    """One record as read from the vector store."""

    text: str
    cells: Mapping[str, Any]
    vector: Vectors


@dataclass(frozen=True, slots=True)
class StoredMemories:
    """Memories read from the store, each with its vector."""

    memories: tuple[Memory, ...]
    vectors: Vectors
    """The memories' vectors: shape (memories, dimension)."""


def cells_of(memory: Memory, vector: Vectors) -> dict[str, Cell]:
    """Return a memory's cells with a check sum of its vector; fields that are None are omitted."""
    cells: dict[str, Any] = dict(zip(_NAMES, _values_of(memory), strict=True))
    cells |= {name: dumps(cells[name], ensure_ascii=False) for name in _LISTS}
    cells[_CHECK] = crc32(np.ascontiguousarray(vector, np.float32).tobytes())
    return {name: cell for name, cell in cells.items() if cell is not None}


def memory_of(memory_id: str, record: VectorRecord) -> Memory:
    """Return the memory stored in a record."""
    cells = {name: cell for name, cell in record.cells.items() if name != _CHECK}
    cells |= {name: tuple(loads(cells[name])) for name in _LISTS}
    return Memory(id=memory_id, text=record.text, **cells)


def is_same_memory(memory: Memory, record: VectorRecord) -> bool:
    """Return whether a record belongs to this memory and its vector is intact.

    Later changes of the memory may be missing from the record.
    """
    return record.text == memory.text and _select_fixed_cells(record.cells) == _select_fixed_cells(
        cells_of(memory, record.vector)
    )


def changed_cells(memory: Memory) -> dict[str, Cell | None]:
    """Return the cells that may have changed since a memory was made; None removes a cell."""
    return {name: getattr(memory, name) for name in LATER}


def is_current(memory: Memory, record: VectorRecord) -> bool:
    """Return whether a record has every change of its memory."""
    return changed_cells(memory) == {name: record.cells.get(name) for name in LATER}


def _select_fixed_cells(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells that never change."""
    return {name: cell for name, cell in cells.items() if name not in LATER}


@dataclass(frozen=True, slots=True)
class ReembeddingMark:
    """The mark on a collection that a re-embedding is building and has not finished."""

    id: str
    """Id of the intervention that records the re-embedding."""
    text: str
    """The old and the new embedder: `words -> ollama:nomic-embed-text`."""


@dataclass(frozen=True, slots=True)
class MadeBy:
    """The embedder that made a collection: its name, and the dimension of its vectors."""

    name: str
    dimension: int
    mark: ReembeddingMark | None = None

    def cells(self) -> dict[str, str | int]:
        """Return the metadata of a collection made by this embedder."""
        plain: dict[str, str | int] = {"embedder": self.name, "dimension": self.dimension}
        return plain | ({"mark": self.mark.id, "mark_text": self.mark.text} if self.mark else {})

    def collection(self) -> str:
        """Return the name of this embedder's collection."""
        plain = re.sub(r"[^a-zA-Z0-9]+", "-", self.name).strip("-")[:40]
        key = blake2b(f"{self.name}|{self.dimension}".encode(), digest_size=4).hexdigest()
        return f"memories-{plain}-{key}"


def made_by(cells: Mapping[str, Any] | None) -> MadeBy:
    """Return the embedder recorded in a collection's metadata."""
    known = cells or {}
    mark = (
        ReembeddingMark(str(known["mark"]), str(known.get("mark_text", "")))
        if "mark" in known
        else None
    )
    dimension = known.get("dimension")
    return MadeBy(
        str(known.get("embedder", "")), dimension if isinstance(dimension, int) else 0, mark
    )


def refusal(run: str, made: MadeBy, asked: MadeBy) -> str:
    """Return a message: why a run's memories cannot be used with an embedder, and what to do."""
    if made.name == asked.name:
        why = (
            f"the model behind {asked.name!r} was changed: it gives {asked.dimension} numbers a "
            f"text, and gave {made.dimension} when the memories of run {run!r} were embedded; give "
            "it the former one again"
        )
    else:
        why = (
            f"the memories of run {run!r} were embedded by {made.name!r} ({made.dimension} numbers "
            f"a text), not by {asked.name!r} ({asked.dimension}); ask for that embedder"
        )
    return (
        f"{why}, or have every text embedded again: "
        f"`smolville reembed {run} --embedder {asked.name}`"
    )
