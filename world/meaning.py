"""Finds out what an operator's plain words mean: which person, object or place."""

import re
from collections.abc import Collection, Iterable, Sequence

from smolville.agents.entities import ENTITIES
from smolville.agents.errors import RunError
from smolville.agents.places import OUTDOORS, arena_of, split_address
from smolville.agents.wording import plain
from smolville.history.records import Tile
from smolville.world.town.paths import Paths
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


def read_object_wish(text: str, town_map: TownMap, near: Tile | None = None) -> tuple[str, str]:
    """Return the address of an object and its wanted state, told as `the stove is on fire`.

    Rooms may be left out if the rest is unambiguous: `oak cottage: stove`. Of several objects with
    the same name, the one nearest to the tile `near` is meant. Raises RunError with the nearest
    names, or with the candidates.
    """
    line = plain(text, 2 * LONGEST_DEED).rstrip(" .!?")
    splits = [(line[: verb.start()], line[verb.end() :]) for verb in _VERB.finditer(line)]
    if not splits or not splits[0][1].strip():
        some = next((thing.name for thing in town_map.objects.values()), "stove")
        raise RunError(
            f"{line!r} names no object of this town with what it is to be; write it like "
            f"'the {some} is on fire'."
        )
    # With a colon, the last one parts the address from the state: `Oak Cottage: stove: on fire`.
    known = [each for each in reversed(splits) if match_places(words_of(each[0]), town_map.objects)]
    name, state = known[0] if known else splits[0]
    found = match_places(words_of(name), town_map.objects)
    if not found:
        names = [thing.name for thing in town_map.objects.values()]
        hint = nearest(" ".join(words_of(name)) or " ", names)
        raise RunError(f"The town has no object {name.strip()!r}.{hint}")
    if len(found) > 1 and near is None:
        told = f"{name.strip()!r} could be {join_addresses(found)}"
        raise RunError(f"{told}; say which house or room.")
    if near is not None:
        paths = Paths(town_map)
        # An object that fills its tiles is reached from its room.
        goals = {
            each: town_map.tiles_of(each) or town_map.tiles_of(arena_of(each)) for each in found
        }
        steps = {each: paths.distance_to(near, goals[each]) for each in found}
        found.sort(key=lambda each: (steps[each] is None, steps[each] or 0, each))
    return found[0], plain(state.strip(" ,.'\"“”‘’"), LONGEST_DEED)


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
    """Return the addresses that words mean, from the first of `kinds` that has any.

    All words occur in an address, and at least one in its last part. Addresses of exactly these
    words come before those whose last part is named in full, and these before all others.
    """
    for addresses in kinds:
        found = [
            each
            for each in addresses
            if set(words) <= words_of(each) and words_of(split_address(each)[-1]) & set(words)
        ]
        exact = [each for each in found if words_of(each) == words]
        whole = [each for each in found if words_of(split_address(each)[-1]) <= set(words)]
        if found:
            return exact or whole or found
    return []


def words_of(text: str) -> frozenset[str]:
    """Return the meaningful words of a text, in lower case and singular."""
    found = re.findall(r"[^\W_]+", re.sub(r"['’]s\b", " ", text.casefold()))
    return frozenset(
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
        for word in found
        if word not in SMALL_WORDS
    )


def join_addresses(addresses: Sequence[str]) -> str:
    """Return at most four addresses, joined by `or`."""
    more = f" (or {len(addresses) - 4} more)" if len(addresses) > 4 else ""
    return " or ".join(repr(address) for address in addresses[:4]) + more
