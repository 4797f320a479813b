"""Agreement between a new answer and the stored one, in their decisions and in their wording.

Both answers are compared field by field, as the answer type declares its fields, so no step needs
a rule of its own.
The deciding fields are numbers, booleans, choices, times, names that the inputs offered, and the
presence of optional values. The rest is free text, for which only the similarity of its words is
measured.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import zip_longest
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smolville.lab.evaluation.results import Result, StoredMoment
from smolville.models.embedding.words import HashedWords
from smolville.parsers.answer import Answer, Shape, shape_of
from smolville.parsers.clock import sure_clock

NAME_LENGTH = 80
"""Maximum length of a text field that can hold a name, in characters."""
BOUND = 4_000
"""Maximum number of characters compared per text."""
ITEMS = 64
"""Maximum number of list items compared."""
DEPTH = 12
"""Maximum depth at which names are searched for in the inputs."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """The similarity of two answers of the same step."""

    deciding: float | None
    """Share of the deciding fields that are equal; None for an answer that consists of free text
    only."""
    text: float | None
    """Similarity of the free texts by their words, from 0 to 1; None if there are none."""


@dataclass
class _Found:
    """The comparison results collected so far."""

    equal: list[float] = field(default_factory=list)
    texts: list[float] = field(default_factory=list)

    def add_text_pair(self, one: str, other: str, shape: Shape) -> None:
        """Add a pair of free texts, both present."""
        if _may_be_nothing(shape):
            self.equal.append(1.0)
        alike = likeness(one, other)
        if alike is not None:
            self.texts.append(alike)


def agreement(stored: StoredMoment, result: Result) -> Agreement | None:
    """Return how far a result agrees with its moment.

    Returns None when there is nothing to compare: the stored answer is a fallback, the result has
    no answer by a model, or the step is unknown.
    """
    answer = answer_types().get(stored.step)
    if answer is None or stored.outcome == "fallback" or not result.is_valid:
        return None
    return agreement_of(answer, stored.answer, result.answer, stored.inputs)


def agreement_of(
    answer: type[Answer],
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    inputs: Mapping[str, Any],
) -> Agreement:
    """Return the similarity of two answers given as plain data; `inputs` hold the offered names."""
    comparing = _Comparing(frozenset(names_among(inputs)), answer.items_field, answer.key_field)
    found = _Found()
    comparing.compare(shape_of(answer), one, other, found)
    return Agreement(deciding=_mean(found.equal), text=_mean(found.texts))


@dataclass(frozen=True)
class _Comparing:
    """One comparison: the names offered, and the field by which list items are matched."""

    offered: frozenset[str]
    items_field: str | None
    key_field: str | None

    def compare(self, shape: Shape, one: Any, other: Any, found: _Found) -> None:
        """Compare two values of a shape; the presence of an optional value counts as a decision."""
        if _is_nothing(one) or _is_nothing(other):
            if _may_be_nothing(shape):
                found.equal.append(float(_is_nothing(one) == _is_nothing(other)))
            elif _is_nothing(one) != _is_nothing(other):
                self._count_apart(shape, found)
        elif shape.kind == "object":
            self._compare_objects(shape, one, other, found)
        elif shape.kind == "list":
            self._compare_lists(shape, _items(one), _items(other), found)
        elif shape.kind == "text":
            self._compare_texts(shape, str(one), str(other), found)
        else:
            found.equal.append(float(_are_equal(shape, one, other)))

    def _compare_objects(self, shape: Shape, one: Any, other: Any, found: _Found) -> None:
        if not (isinstance(one, Mapping) and isinstance(other, Mapping)):
            self._count_apart(shape, found)
            return
        for name, inner in shape.fields.items():
            self.compare(inner, one.get(name), other.get(name), found)

    def _compare_texts(self, shape: Shape, one: str, other: str, found: _Found) -> None:
        """Compare two offered names for equality; measure the similarity of any other two texts."""
        names = one.casefold() in self.offered and other.casefold() in self.offered
        if shape.most is not None and shape.most <= NAME_LENGTH and names:
            found.equal.append(float(one.casefold() == other.casefold()))
            return
        found.add_text_pair(one, other, shape)

    def _compare_lists(
        self, shape: Shape, one: Sequence[Any], other: Sequence[Any], found: _Found
    ) -> None:
        """Compare two lists, depending on the kind of their items.

        Texts are joined and compared as one text, other plain values as sets; objects are paired by
        key, time or position.
        """
        inner = shape.item
        if inner is None:
            return
        if inner.kind == "text":
            found.add_text_pair("\n".join(map(str, one)), "\n".join(map(str, other)), shape)
        elif inner.kind != "object":
            mine, theirs = set(map(str, one)), set(map(str, other))
            found.equal.append(len(mine & theirs) / len(mine | theirs))
        else:
            key = self._key_of(shape)
            others = {name: each for name, each in inner.fields.items() if name != key}
            for left, right in _by_key(key, one, other) if key else _by_position(one, other):
                self.compare(replace(inner, fields=others), left, right, found)

    def _key_of(self, shape: Shape) -> str:
        """Return the field by which a list's items are matched; empty when there is none.

        Every correct answer has the same keys, so the key is used for pairing and not counted.
        """
        return self.key_field or "" if shape.name == self.items_field else ""

    def _count_apart(self, shape: Shape, found: _Found) -> None:
        """Count every field of a missing value as not equal."""
        if shape.kind == "object":
            for inner in shape.fields.values():
                self._count_apart(inner, found)
            return
        if shape.kind == "text":
            found.texts.append(0.0)
        if shape.kind != "text" or _may_be_nothing(shape):
            found.equal.append(0.0)


def likeness(one: str, other: str) -> float | None:
    """Return the cosine similarity of two texts' words, 0 to 1; None when both have no words."""
    if one == other:
        return 1.0 if _vector(one[:BOUND]).any() else None
    left, right = _vector(one[:BOUND]), _vector(other[:BOUND])
    size = float(np.sqrt((left @ left) * (right @ right)))
    if size == 0.0:
        return 0.0 if left.any() or right.any() else None
    return round(min(max(float(left @ right) / size, 0.0), 1.0), 4)


@lru_cache(maxsize=4096)
def _vector(text: str) -> NDArray[np.float64]:
    """Return a text's word counts as whole numbers.

    Products of whole numbers are the same on every machine.
    """
    return np.asarray(HashedWords().embed([text])[0], np.float64)


@cache
def answer_types() -> dict[str, type[Answer]]:
    """Return the answer type of every step."""
    from smolville.graphs.catalogue import STEPS

    return {step.name: step.answer for step in STEPS}


def _are_equal(shape: Shape, one: Any, other: Any) -> bool:
    """Return whether two numbers, booleans or choices are equal, or two times nearly equal."""
    if shape.kind == "clock":
        return _times_are_close(one, other)
    return type(one) is type(other) and bool(one == other)


def _items(value: Any) -> Sequence[Any]:
    return value[:ITEMS] if isinstance(value, list | tuple) else []


def _is_nothing(value: Any) -> bool:
    """Return whether a value is empty: null, an empty text or an empty list."""
    return value is None or (isinstance(value, str | list | tuple) and len(value) == 0)


def _may_be_nothing(shape: Shape) -> bool:
    """Return whether the step may leave this value empty."""
    return shape.nullable or (shape.kind == "list" and not shape.least)


def names_among(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield every text in the inputs that could be a name, case-folded."""
    if depth > DEPTH:
        return
    if isinstance(value, str):
        if len(value) <= NAME_LENGTH:
            yield value.casefold()
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from names_among(inner, depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from names_among(inner, depth + 1)


def _mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 4) if values else None


CLOSE = 30
"""Times of day at most this many minutes apart count as equal."""


def _by_key(key: str, one: Sequence[Any], other: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of items with the same key."""
    mine, theirs = _index_items(key, one), _index_items(key, other)
    for name in dict.fromkeys([*mine, *theirs]):
        yield mine.get(name), theirs.get(name)


def _by_position(one: Sequence[Any], other: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of items at the same position."""
    yield from zip_longest(one, other)


def _times_are_close(one: Any, other: Any) -> bool:
    """Return whether two times of day, in any stored form, are equal within `CLOSE`."""
    left, right = _minute(one), _minute(other)
    return left is not None and right is not None and abs(left - right) <= CLOSE


def _index_items(key: str, items: Sequence[Any]) -> dict[str, Any]:
    return {str(item.get(key)): item for item in items if isinstance(item, Mapping)}


def _minute(value: Any) -> int | None:
    """Return a time of day, in any stored form, as a minute of the day."""
    return sure_clock(value) if isinstance(value, str) else value if type(value) is int else None
