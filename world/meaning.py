"""Finds out what an operator's plain words mean: which person, object, state or place."""

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import inf

from agents.entities import ENTITIES
from agents.errors import RunError
from agents.places import OUTDOORS, arena_of, split_address
from agents.wording import plain
from history.records import Tile
from world.town.paths import Paths
from world.town.tiled import Rect
from world.town.townfiles import nearest
from world.town.townmap import TownMap

LONGEST_DEED = 160
"""Maximum number of characters of a visitor's deed or an object's state."""
_LEAD = re.compile(r"^(?:please\s+|now\s+)*(?:(set|make|put|turn|change|let|switch)\b\s*)?", re.I)
_SWITCHED = re.compile(r"^(on|off|up|down)\s+(.+)$|^(.+?)\s+(on|off|up|down)$", re.I)
_BETWEEN = re.compile(
    r"\s+(?:is now|are now|is|are|was|were|be|becomes?|became|gets?|got|goes|to be|to|into|as)\s+"
    r"|\s*[:=]\s+|\s+(?=['\"“‘])",
    re.I,
)
_VERB = re.compile(r"\s(?:is|are|was|were)\s", re.I)
"""The verb between an object's name and its state; no state contains such a verb."""
_QUOTES = "'\"“”‘’«»"
_IDLE = re.compile(
    r"(?:back to |as )?(?:idle|normal|usual|before)(?: again)?|(?:fine|all right|ok) again", re.I
)
_SMALL = frozenset(
    [
        *("a", "an", "the", "in", "at", "of", "on", "by", "to", "from", "inside", "with", "and"),
        *("its", "it", "that", "this", "my", "our", "his", "her", "their", "s", "there", "here"),
    ]
)
"""Words that name nothing on their own."""


def find_person(words: str, names: Collection[str], where: str) -> str:
    """Return the full name of the person that the operator means by a full or unique first name.

    Raises RunError with the nearest names; `where` says what these people belong to.
    """
    folded = " ".join(words.split()).casefold()
    found = [name for name in names if name.casefold() == folded]
    found = found or [name for name in names if name.casefold().split()[0] == folded]
    if len(found) == 1:
        return found[0]
    if found:
        raise RunError(f"{words!r} could be {' or '.join(found)}; give the full name.")
    raise RunError(f"Nobody in {where} is called {words!r}.{nearest(folded or ' ', names)}")


def find_thinker(words: str, names: Collection[str], where: str) -> str:
    """Return the full name of a person, or the name of an entity: `the world`, `the plot`."""
    folded = " ".join(words.split()).casefold()
    return folded if folded in ENTITIES else find_person(words, names, where)


def find_object(words: str, town_map: TownMap) -> str:
    """Return the address of the object that the operator means.

    The address may be written in upper or lower case. Rooms may be left out if the rest is
    unambiguous: `oak cottage: stove`. Raises RunError with the nearest addresses.
    """
    parts = [part.casefold() for part in split_address(words) if part]
    found = [address for address in town_map.objects if _names_object(parts, address)]
    exact = [address for address in found if len(split_address(address)) == len(parts)]
    if len(exact) == 1:
        return exact[0]
    if len(found) == 1:
        return found[0]
    if found:
        raise RunError(
            f"{words!r} could be {_join_addresses(found)}; write the whole address in quotes."
        )
    raise RunError(f"The town has no object {words!r}.{_nearest_objects(words, town_map)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectWish:
    """An object and its wanted state."""

    address: str
    state: str


def read_object_wish(text: str, town_map: TownMap, near: Tile | None = None) -> ObjectWish:
    """Return the object that a sentence names, and its state: `the stove is on fire`.

    If several objects have the same name, the one nearest to `near` is meant. Raises RunError with
    the candidates if the sentence is ambiguous, and with an example if it is not understood.
    """
    line = plain(text, 2 * LONGEST_DEED).rstrip(" .!")
    missing = _missing_object(line, town_map)
    unclear: RunError | None = None
    for name, state in _splits(line):
        found = _find_objects_by_name(name, town_map)
        state = state.strip(f" ,.{_QUOTES}")
        if not found or not state or _VERB.search(state):
            continue
        try:
            address = _choose_candidate(name, found, town_map, near)
        except RunError as error:
            unclear = unclear or error
            continue
        if state.casefold() not in ("on", "off", "up", "down") and _words(state) <= _words(address):
            continue
        idle = town_map.objects[address].idle_state
        state = idle if _IDLE.fullmatch(state) else plain(state, LONGEST_DEED)
        return ObjectWish(address=address, state=state)
    if missing:
        raise RunError(missing)
    if unclear is not None:
        raise unclear
    raise RunError(
        f"{line!r} names no object of this town with what it is to be; write it like "
        f"'the {_some_name(town_map)} is on fire'."
    )


def _missing_object(line: str, town_map: TownMap) -> str:
    """Return a message that a place lacks the named object, with the objects that it has.

    An example is `the stove in the Copper Kettle Cafe is on fire`, if the cafe has an oven only.
    Empty if the sentence names no such place.
    """
    verb = _VERB.search(line)
    words = _words(line[: verb.start()]) if verb else frozenset()
    if _find_objects_by_name(line[: verb.start()] if verb else "", town_map):
        return ""
    for places in (town_map.arenas, town_map.sectors):
        for place in places:
            named = _words(place)
            if named < words:
                inside = [each for each in town_map.objects if each.startswith(f"{place}: ")]
                has = ", ".join(dict.fromkeys(split_address(each)[-1] for each in inside))
                return f"{place} has no {' '.join(sorted(words - named))}; it has: {has}."
    return ""


def find_thing(words: str, town_map: TownMap, near: Tile | None = None) -> str:
    """Return the address of the object that the operator means, by its address or in plain words.

    Raises RunError with the nearest names, or with the candidates.
    """
    found = _find_objects_by_name(plain(words, 2 * LONGEST_DEED), town_map)
    parts = [part.casefold() for part in split_address(words)]
    exact = [each for each in found if [p.casefold() for p in split_address(each)] == parts]
    if exact or not found:
        return find_object(words, town_map)
    return _choose_candidate(words, found, town_map, near)


def find_place(text: str, town_map: TownMap) -> str:
    """Return the address of the place that the operator means: house, room or object.

    Raises RunError with the nearest names, or with the candidates.
    """
    line = plain(text, 2 * LONGEST_DEED)
    if line.casefold() in (OUTDOORS, "street", "the street", "outside"):
        return OUTDOORS
    words = _words(line)
    for places in (town_map.sectors, town_map.arenas, town_map.objects):
        exact = [each for each in places if _words(each) == words]
        found = exact or [each for each in places if _means(words, each)]
        if len(found) == 1:
            return found[0]
        if found:
            raise RunError(f"{line!r} could be {_join_addresses(found)}; say which house or room.")
    known = (*town_map.arenas, *town_map.objects) if ":" in line else town_map.sectors
    raise RunError(f"The town has no place {line!r}.{nearest(line or ' ', known)}")


def _splits(line: str) -> Iterable[tuple[str, str]]:
    """Yield all splits of a sentence into an object's name and its state."""
    lead = _LEAD.match(line)
    rest = line[lead.end() :] if lead else line
    switched = _SWITCHED.match(rest) if lead and lead[1] else None
    if switched:
        yield switched[2] or switched[3], (switched[1] or switched[4]).casefold()
    address, colon, last = rest.rpartition(": ")
    if colon:
        yield address, last
    for found in _BETWEEN.finditer(rest):
        yield rest[: found.start()], rest[found.end() :]
    words = rest.split()
    for at in range(len(words) - 1, 0, -1):
        yield " ".join(words[:at]), " ".join(words[at:])


def _find_objects_by_name(name: str, town_map: TownMap) -> list[str]:
    """Return the objects whose names match all words; full matches come before partial ones."""
    words = _words(name)
    found = [address for address in town_map.objects if _means(words, address)]
    whole = [each for each in found if _words(split_address(each)[-1]) <= words]
    return whole or found


def _means(words: Collection[str], address: str) -> bool:
    """Return True if words name a place: all occur in its address, and one in its own name."""
    own = _words(split_address(address)[-1])
    return bool(words) and bool(own & set(words)) and set(words) <= _words(address)


def _choose_candidate(name: str, found: Sequence[str], town_map: TownMap, near: Tile | None) -> str:
    """Return the only candidate, or the one nearest to a tile; raises RunError with all of them."""
    if len(found) == 1:
        return found[0]
    if near is not None:
        paths = Paths(town_map)
        return min(found, key=lambda address: _way_to(address, near, town_map, paths))
    raise RunError(f"{name.strip()!r} could be {_join_addresses(found)}; say which house or room.")


def _way_to(address: str, tile: Tile, town_map: TownMap, paths: Paths) -> tuple[float, int, str]:
    """Return a sort key: walking distance from a tile, distance in tiles, address."""
    # An object that fills its tiles is reached from its room.
    goals = town_map.tiles_of(address) or town_map.tiles_of(arena_of(address))
    steps = paths.distance_to(tile, goals)
    straight = _distance(town_map.objects[address].rect, tile)
    return inf if steps is None else steps, straight, address


def _distance(rect: Rect, tile: Tile) -> int:
    """Return the distance in tiles of a tile from a rectangle (Chebyshev)."""
    x, y = tile
    across = max(rect.x - x, 0, x - (rect.right - 1))
    down = max(rect.y - y, 0, y - (rect.bottom - 1))
    return max(across, down)


def _words(text: str) -> frozenset[str]:
    """Return the meaningful words of a text, in lower case and singular."""
    found = re.findall(r"[^\W_]+", re.sub(r"['’]s\b", " ", text.casefold()))
    return frozenset(_singular(word) for word in found if word not in _SMALL)


def _singular(word: str) -> str:
    """Return a word without the ending of a plural."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _join_addresses(addresses: Sequence[str]) -> str:
    """Return at most four addresses, joined by `or`."""
    more = f" (or {len(addresses) - 4} more)" if len(addresses) > 4 else ""
    return " or ".join(repr(address) for address in addresses[:4]) + more


def _some_name(town_map: TownMap) -> str:
    """Return the name of some object of the town, as an example."""
    return next((thing.name for thing in town_map.objects.values()), "stove")


def _names_object(parts: Sequence[str], address: str) -> bool:
    """Return True if `parts` (casefolded) name this object: in order, and its own name last."""
    whole = [part.casefold() for part in split_address(address)]
    if not parts or parts[-1] != whole[-1]:
        return False
    left = iter(whole)
    return all(part in left for part in parts)


def _nearest_objects(words: str, town_map: TownMap) -> str:
    """Return ` Did you mean ...?` with the nearest addresses, or advice on where to look."""
    spelled = {address.casefold(): address for address in town_map.objects}
    close = difflib.get_close_matches(words.casefold(), spelled, n=3, cutoff=0.6)
    if not close:
        last = split_address(words)[-1].casefold()
        called = {address.casefold().split(": ")[-1]: address for address in town_map.objects}
        close = [called[name].casefold() for name in difflib.get_close_matches(last, called, n=3)]
    if close:
        return f" Did you mean {' or '.join(repr(spelled[each]) for each in close)}?"
    return (
        " Write it as the map has it, for example " + repr(next(iter(town_map.objects), "")) + "."
    )
