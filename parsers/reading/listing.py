"""Convert a map, lines of text, or a single item into a list."""

import re
from typing import Any

from parsers.clock import CLOCK_TEXT, halves_of
from parsers.problem import TwoValues
from parsers.reading.durations import read_duration
from parsers.reading.scalars import read_listed
from parsers.shape import Shape

_TIMED = re.compile(
    rf"(?P<start>{CLOCK_TEXT})(?: ?(?:-|\u2013|\u2014|to|until) ?(?:{CLOCK_TEXT}))?"
    r" ?(?:[:,-]|\u2013|\u2014)? ?(?P<activity>[^\W\d_].{2,})",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"(?P<activity>[^\W\d_].{2,}?)"
    r" ?(?:[:,(-]|\u2013|\u2014|for) ?(?P<minutes>[^()]{1,24})\)?"
)
_ENTRY = re.compile(r"^(?:\d{1,2}[.)]|[-*\u2022]) +")
_LONGEST = 300


def items_of_map(item: Shape, value: dict[Any, Any]) -> list[Any] | None:
    """Return the items of a list that was written as a map from its first field; None otherwise.

    `{"4": 8}` is a list of one rating; `{"07:00": "washing"}` one of activities.
    """
    if not value or any(isinstance(each, TwoValues) for each in value.values()):
        return None
    if item.kind == "object" and not (item.fields.keys() & value.keys()):
        return _keyed(item, value)
    if [str(key) for key in value] == [str(at) for at in range(1, len(value) + 1)]:
        return list(value.values()) if item.kind == "text" else None
    return None


def _keyed(item: Shape, value: dict[Any, Any]) -> list[Any] | None:
    """Return objects whose first field is the map's key."""
    first = next(iter(item.fields.values()))
    if all(isinstance(each, dict) for each in value.values()):
        return _objects(item, first, value)
    needed = [field for field in item.fields.values() if not (field.optional or field.trims)]
    if len(needed) != 2 or needed[0] is not first:
        return None
    if not all(_is_key(first, key) and _is_value(needed[1], each) for key, each in value.items()):
        return None
    spare = {field.name: "" for field in item.fields.values() if field.trims}
    return [{first.name: key, **spare, needed[1].name: each} for key, each in value.items()]


def _objects(item: Shape, first: Shape, value: dict[Any, Any]) -> list[Any] | None:
    """Return the map's objects with its keys put into them; unchanged if the keys only count."""
    known = {first.name, *first.aliases}
    if not all(item.fields.keys() & each.keys() for each in value.values()):
        return None
    has_own = [bool(known & each.keys()) for each in value.values()]
    if all(has_own) and [str(key) for key in value] == [str(at + 1) for at in range(len(value))]:
        agree = first.kind != "number" or all(
            str(each.get(first.name)) == str(key) for key, each in value.items()
        )
        return list(value.values()) if agree else None
    if any(has_own) or not all(_is_key(first, key) for key in value):
        return None
    return [{first.name: key, **each} for key, each in value.items()]


def _is_key(field: Shape, key: object) -> bool:
    """Return whether a map's key can be this field's value."""
    if field.kind == "number":
        return read_listed(str(key)) is not None
    if field.kind == "clock":
        return bool(halves_of(str(key)))
    return field.kind == "text" and isinstance(key, str) and not key.strip().isdigit()


def _is_value(field: Shape, value: object) -> bool:
    """Return whether a map's value can be this field's value."""
    if isinstance(value, bool):
        return False
    return isinstance(value, (int, str) if field.kind == "number" else str)


def item_of_text(item: Shape, text: str) -> dict[str, str] | None:
    """Return the object in a line such as "07:00 - washing" or "baking (20 min)", or None."""
    names = {name for name, field in item.fields.items() if not field.optional}
    plain = _ENTRY.sub("", " ".join(text[: _LONGEST + 1].split()), count=1)
    if len(plain) > _LONGEST:
        return None
    if names == {"start", "activity"}:
        timed = _TIMED.fullmatch(plain)
        return {name: timed[name] for name in ("start", "activity")} if timed else None
    if names == {"activity", "minutes"}:
        lasting = _LASTING.fullmatch(plain)
        if lasting and read_duration(lasting["minutes"]) is not None:
            return {name: lasting[name].strip() for name in ("activity", "minutes")}
    return None
