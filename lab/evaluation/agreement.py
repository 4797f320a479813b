"""What an answer decides and what it says, and how far its decisions are those of another one.

Answers are read field by field, as the answer type declares its fields, so no step needs a rule of
its own. Decisions are numbers, booleans, choices, times, names that the inputs offered, and the
presence of optional values. The rest is free text.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from smolville.lab.evaluation.results import Result, StoredMoment
from smolville.parsers.answer import Answer, Shape, shape_of
from smolville.parsers.clock import sure_clock

NAME_LENGTH = 80
"""Maximum length of a text field that can hold a name, in characters."""
ITEMS = 64
"""Maximum number of list items compared."""
DEPTH = 12
"""Maximum depth at which names are searched for in the inputs."""
CLOSE = 30
"""Times of day at most this many minutes apart count as equal."""


def agreement(stored: StoredMoment, result: Result) -> float | None:
    """Return the share of a moment's decisions, 0 to 1, that a result has too.

    Returns None when there is nothing to compare: the stored answer is a fallback, the result has
    no answer by a model, the step is unknown, or its answers are free text only.
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
) -> float | None:
    """Return the share of equal decisions of two answers; `inputs` hold the offered names."""
    offered = frozenset(_names_among(inputs))
    mine, theirs = (_decisions(answer, each, offered) for each in (one, other))
    places = mine.keys() | theirs.keys()
    if not places:
        return None
    equal = sum(
        place in mine and place in theirs and _are_equal(mine[place], theirs[place])
        for place in places
    )
    return round(equal / len(places), 4)


def free_texts(stored: StoredMoment, result: Result) -> tuple[str, ...]:
    """Return the free texts of a model's answer, without its choices, times, and offered names."""
    answer = answer_types().get(stored.step)
    if answer is None or not result.is_valid:
        return ()
    offered = frozenset(_names_among(stored.inputs))
    return tuple(
        value
        for _, shape, value in _leaves(answer, shape_of(answer), result.answer)
        if shape.kind == "text" and isinstance(value, str) and value
        if value.casefold() not in offered
    )


@cache
def answer_types() -> dict[str, type[Answer]]:
    """Return the answer type of every step."""
    from smolville.graphs.catalogue import STEPS

    return {step.name: step.answer for step in STEPS}


def _decisions(
    answer: type[Answer], data: Mapping[str, Any], offered: frozenset[str]
) -> dict[str, Any]:
    """Return the decisions of an answer by their place in it."""
    found: dict[str, Any] = {}
    for place, shape, value in _leaves(answer, shape_of(answer), data):
        if shape.kind == "clock":
            found[place] = ("minute", _minute(value))
        elif shape.kind != "text":
            found[place] = value
        elif isinstance(value, str) and value.casefold() in offered:
            found[place] = value.casefold()
        elif shape.nullable:
            found[place] = bool(value)
    return found


def _leaves(
    answer: type[Answer], shape: Shape, value: Any, place: str = ""
) -> Iterator[tuple[str, Shape, Any]]:
    """Yield each single value of an answer with its place and shape.

    Items of the list that has a key are placed by their key, which is no value of its own. Of a
    list that may be empty, whether it is so is a value too.
    """
    if shape.kind == "object":
        fields = value if isinstance(value, Mapping) else {}
        for name, inner in shape.fields.items():
            yield from _leaves(answer, inner, fields.get(name), f"{place}.{name}")
    elif shape.kind == "list":
        key = answer.key_field if shape.name == answer.items_field else None
        items = value[:ITEMS] if isinstance(value, list | tuple) else []
        if shape.nullable or not shape.least:
            yield place, shape, bool(items)
        for number, item in enumerate(items if shape.item is not None else ()):
            is_keyed = key is not None and isinstance(item, Mapping)
            at = f"{place}[{item.get(key) if is_keyed else number}]"
            assert shape.item is not None
            yield from (
                leaf
                for leaf in _leaves(answer, shape.item, item, at)
                if not is_keyed or leaf[0] != f"{at}.{key}"
            )
    else:
        yield place, shape, value


def _are_equal(one: Any, other: Any) -> bool:
    """Return whether two decisions are equal, or two times nearly equal."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        left, right = one[1], other[1]
        return left is not None and right is not None and abs(left - right) <= CLOSE
    return type(one) is type(other) and bool(one == other)


def _minute(value: Any) -> int | None:
    """Return a time of day, in any stored form, as a minute of the day."""
    return sure_clock(value) if isinstance(value, str) else value if type(value) is int else None


def _names_among(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield every text in the inputs that could be a name, case-folded."""
    if depth > DEPTH:
        return
    if isinstance(value, str):
        if len(value) <= NAME_LENGTH:
            yield value.casefold()
    elif isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _names_among(inner, depth + 1)
