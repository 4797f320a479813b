"""Random choices computed as hashes of who, when and what; there is no shared random stream.

Two schedules that run the same thoughts in a different order get the same numbers, because each
number depends only on its key (seed, agent, tick, step, ordinal, attempt).
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

Item = TypeVar("Item")

_SPAN = 1 << 63


def draw(*key: object) -> int:
    """Return an integer in [0, 2**63) that depends on `key` alone (BLAKE2b over its parts)."""
    text = "\x1f".join(str(part) for part in key)
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def fraction(*key: object) -> float:
    """Return a number in [0, 1) that depends on `key` alone."""
    return draw(*key) / _SPAN


def pick(items: Sequence[Item], *key: object) -> Item:
    """Return one of `items` (not empty), chosen by `key` alone."""
    return items[draw(*key) % len(items)]


def shuffle_items(items: Sequence[Item], *key: object) -> list[Item]:
    """Return `items` in an order that depends only on `key` and on each item's text."""
    return sorted(items, key=lambda item: (draw(*key, item), str(item)))
