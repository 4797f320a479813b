"""A memory as the vector store keeps it: its text, its fields as plain cells, and its vector.

Here is also which embedder made a run's memories, and when it is another. A collection that is made
beside the one in force bears a mark from its beginning until everything is done. So another
embedder's collection with a mark was never in force, and may be dropped.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import blake2b
from json import dumps, loads
from operator import attrgetter
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from agents.memory import Memory

Vectors = NDArray[np.float32]
Cell = str | int | float | bool

LATER = ("importance", "accessed", "expires", "strength")
"""Fields that change after a memory was made."""
_LISTS = ("keywords", "evidence")
_CHECK = "vector_check"
_NAMES = tuple(item.name for item in fields(Memory) if item.name not in ("id", "text"))
_values_of = attrgetter(*_NAMES)


@dataclass(frozen=True, slots=True)
class Record:
    """One record as the store gave it."""

    text: str
    cells: Mapping[str, Any]
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Stored:
    """Everything in the store, oldest first, as of the last pause or end; one vector a row."""

    memories: tuple[Memory, ...]
    vectors: Vectors
    """Shape (memories, dimension)."""


def cells_of(memory: Memory, vector: Vectors) -> dict[str, Cell]:
    """Return a memory's cells with a check sum of its vector; a missing one stands for None."""
    cells: dict[str, Any] = dict(zip(_NAMES, _values_of(memory), strict=True))
    cells |= {name: dumps(cells[name], ensure_ascii=False) for name in _LISTS}
    cells[_CHECK] = crc32(np.ascontiguousarray(vector, np.float32).tobytes())
    return {name: cell for name, cell in cells.items() if cell is not None}


def memory_of(memory_id: str, record: Record) -> Memory:
    """Return the memory that lies in a record."""
    cells = {name: cell for name, cell in record.cells.items() if name != _CHECK}
    cells |= {name: tuple(loads(cells[name])) for name in _LISTS}
    return Memory(id=memory_id, text=record.text, **cells)


def agrees(memory: Memory, record: Record) -> bool:
    """Return whether a record is this memory's, its vector unharmed; changes may be behind."""
    return record.text == memory.text and _fixed(record.cells) == _fixed(
        cells_of(memory, record.vector)
    )


def changed_cells(memory: Memory) -> dict[str, Cell | None]:
    """Return the cells that may have changed since a memory was made; None takes one out."""
    return {name: getattr(memory, name) for name in LATER}


def is_current(memory: Memory, record: Record) -> bool:
    """Return whether a record knows of every change to its memory."""
    return changed_cells(memory) == {name: record.cells.get(name) for name in LATER}


def _fixed(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells that stay as they were made."""
    return {name: cell for name, cell in cells.items() if name not in LATER}


@dataclass(frozen=True, slots=True)
class Mark:
    """What a re-embedding writes on the collection it makes."""

    id: str
    """Of the intervention that records it."""
    text: str
    """From which embedder to which: `words -> ollama:nomic-embed-text`."""


@dataclass(frozen=True, slots=True)
class MadeBy:
    """An embedder by its name, and how many numbers it gives a text."""

    name: str
    dimension: int
    mark: Mark | None = None

    def cells(self) -> dict[str, str | int]:
        """Return this as a collection's metadata."""
        plain: dict[str, str | int] = {"embedder": self.name, "dimension": self.dimension}
        return plain | ({"mark": self.mark.id, "mark_text": self.mark.text} if self.mark else {})

    def collection(self) -> str:
        """Return the name of its collection."""
        plain = re.sub(r"[^a-zA-Z0-9]+", "-", self.name).strip("-")[:40]
        key = blake2b(f"{self.name}|{self.dimension}".encode(), digest_size=4).hexdigest()
        return f"memories-{plain}-{key}"


def made_by(cells: Mapping[str, Any] | None) -> MadeBy:
    """Return the embedder that a collection's metadata names."""
    known = cells or {}
    mark = Mark(str(known["mark"]), str(known.get("mark_text", ""))) if "mark" in known else None
    dimension = known.get("dimension")
    return MadeBy(
        str(known.get("embedder", "")), dimension if isinstance(dimension, int) else 0, mark
    )


def refusal(run: str, made: MadeBy, asked: MadeBy) -> str:
    """Return why a run's memories cannot be read with an embedder, and what to do about it."""
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
