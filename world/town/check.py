"""Checks across the files of a town, with a clear sentence for each fault."""

from collections import Counter
from collections.abc import Iterator, Sequence

from smolville.agents.places import arena_of
from smolville.history.records import Tile
from smolville.world.town.townfiles import PersonaFile, Residents, TownFile, TownSettings, nearest
from smolville.world.town.townmap import TownMap


def faults_of_map(town_map: TownMap, personas: Sequence[PersonaFile]) -> Iterator[str]:
    """Yield a sentence for every fault of a map, alone or together with the persona files."""
    for item in town_map.objects.values():
        walls = [tile for tile in item.rect.tiles() if not town_map.is_walkable(tile)]
        if walls:
            at = ", ".join(str(tile) for tile in walls[:4])
            yield (
                f"{town_map.sheet.file}: `{item.address}` stands on a wall at {at}; "
                "clear the layer `walls` there or move the object."
            )
    yield from _unreachable(town_map)
    for each in personas:
        yield from _faults_of_places(town_map, each)
    yield from _faults_of_beds(town_map, personas)


def _unreachable(town_map: TownMap) -> Iterator[str]:
    """Yield a sentence for every arena and object that is cut off from the rest of the town.

    The rest is the connected region of tiles that has most arenas. Objects in a reported arena are
    not reported again. Objects that stand only on walls are not reported.
    """
    places = {each: town_map.tiles_of(each) for each in (*town_map.arenas, *town_map.objects)}
    regions: dict[Tile, Tile] = {}
    for start in (tile for tiles in places.values() for tile in tiles):
        edge = [] if start in regions else [start]
        while edge:
            x, y = here = edge.pop()
            if here not in regions and town_map.is_walkable(here):
                regions[here] = start
                edge += ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
    seen = Counter(
        region
        for address in town_map.arenas
        for region in sorted({regions[tile] for tile in places[address]})
    )
    main = max(seen, key=lambda region: seen[region], default=None)
    cut_off: set[str] = set()
    for address, tiles in places.items():
        if any(regions[tile] == main for tile in tiles):
            continue
        cut_off.add(address)
        if arena_of(address) != address and (arena_of(address) in cut_off or not tiles):
            continue
        way = f"open a way to {tiles[0]}" if tiles else "it has no tile that one can stand on"
        yield (
            f"{town_map.sheet.file}: the place `{address}` cannot be reached "
            f"from the rest of the town; {way}."
        )


def _faults_of_places(town_map: TownMap, item: PersonaFile) -> Iterator[str]:
    persona = item.persona
    for key, address in {"home": persona.home, "work": persona.work}.items():
        if address in town_map.arenas or (key == "work" and not address):
            continue
        if address in town_map.sectors:
            rooms = ", ".join(f"`{room.address}`" for room in town_map.arenas_in(address))
            sentence = f"`{key}` is {address!r}, a sector; name one of its arenas: {rooms}."
        else:
            sentence = f"`{key}` is {address!r}, which is no arena of the map."
            sentence += nearest(address, town_map.arenas)
        yield item.file.fault(sentence, key)
    for address in persona.known_places:
        if address not in town_map.arenas and address not in town_map.sectors:
            sentence = f"`known_places` names {address!r}, which the map does not have."
            sentence += nearest(address, (*town_map.sectors, *town_map.arenas))
            yield item.file.fault(sentence, "known_places")


def _faults_of_beds(town_map: TownMap, personas: Sequence[PersonaFile]) -> Iterator[str]:
    for home in dict.fromkeys(item.persona.home for item in personas):
        who = [item for item in personas if item.persona.home == home]
        beds = sum(bed.capacity for bed in town_map.beds_in(home))
        if home in town_map.arenas and beds < len(who):
            names = ", ".join(item.persona.name for item in who)
            told = f"`home` is {home!r}, where the beds hold {beds} but {len(who)} people live"
            yield who[0].file.fault(f"{told}: {names}.", "home")


def faults_of_relationships(people: Residents) -> Iterator[str]:
    """Yield a sentence for every relationship with a person who is not in the town."""
    for item in people.found:
        for other in item.persona.relationships:
            if other == item.persona.name:
                sentence = f"{other!r} has a relationship with themselves; leave it out."
            elif other not in people.names:
                sentence = f"a relationship names {other!r}, who is not in the town."
                sentence += nearest(other, people.names)
            else:
                continue
            yield item.file.fault(sentence, "relationships", other)


def faults_of_casts(settings: TownSettings, file: TownFile, names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for every cast of a wrong size, and for every unknown person in a cast."""
    for size, cast in settings.casts.items():
        if size != str(len(cast)) or len(set(cast)) != len(cast):
            told = f'the cast "{size}" lists {len(set(cast))} people; its name is their number.'
            yield file.fault(told, "casts", size)
        for name in cast:
            if name not in names:
                sentence = f'the cast "{size}" lists {name!r}, who has no persona file.'
                yield file.fault(sentence + nearest(name, names), "casts", size)
