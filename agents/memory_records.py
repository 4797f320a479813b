"""The memories of one stream, with the values that recall scores as arrays."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from smolville.agents.memory import Change, Memory, MemoryKind

Items = TypeVar("Items", bound=np.generic)

NEVER = np.iinfo(np.int64).max
"""Town second that stands for a memory that never expires."""


class MemoryRecords:
    """One agent's memories in their current state, by their position in the stream."""

    def __init__(self) -> None:
        self._held: list[Memory] = []
        self._ids: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        """The position of the latest memory of a text."""
        self._accessed = np.zeros(0, np.int64)
        self._expires = np.zeros(0, np.int64)
        self._weights = np.zeros(0, np.int8)

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Memory]:
        return iter(self._held)

    @property
    def accessed(self) -> NDArray[np.int64]:
        """Town second of each memory's last access."""
        return self._accessed[: len(self)]

    @property
    def expires(self) -> NDArray[np.int64]:
        """Town second at which each memory expires; `NEVER` if it does not expire."""
        return self._expires[: len(self)]

    @property
    def weights(self) -> NDArray[np.int8]:
        """Current importance of each memory, as rated or provisional."""
        return self._weights[: len(self)]

    def place(self, memory_id: str) -> int:
        """Return the position of a memory. Raises KeyError if there is no such memory."""
        return self._ids[memory_id]

    def add(self, memory: Memory) -> None:
        """Append a memory. Raises ValueError for a known id."""
        if memory.id in self._ids:
            raise ValueError(f"memory {memory.id!r} is already in the stream of {memory.agent}")
        at = len(self)
        for name in ("_accessed", "_expires", "_weights"):
            setattr(self, name, with_room(getattr(self, name), at + 1))
        self._held.append(memory)
        self._note(at, memory)
        self._ids[memory.id] = self._texts[memory.text] = at

    def apply(self, change: Change) -> None:
        """Apply a change to a memory. Raises KeyError for an unknown id."""
        place = self.place(change.id)
        self._held[place] = changed = apply_change(self._held[place], change)
        self._note(place, changed)

    def with_text(self, text: str, at: int) -> Memory | None:
        """Return the latest memory of exactly this text that has not expired, else None."""
        place = self._texts.get(text)
        return None if place is None or self._expires[place] <= at else self._held[place]

    def latest(self, count: int, kinds: Collection[MemoryKind] = ()) -> list[Memory]:
        """Return the last `count` memories (of these kinds), oldest first."""
        found = (each for each in reversed(self._held) if not kinds or each.kind in kinds)
        return list(islice(found, count))[::-1]

    def all_at(self, places: Sequence[int]) -> list[Memory]:
        """Return the memories at the given positions, in their current state."""
        return [self._held[place] for place in places]

    def _note(self, at: int, memory: Memory) -> None:
        self._accessed[at] = memory.accessed
        self._weights[at] = memory.weight
        self._expires[at] = NEVER if memory.expires is None else memory.expires


def apply_change(memory: Memory, change: Change) -> Memory:
    """Return `memory` after `change`; the time of the last access never decreases."""
    accessed = max(memory.accessed, change.at)
    match change.kind:
        case "access":
            return replace(memory, accessed=accessed)
        case "rate":
            return replace(memory, importance=change.value)
        case "strengthen":
            return replace(memory, accessed=accessed, strength=memory.strength + 1)
        case "expire":
            return replace(memory, expires=change.at)


def with_room(old: NDArray[Items], size: int) -> NDArray[Items]:
    """Return an array that begins with `old` and has room for `size` items and a sixteenth more.

    Doubling would copy less often, but leave a third of the room empty.
    """
    if size <= len(old):
        return old
    new: NDArray[Items] = np.zeros((max(32, size + size // 16), *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return new
