"""Pairing of the items of two lists, by a key or by position.

The functions yield pairs, with None in place of a missing counterpart.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from parsers.clock import sure_clock

CLOSE = 30
"""Times of day at most this many minutes apart count as equal."""


def by_key(key: str, one: Sequence[Any], other: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of items with the same key."""
    mine, theirs = _keyed(key, one), _keyed(key, other)
    for name in dict.fromkeys([*mine, *theirs]):
        yield mine.get(name), theirs.get(name)


def by_position(one: Sequence[Any], other: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of items at the same position."""
    yield from zip_longest(one, other)


def times_are_close(one: Any, other: Any) -> bool:
    """Return whether two times of day, in any stored form, are equal within `CLOSE`."""
    left, right = _minute(one), _minute(other)
    return left is not None and right is not None and abs(left - right) <= CLOSE


def _keyed(key: str, items: Sequence[Any]) -> dict[str, Any]:
    return {str(item.get(key)): item for item in items if isinstance(item, Mapping)}


def _minute(value: Any) -> int | None:
    """Return a time of day, in any stored form, as a minute of the day."""
    return sure_clock(value) if isinstance(value, str) else value if type(value) is int else None
