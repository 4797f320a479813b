"""Finds out what an operator's plain words mean: which person, object or place."""

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
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
            f"{words!r} could be {join_addresses(found)}; write the whole address in quotes."
        )
    raise RunError(f"The town has no object {words!r}.{_nearest_objects(words, town_map)}")


def find_thing(words: str, town_map: TownMap, near: Tile | None = None) -> str:
    """Return the address of the object that the operator means, by its address or in plain words.

    Raises RunError with the nearest names, or with the candidates.
    """
    found = find_objects_by_name(plain(words, 2 * LONGEST_DEED), town_map)
    parts = [part.casefold() for part in split_address(words)]
    exact = [each for each in found if [p.casefold() for p in split_address(each)] == parts]
    if exact or not found:
        return find_object(words, town_map)
    return choose_candidate(words, found, town_map, near)


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


def find_objects_by_name(name: str, town_map: TownMap) -> list[str]:
    """Return the objects whose names match all words; full matches come before partial ones."""
    words = words_of(name)
    found = [address for address in town_map.objects if _means(words, address)]
    whole = [each for each in found if words_of(split_address(each)[-1]) <= words]
    return whole or found


def _means(words: Collection[str], address: str) -> bool:
    """Return True if all words occur in an address, and at least one in its last part."""
    own = words_of(split_address(address)[-1])
    return bool(words) and bool(own & set(words)) and set(words) <= words_of(address)


def choose_candidate(name: str, found: Sequence[str], town_map: TownMap, near: Tile | None) -> str:
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
