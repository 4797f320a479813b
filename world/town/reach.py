"""Whether everybody can walk everywhere they may want to go."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from agents.persona import Persona
from agents.places import arena_of
from world.records import Tile
from world.town.townmap import TownMap


def unreachable(town_map: TownMap, personas: Sequence[Persona]) -> Iterator[str]:
    """Yield a sentence for every home, arena and object that the rest cannot be reached from.

    The rest is the connected region of tiles that most arenas share. What lies in an arena that
    is named is not named again, nor is an object that stands on walls only.
    """
    regions = label_regions(town_map)
    main = _main_region(town_map, regions)
    homes = {persona.home for persona in personas}
    cut_off: set[str] = set()
    for address in (*town_map.arenas, *town_map.objects):
        tiles = town_map.tiles_of(address)
        if any(regions[tile] == main for tile in tiles):
            continue
        cut_off.add(address)
        if arena_of(address) != address and (arena_of(address) in cut_off or not tiles):
            continue
        kind = "home" if address in homes else "place"
        way = f"open a way to {tiles[0]}" if tiles else "it has no tile that one can stand on"
        yield (
            f"{town_map.sheet.file}: the {kind} `{address}` cannot be reached "
            f"from the rest of the town; {way}."
        )


def label_regions(town_map: TownMap) -> dict[Tile, int]:
    """Return, for every walkable tile, the number of the connected region it belongs to."""
    regions: dict[Tile, int] = {}
    rows, columns = np.nonzero(~town_map.blocked)
    for tile in zip(columns.tolist(), rows.tolist(), strict=True):
        if tile not in regions:
            _flood(town_map, tile, len(regions), regions)
    return regions


def _flood(town_map: TownMap, start: Tile, number: int, regions: dict[Tile, int]) -> None:
    """Give every tile that can be reached from `start` the region's number."""
    regions[start] = number
    edge = [start]
    while edge:
        x, y = edge.pop()
        for near in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)):
            if near not in regions and town_map.is_walkable(near):
                regions[near] = number
                edge.append(near)


def _main_region(town_map: TownMap, regions: dict[Tile, int]) -> int:
    """Return the region that the most arenas have a tile in; the first of several."""
    seen = Counter(
        number
        for address in town_map.arenas
        for number in sorted({regions[tile] for tile in town_map.tiles_of(address)})
    )
    return max(sorted(seen), key=lambda number: seen[number], default=-1)
