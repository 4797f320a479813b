"""A step's rule for the stand-in: its answer, and its random choices.

Each choice is a hash of its own key, never a number from a shared stream.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeVar

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


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """The answer of a step's rule, before the stand-in puts a mistake into it."""

    answer: dict[str, Any]
    """Plain JSON values, fields in the order of writing."""
    used: tuple[str, ...] = ()
    """Texts taken from the inputs: the rendered messages must show each of them."""
    repaired: dict[str, Any] | None = None
    """The answer after a repair message has objected to the first one, if it differs from that."""


Rule = Callable[[Dice], RuleAnswer]
"""A step's rule for the stand-in, bound to the inputs of one call."""
