"""Reads an operator's sentence about an object: which one is meant, and what it is to be."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from smolville.agents.errors import RunError
from smolville.agents.places import split_address
from smolville.agents.wording import plain
from smolville.history.records import Tile
from smolville.world.meaning import (
    LONGEST_DEED,
    SMALL_WORDS,
    choose_candidate,
    find_objects_by_name,
    join_addresses,
    match_places,
    words_of,
)
from smolville.world.town.townfiles import nearest
from smolville.world.town.townmap import TownMap

MOST_LISTED = 9
"""Maximum number of objects of a place that a message names."""
_POLITE = re.compile(r"^(?:(?:please|now|(?:can|could|would|will) you|i want to)\s+)+", re.I)
_ASKED = re.compile(r"(?:,?\s+(?:please|now))+$", re.I)
_LEAD = re.compile(r"^(set|make|put|turn|change|let|switch)\s+", re.I)
_SWITCHED = re.compile(r"^(on|off|up|down)\s+(.+)$|^(.+?)\s+(on|off|up|down)$", re.I)
_ON_FIRE = re.compile(
    r"^(?:set|put)\s+(.+)\s+on\s+fire$|^set\s+fire\s+to\s+(.+)$|^burn\s+(?:down\s+)?(.+)$", re.I
)
_PUT_OUT = re.compile(
    r"^(?:put\s+out|extinguish)\s+(?:(?:the\s+)?(?:fire|flames?)\s+(?:in|at|on|of)\s+)?(.+)$", re.I
)
_BETWEEN = re.compile(
    r"\s+(?:is now|are now|is|are|was|were|be|becomes?|became|gets?|got|goes|to be|to|into|as)\s+"
    r"|\s*[:=]\s+|\s+(?=['\"“‘])",
    re.I,
)
_VERB = re.compile(r"\s(?:is|are|was|were)\s", re.I)
"""The verb between an object's name and its state; no state contains such a verb."""
_WITHIN = re.compile(r"\s+(in|at|inside|of|from)\s+", re.I)
_IN_THE = re.compile(r"(?:in|at|inside|of|from)\s+(.+)", re.I)
_QUOTES = "'\"“”‘’«»"
_IDLE = re.compile(
    r"(?:back to |as )?(?:idle|normal|usual|before)(?: again)?|(?:fine|all right|ok) again", re.I
)
_IDLE_AGAIN = "idle"
_ORDERS: Mapping[str, str] = {
    "break": "broken",
    "smash": "smashed",
    "destroy": "destroyed",
    "lock": "locked",
    "unlock": "unlocked",
    "open": "open",
    "close": "closed",
    "shut": "shut",
    "clean": "clean",
    "empty": "empty",
    "fill": "full",
    "flood": "flooded",
    "block": "blocked",
    "light": "lit",
    "ignite": "on fire",
    "fix": _IDLE_AGAIN,
    "mend": _IDLE_AGAIN,
    "repair": _IDLE_AGAIN,
}
"""What an object is once an order has been carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectWish:
    """An object and its wanted state."""

    address: str
    state: str


@dataclass(frozen=True, slots=True)
class _Split:
    """A sentence taken apart into an object's name and its state."""

    name: str
    state: str
    is_sure: bool = False
    """True if the sentence can hardly be taken apart in another way."""


def read_object_wish(text: str, town_map: TownMap, near: Tile | None = None) -> ObjectWish:
    """Return the object that a sentence names, and its state: `the stove is on fire`.

    Orders are read as well: `set the stove on fire`, `break the radio in the cafe`. If several
    objects have the same name, the one nearest to `near` is meant. Raises RunError with the
    candidates if the sentence is ambiguous, with what a place has if it lacks the object, and with
    an example if the sentence is not understood.
    """
    line = _ASKED.sub("", _POLITE.sub("", plain(text, 2 * LONGEST_DEED).rstrip(" .!?")))
    for split in _splits(line):
        wish = _read_split(split, town_map, near)
        if wish is not None:
            return wish
    some = next((thing.name for thing in town_map.objects.values()), "stove")
    raise RunError(
        f"{line!r} names no object of this town with what it is to be; write it like "
        f"'the {some} is on fire'."
    )


def _read_split(split: _Split, town_map: TownMap, near: Tile | None) -> ObjectWish | None:
    """Return the wish that a split expresses; None if the split makes no sense.

    Raises RunError if the object is ambiguous, or if the place that is named has no such object.
    """
    state = split.state.strip(" ,.")
    if state and state[0] in _QUOTES:
        state = state.strip(f" ,.{_QUOTES}")
    if not state or _VERB.search(state) or _VERB.search(split.name):
        return None
    found = find_objects_by_name(split.name, town_map)
    places = _places_meant(split.name, found, town_map)
    if places and split.is_sure:
        raise RunError(_ask_for_thing(split.name, places, town_map))
    if not found:
        _refuse_missing(split, town_map)
    if not found or places:
        return None
    if not split.is_sure and _names_place(state, town_map):
        return None
    address = choose_candidate(split.name, found, town_map, near)
    if state.casefold() not in ("on", "off", "up", "down") and words_of(state) <= words_of(address):
        return None
    idle = town_map.objects[address].idle_state
    state = idle if _IDLE.fullmatch(state) else plain(state, LONGEST_DEED)
    return ObjectWish(address=address, state=state)


def _names_place(state: str, town_map: TownMap) -> bool:
    """Return whether a text begins with a place, so it is not a state: `in the cafe on fire`."""
    within = _IN_THE.match(state)
    words = within[1].split() if within else []
    if words and words[0].casefold() == "the":
        return True
    starts = (words_of(" ".join(words[:end])) for end in range(1, len(words) + 1))
    return any(match_places(start, town_map.sectors, town_map.arenas) for start in starts)


def _splits(line: str) -> Iterator[_Split]:
    """Yield all splits of a sentence into an object's name and its state, the surest first."""
    yield from _orders(line)
    lead = _LEAD.match(line)
    rest = line[lead.end() :] if lead else line
    switched = _SWITCHED.match(rest) if lead else None
    if switched:
        yield _Split(switched[2] or switched[3], (switched[1] or switched[4]).casefold(), True)
    address, colon, last = rest.rpartition(": ")
    if colon:
        yield _Split(address, last)
    for found in _BETWEEN.finditer(rest):
        is_sure = _VERB.fullmatch(found[0]) is not None
        yield _Split(rest[: found.start()], rest[found.end() :], is_sure)
    words = rest.split()
    for at in range(len(words) - 1, 0, -1):
        # A small word is never the end of a name: `on` in `on fire` belongs to the state.
        if words[at - 1].casefold() not in SMALL_WORDS:
            yield _Split(" ".join(words[:at]), " ".join(words[at:]))


def _orders(line: str) -> Iterator[_Split]:
    """Yield the splits of an order: `set the stove on fire`, `break the radio`."""
    burning = _ON_FIRE.match(line)
    if burning:
        yield _Split(burning[1] or burning[2] or burning[3], "on fire", True)
    put_out = _PUT_OUT.match(line)
    if put_out:
        yield _Split(put_out[1], _IDLE_AGAIN, True)
    verb, _, name = line.partition(" ")
    if name and verb.casefold() in _ORDERS:
        yield _Split(name, _ORDERS[verb.casefold()], True)


def _refuse_missing(split: _Split, town_map: TownMap) -> None:
    """Raise RunError if a name says that an object is in a place which has no such object.

    An example is `the stove in the Copper Kettle Cafe`, if the cafe has an oven only.
    """
    for thing, place in _things_in_places(split.name):
        is_thing = split.is_sure or find_objects_by_name(thing, town_map)
        found = match_places(words_of(place), town_map.sectors, town_map.arenas)
        if is_thing and len(found) == 1:
            raise RunError(
                f"{found[0]} has no {thing}; it has: {_list_things(found[0], town_map)}."
            )
        if is_thing and found:
            raise RunError(f"{place!r} could be {join_addresses(found)}; none has a {thing}.")
    within = re.search(r"\s+(?:in|at|inside)\s+(.+)$", split.name, re.I)
    if within and split.is_sure:
        place = within[1]
        raise RunError(f"The town has no place {place!r}.{nearest(place, town_map.sectors)}")


def _places_meant(name: str, found: Sequence[str], town_map: TownMap) -> list[str]:
    """Return the places that a name may mean; empty if it means one of the objects `found`.

    `the cafe kitchen` is the room, although also a part of the name of its kitchen sink.
    """
    words = words_of(name)
    parts = split_address(name.casefold())
    spelled = [each for each in town_map.arenas if split_address(each.casefold()) == parts]
    if spelled:
        return spelled
    if any(words_of(split_address(each)[-1]) <= words for each in found):
        return []
    places = match_places(words, town_map.sectors, town_map.arenas)
    is_whole = any(words_of(split_address(each)[-1]) <= words for each in places)
    return places if is_whole or len(found) != 1 else []


def _ask_for_thing(name: str, places: Sequence[str], town_map: TownMap) -> str:
    """Return a message that asks the operator which object in a place is meant."""
    if len(places) > 1:
        return f"{name!r} could be {join_addresses(places)}; say which thing there is meant."
    things = _list_things(places[0], town_map)
    return f"{places[0]} is a place; say which thing there is meant: {things}."


def _things_in_places(name: str) -> Iterator[tuple[str, str]]:
    """Yield all ways to read a name as a thing in a place: `the stove in the cafe`."""
    for found in _WITHIN.finditer(name):
        yield _without_article(name[: found.start()]), name[found.end() :]
    words = name.split()
    for at in range(len(words) - 1, 0, -1):
        yield " ".join(words[at:]), " ".join(words[:at])


def _without_article(name: str) -> str:
    """Return a name without `the` before it."""
    return re.sub(r"^(?:the|an?|my|our|his|her|their)\s+", "", name.strip(), flags=re.I)


def _list_things(place: str, town_map: TownMap) -> str:
    """Return the names of the objects of a place, without repetition; if too many, the first."""
    inside = [each for each in town_map.objects if each.startswith(f"{place}: ")]
    names = list(dict.fromkeys(split_address(each)[-1] for each in inside)) or ["nothing"]
    more = len(names) - MOST_LISTED
    return ", ".join(names[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
