"""What may be written for a place and for the object used there, and what is meant by it."""

from collections.abc import Mapping, Sequence
from typing import Any

from parsers.answer import Context, known
from parsers.problem import (
    Kind,
    Problem,
    by_number,
    field_problem,
    one_of,
    own_problem,
)
from parsers.reading.emoji import first_emoji
from parsers.reading.scalars import folded, same_choice

ELSEWHERE = 0
"""The number that stands for none of the places offered."""

Places = Mapping[int, list[str]]
"""The objects of each place offered, by its number."""


def place_problems(place: int, name: str | None, context: Context | None) -> list[Problem]:
    """What is wrong with a place and an object in it."""
    places: Places = known(context, "places")
    if place != ELSEWHERE and place not in places:
        return [field_problem("place", place, f". {_offered(str(place), context)}", "choice")]
    here = places.get(place, [])
    if name is None or name in here:
        return []
    where, kind = _where(name, place, context)
    return [field_problem("object", name, f"{where} {_instead(place, name, here)}", kind)]


def named_place_problem(got: str, context: Context | None) -> Problem:
    """The problem of a name that stands where the number of a place was asked."""
    level, having = _other_level(got, context)
    kind: Kind = "level" if level else "choice"
    return own_problem(got, f"{level}. {_offered(got, context, having)}", kind)


def _offered(got: str, context: Context | None, first: Sequence[int] = ()) -> str:
    """The sentence that lists places by number: those that have what was got, then the nearest."""
    places: Places = known(context, "places")
    addresses = known(context, "addresses") or {}
    if not addresses:
        return f"Write {', '.join(map(str, places))} or, for elsewhere, {ELSEWHERE}."
    listed, has_more = by_number(got, addresses, first)
    more = ", another number from PLACES" if has_more else ""
    return f"Write {listed}{more} or, for elsewhere, {ELSEWHERE}."


def _other_level(got: str, context: Context | None) -> tuple[str, list[int]]:
    """What was named instead of a place, as a part of a sentence, and the places that have it.

    Empty when that is unknown.
    """
    wanted = folded(got)
    places: Places = known(context, "places") or {}
    having = [n for n, objects in places.items() if wanted in map(folded, objects)]
    if having:
        return f", which is an object of place {' and '.join(map(str, having))}", having
    addresses = known(context, "addresses") or {}
    within = [n for n, each in addresses.items() if folded(each.partition(": ")[0]) == wanted]
    if within:
        return ", which is a whole building, not one of PLACES", within
    return (", which is a person, not one of PLACES" if _is_person(wanted, context) else ""), []


def _is_person(wanted: str, context: Context | None) -> bool:
    """Whether a folded text is the name or first name of a person of this call."""
    names = [folded(name) for name in known(context, "people") or () if name.strip()]
    return any(wanted in {name, name.split()[0]} for name in names if name)


def _where(name: str, place: int, context: Context | None) -> tuple[str, Kind]:
    """Which other places have the object, or what it is instead of an object."""
    places: Places = known(context, "places")
    having = [str(number) for number, objects in places.items() if name in objects]
    if having:
        return f", which is not there but in place {' and '.join(having)}.", "choice"
    addresses, wanted = known(context, "addresses") or {}, folded(name)
    parts = {folded(part) for address in addresses.values() for part in address.split(": ")}
    if wanted in parts | {folded(address) for address in addresses.values()}:
        return ", which is a place, not an object in it.", "level"
    if _is_person(wanted, context):
        return ", which is a person, not an object.", "level"
    return ", which is no object of this place.", "choice"


def _instead(place: int, name: str, here: list[str]) -> str:
    """What may be written as the object instead."""
    if place == ELSEWHERE:
        return "With place 0, write null."
    if not here:
        return f"Place {place} has no objects: write null."
    return f"{one_of(name, here)[:-1]}; or null."


def mended_item(item: dict[str, Any], context: Context | None) -> tuple[dict[str, Any], list[str]]:
    """One item with its object spelled as its place has it, and only emoji for emoji."""
    fresh, notes = dict(item), list[str]()
    name, place = item.get("object"), item.get("place")
    if isinstance(name, str) and isinstance(place, int):
        fresh["object"], notes = _mended_object(name, place, context)
    for field in ("emoji", "object_emoji"):
        text = item.get(field)
        if isinstance(text, str) and first_emoji(text) not in {"", text}:
            fresh[field] = first_emoji(text)
            notes.append(f"{field}`: kept its first emoji")
    return fresh, notes


def _mended_object(name: str, place: int, context: Context | None) -> tuple[str | None, list[str]]:
    """The object spelled as its place has it; none where it is at no place that was offered."""
    places: Places = known(context, "places") or {}
    here = places.get(place, [])
    if name in here:
        return name, []
    address = (known(context, "addresses") or {}).get(place)
    inside = name[len(address) :].lstrip(": ") if address and name.startswith(address) else name
    same = same_choice(inside, tuple(here))
    if same is not None:
        return same, [f"object`: read {name[:40]!r} as {same!r}"]
    if place == ELSEWHERE and places and not _is_somewhere(name, places):
        return None, ["object`: left out, for it is elsewhere"]
    return name, []


def _is_somewhere(name: str, places: Places) -> bool:
    """Whether any place has an object of this name."""
    return any(same_choice(name, tuple(objects)) for objects in places.values())
