"""Finds the place of a memory by its id or its text, which are kept elsewhere."""

from array import array
from collections.abc import Callable

_FREE = -1
_HASH = 0xFFFFFFFF
"""The part of a key's hash that is kept."""


class KeyTable:
    """An open-addressed table of places by key: twelve to twenty-four bytes each, without the keys.

    A dict with the keys takes ten times as much. `key_at` returns the key of a place; it is asked
    only where the hashes are equal.
    """

    def __init__(self, key_at: Callable[[int], str]) -> None:
        self._key_at = key_at
        self._cells = array("q", [_FREE]) * 8
        """A place, and above it the key's hash."""
        self._size = 0

    def find(self, key: str) -> int | None:
        """Return the place of a key, else None."""
        cell = self._cells[self._look_for(key)]
        return None if cell == _FREE else cell & _HASH

    def put(self, key: str, place: int) -> None:
        """Store the place of a key, replacing its former one."""
        at = self._look_for(key)
        if self._cells[at] == _FREE:
            self._size += 1
        self._cells[at] = (hash(key) & _HASH) >> 1 << 32 | place
        if 3 * self._size > 2 * len(self._cells):
            self._grow()

    def _look_for(self, key: str) -> int:
        """Return the slot of a key, or the free slot where it belongs."""
        cells, mask = self._cells, len(self._cells) - 1
        mark = (hash(key) & _HASH) >> 1
        at = mark & mask
        while (cell := cells[at]) != _FREE:
            if cell >> 32 == mark and self._key_at(cell & _HASH) == key:
                break
            at = (at + 1) & mask
        return at

    def _grow(self) -> None:
        """Double the size of the table."""
        old, self._cells = self._cells, array("q", [_FREE]) * (2 * len(self._cells))
        mask = len(self._cells) - 1
        for cell in old:
            if cell != _FREE:
                at = (cell >> 32) & mask
                while self._cells[at] != _FREE:
                    at = (at + 1) & mask
                self._cells[at] = cell
