"""Finds out what an operator's plain words mean: which person, object or place."""

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import inf

from smolville.agents.entities import ENTITIES
from smolville.agents.errors import RunError
from smolville.agents.places import OUTDOORS, arena_of, split_address
from smolville.agents.wording import plain
from smolville.history.records import Tile
from smolville.world.town.paths import Paths
from smolville.world.town.tiled import Rect
from smolville.world.town.townfiles import nearest
from smolville.world.town.townmap import TownMap

LONGEST_DEED = 160
"""Maximum number of characters of a visitor's deed or an object's state."""
_VERB = re.compile(r"\s+(?:is|are)\s+|:\s+", re.I)
SMALL_WORDS = frozenset(
    [
        *("a", "an", "the", "in", "at", "of", "on", "by", "to", "from", "inside", "with", "and"),
        *("its", "it", "that", "this", "my", "our", "his", "her", "their", "s", "there", "here"),
    ]
)
"""Words that name nothing on their own."""


def find_person(words: str, names: Collection[str], where: str) -> str:
    """Return the full name of the person whom an operator means.

    `words` are the full name, or a first name that only one person has. `where` says for an error
    where the people are: `the run "alpha"`. Raises RunError with the nearest names.
    """
    folded = " ".join(words.split()).casefold()
    found = [name for name in names if name.casefold() == folded]
    found = found or [name for name in names if name.casefold().split()[0] == folded]
    if len(found) == 1:
        return found[0]
    if found:
        raise RunError(f"{words.strip()!r} could be {' or '.join(found)}; give the full name.")
    raise RunError(f"Nobody in {where} is called {words.strip()!r}.{nearest(folded or ' ', names)}")


def find_thinker(words: str, names: Collection[str], where: str) -> str:
    """Return the full name of a person, or the name of an entity: `the world`, `the plot`."""
    folded = " ".join(words.split()).casefold()
    return folded if folded in ENTITIES else find_person(words, names, where)


def find_thing(words: str, town_map: TownMap, near: Tile | None = None) -> str:
    """Return the address of the object that the operator means, by its address or in plain words.

    Rooms may be left out if the rest is unambiguous: `oak cottage: stove`. Of several objects with
    the same name, the one nearest to the tile `near` is meant. Raises RunError with the nearest
    names, or with the candidates.
    """
    line = plain(words, 2 * LONGEST_DEED)
    found = _objects_called(line, town_map)
    if found:
        return _choose(line, found, town_map, near)
    asked = re.sub(r"^(?:the|an?)\s+", "", line.casefold())
    spelled = {address.casefold(): address for address in town_map.objects}
    last = {address.split(": ")[-1]: address for address in spelled}
    close = difflib.get_close_matches(asked, spelled, n=3, cutoff=0.6)
    close = close or [last[each] for each in difflib.get_close_matches(asked, last, n=3)]
    hint = (
        f"Did you mean {' or '.join(repr(spelled[each]) for each in close)}?"
        if close
        else f"Write it as the map has it, for example {next(iter(town_map.objects), '')!r}."
    )
    raise RunError(f"The town has no object {line!r}. {hint}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectWish:
    """An object and its wanted state."""

    address: str
    state: str


def read_object_wish(text: str, town_map: TownMap, near: Tile | None = None) -> ObjectWish:
    """Return the object and the state in a sentence of the form `the stove is on fire`.

    Raises RunError if the sentence has another form, and like `find_thing`.
    """
    line = plain(text, 2 * LONGEST_DEED).rstrip(" .!?")
    splits = [(line[: verb.start()], line[verb.end() :]) for verb in _VERB.finditer(line)]
    # With a colon, the last one parts the address from the state: `Oak Cottage: stove: on fire`.
    known = [each for each in reversed(splits) if _objects_called(each[0], town_map)]
    if not splits or not splits[0][1].strip():
        some = next((thing.name for thing in town_map.objects.values()), "stove")
        raise RunError(
            f"{line!r} names no object of this town with what it is to be; write it like "
            f"'the {some} is on fire'."
        )
    name, state = known[0] if known else splits[0]
    address = find_thing(name, town_map, near)
    return ObjectWish(address=address, state=plain(state.strip(" ,.'\"“”‘’"), LONGEST_DEED))


def find_place(text: str, town_map: TownMap) -> str:
    """Return the address of the place that the operator means: house, room or object.

    Raises RunError with the nearest names, or with the candidates.
    """
    line = plain(text, 2 * LONGEST_DEED)
    if line.casefold() in (OUTDOORS, "street", "the street", "outside"):
        return OUTDOORS
    words = words_of(line)
    found = match_places(words, town_map.sectors, town_map.arenas, town_map.objects)
    if len(found) == 1:
        return found[0]
    if found:
        raise RunError(f"{line!r} could be {join_addresses(found)}; say which house or room.")
    known = (*town_map.arenas, *town_map.objects) if ":" in line else town_map.sectors
    raise RunError(f"The town has no place {line!r}.{nearest(line or ' ', known)}")


def match_places(words: Collection[str], *kinds: Iterable[str]) -> list[str]:
    """Return the addresses that words mean.

    They are taken from the first of `kinds` that has any. If some consist of exactly these words,
    only those are returned.
    """
    for addresses in map(tuple, kinds):
        exact = [each for each in addresses if words_of(each) == words]
        found = exact or [each for each in addresses if _means(words, each)]
        if found:
            return found
    return []


def _objects_called(name: str, town_map: TownMap) -> list[str]:
    """Return the objects whose names match all words; full matches come before partial ones."""
    parts = [part.casefold() for part in split_address(name)]
    words = words_of(name)
    found = [address for address in town_map.objects if _means(words, address)]
    exact = [each for each in found if [p.casefold() for p in split_address(each)] == parts]
    whole = [each for each in found if words_of(split_address(each)[-1]) <= words]
    return exact or whole or found


def _means(words: Collection[str], address: str) -> bool:
    """Return True if all words occur in an address, and at least one in its last part."""
    own = words_of(split_address(address)[-1])
    return bool(words) and bool(own & set(words)) and set(words) <= words_of(address)


def _choose(name: str, found: Sequence[str], town_map: TownMap, near: Tile | None) -> str:
    """Return the only candidate, or the one nearest to a tile; raises RunError with all of them."""
    if len(found) == 1:
        return found[0]
    if near is not None:
        paths = Paths(town_map)
        return min(found, key=lambda address: _way_to(address, near, town_map, paths))
    raise RunError(f"{name.strip()!r} could be {join_addresses(found)}; say which house or room.")


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


def words_of(text: str) -> frozenset[str]:
    """Return the meaningful words of a text, in lower case and singular."""
    found = re.findall(r"[^\W_]+", re.sub(r"['’]s\b", " ", text.casefold()))
    return frozenset(_singular(word) for word in found if word not in SMALL_WORDS)


def _singular(word: str) -> str:
    """Return a word without the ending of a plural."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def join_addresses(addresses: Sequence[str]) -> str:
    """Return at most four addresses, joined by `or`."""
    more = f" (or {len(addresses) - 4} more)" if len(addresses) > 4 else ""
    return " or ".join(repr(address) for address in addresses[:4]) + more
