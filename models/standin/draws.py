"""The stand-in's random choices: hashes of what a choice is about, never a shared stream."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

Item = TypeVar("Item")

_SPAN = 1 << 63


class Dice:
    """Choices that depend on a key alone; the same key and name always give the same choice."""

    __slots__ = ("_key",)

    def __init__(self, *key: object) -> None:
        """Set the key of all choices."""
        self._key = blake2b("\x1f".join(map(str, key)).encode(), digest_size=16)

    def draw(self, *name: object) -> int:
        """Return an integer in [0, 2**63)."""
        state = self._key.copy()
        state.update("\x1f".join(map(str, name)).encode())
        return int.from_bytes(state.digest()[:8], "big") >> 1

    def fraction(self, *name: object) -> float:
        """Return a number in [0, 1)."""
        return self.draw(*name) / _SPAN

    def pick(self, items: Sequence[Item], *name: object) -> Item:
        """Return one of `items` (not empty)."""
        return items[self.draw(*name) % len(items)]

    def shuffled(self, items: Sequence[Item], *name: object) -> list[Item]:
        """Return `items` in a shuffled order."""
        order = sorted(range(len(items)), key=lambda at: (self.draw(*name, at), at))
        return [items[at] for at in order]
