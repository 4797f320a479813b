"""A memory as the vector store keeps it: its text, its fields as plain cells, and its vector."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from json import dumps, loads
from operator import attrgetter
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from agents.memory import Memory

Vectors = NDArray[np.float32]
Cell = str | int | float | bool

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


def cells_of(memory: Memory, vector: Vectors) -> dict[str, Cell]:
    """Return a memory's cells with a check sum of its vector; a missing one stands for None."""
    cells: dict[str, Any] = dict(zip(_NAMES, _values_of(memory), strict=True))
    cells |= {name: dumps(cells[name], ensure_ascii=False) for name in _LISTS}
    cells[_CHECK] = crc32(np.ascontiguousarray(vector, np.float32).tobytes())
    return {name: cell for name, cell in cells.items() if cell is not None}


def memory_of(memory_id: str, record: Record) -> Memory:
    """Return the memory that lies in a record, as it was made."""
    cells = {name: cell for name, cell in record.cells.items() if name != _CHECK}
    cells |= {name: tuple(loads(cells[name])) for name in _LISTS}
    return Memory(id=memory_id, text=record.text, **cells)


def agrees(memory: Memory, record: Record) -> bool:
    """Return whether a record is this memory's, its vector unharmed."""
    return record.text == memory.text and dict(record.cells) == cells_of(memory, record.vector)
