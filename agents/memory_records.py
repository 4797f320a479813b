"""The memories of one stream: arrays of the values that recall scores, and texts read on demand.

A whole memory takes six hundred bytes as an object, and is rarely looked at. So times, ratings and
kinds are kept as arrays, and only the memories used last are kept whole. Ids and texts are found by
their hashes.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from smolville.agents.memory import PROVISIONAL, Change, Memory, MemoryKind

Items = TypeVar("Items", bound=np.generic)

KEPT = 96
"""Number of memories that are kept whole if the others can be read from a source."""
NEVER = np.iinfo(np.int64).max
"""Town second that stands for a memory that never expires."""
UNRATED = -1
KINDS: tuple[str, ...] = tuple(PROVISIONAL)
"""The kinds of memories; a kind is stored as its position in this list."""


class MemorySource(Protocol):
    """Protocol for reading the memories of one stream by their position in it."""

    def append(self, memory: Memory) -> None:
        """Add the stream's next memory, so that it can be read."""
        ...

    def read(self, places: Sequence[int]) -> list[Memory]:
        """Return memories as they were created; the stream itself holds their later changes."""
        ...


class MemoryRecords:
    """One agent's memories, by their position in the stream.

    Without a `source` from which memories can be read again, all of them are kept whole.
    """

    def __init__(self, source: MemorySource | None = None) -> None:
        self._source = source
        self._size = 0
        self._held: dict[int, Memory] = {}
        """The memories that are kept whole, in their current state, by position."""
        self._ids: dict[int, int] = {}
        self._texts: dict[int, int] = {}
        """Positions by the hash of an id or a text, which takes less room than the key itself."""
        self._accessed = np.zeros(0, np.int64)
        self._expires = np.zeros(0, np.int64)
        self._importance = np.zeros(0, np.int8)
        self._weights = np.zeros(0, np.int8)
        self._strength = np.zeros(0, np.int32)
        self._kinds = np.zeros(0, np.int8)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Memory]:
        for start in range(0, self._size, KEPT):
            yield from self.all_at(range(start, min(start + KEPT, self._size)))

    @property
    def accessed(self) -> NDArray[np.int64]:
        """Town second of each memory's last access."""
        return self._accessed[: self._size]

    @property
    def expires(self) -> NDArray[np.int64]:
        """Town second at which each memory expires; `NEVER` if it does not expire."""
        return self._expires[: self._size]

    @property
    def weights(self) -> NDArray[np.int8]:
        """Current importance of each memory, as rated or provisional."""
        return self._weights[: self._size]

    def find(self, memory_id: str) -> int | None:
        """Return the position of a memory; None if there is no such memory."""
        place = self._ids.get(hash(memory_id))
        return place if place is not None and self.at(place).id == memory_id else None

    def place(self, memory_id: str) -> int:
        """Return the position of a memory. Raises KeyError if there is no such memory."""
        place = self.find(memory_id)
        if place is None:
            raise KeyError(memory_id)
        return place

    def add(self, memory: Memory) -> None:
        """Append a memory."""
        at = self._size
        self._make_room(at + 1)
        self._kinds[at] = KINDS.index(memory.kind)
        if self._source is not None:
            self._source.append(memory)
        else:
            self._held[at] = memory
        self._size += 1
        self._note(at, memory)
        self._ids[hash(memory.id)] = at
        self._texts[hash(memory.text)] = at

    def apply(self, change: Change) -> None:
        """Apply a change to a memory. Raises KeyError for an unknown id."""
        place = self.place(change.id)
        changed = apply_change(self.at(place), change)
        self._held[place] = changed
        self._note(place, changed)

    def with_text(self, text: str, at: int) -> Memory | None:
        """Return the latest memory of exactly this text that has not expired, else None."""
        place = self._texts.get(hash(text))
        found = None if place is None or self._expires[place] <= at else self.at(place)
        return found if found is not None and found.text == text else None

    def latest(self, count: int, kinds: Collection[MemoryKind] = ()) -> list[Memory]:
        """Return the last `count` memories (of these kinds), oldest first."""
        wanted = [KINDS.index(kind) for kind in kinds or KINDS]
        places = np.flatnonzero(np.isin(self._kinds[: self._size], wanted))
        return self.all_at(places[max(0, len(places) - count) :].tolist())

    def at(self, place: int) -> Memory:
        """Return the memory at a position, in its current state."""
        return self._held.get(place) or self.all_at((place,))[0]

    def all_at(self, places: Sequence[int]) -> list[Memory]:
        """Return the memories at the given positions, in their current state."""
        held = self._held
        try:
            return [held[place] for place in places]
        except KeyError:
            missing = [place for place in places if place not in held]
        assert self._source is not None, "a memory that can be read nowhere was forgotten"
        read = {
            place: self._as_now(place, memory)
            for place, memory in zip(missing, self._source.read(missing), strict=True)
        }
        found = [held[place] if place in held else read[place] for place in places]
        held.update(read)
        while len(held) > KEPT:
            del held[next(iter(held))]
        return found

    def _note(self, at: int, memory: Memory) -> None:
        """Store the values of a memory that may change later."""
        self._accessed[at] = memory.accessed
        self._weights[at] = memory.weight
        self._importance[at] = UNRATED if memory.importance is None else memory.importance
        self._strength[at] = memory.strength
        self._expires[at] = NEVER if memory.expires is None else memory.expires

    def _as_now(self, place: int, memory: Memory) -> Memory:
        importance, expires = int(self._importance[place]), int(self._expires[place])
        return replace(
            memory,
            accessed=int(self._accessed[place]),
            importance=None if importance == UNRATED else importance,
            expires=None if expires == NEVER else expires,
            strength=int(self._strength[place]),
        )

    def _make_room(self, size: int) -> None:
        for name in ("_accessed", "_expires", "_importance", "_weights", "_strength", "_kinds"):
            setattr(self, name, with_room(getattr(self, name), size))


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
