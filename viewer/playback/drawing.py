"""The map of a town as data for the page: ground, barriers, places and objects."""

from collections import defaultdict
from typing import Any

from smolville.history.records import Tile
from smolville.viewer.playback.icons import icon_of
from smolville.world.town.palette import (
    GRASS,
    GROUND,
    barrier,
    ground_colours,
    room_tint,
    thing_colour,
)
from smolville.world.town.tiled import Rect
from smolville.world.town.townmap import TownMap

Json = dict[str, Any]
MARGIN = 4
"""Margin in tiles around the walked area where there is no map."""

_KINDS = {colour: kind for kind, colour in reversed(tuple(GROUND.items()))}
"""Kind of ground for each colour; if several kinds have the same colour, the first of them."""


def map_of(town_map: TownMap) -> Json:
    """Return a map as data for drawing."""
    return {
        "width": town_map.width,
        "height": town_map.height,
        "ground": _ground(town_map),
        "barriers": _barriers(town_map),
        "sectors": [
            {"address": each.address, "name": each.name, "rect": _corners(each.rect)}
            for each in town_map.sectors.values()
        ],
        "arenas": [
            {
                "address": each.address,
                "name": each.name,
                "sector": each.sector,
                "rect": _corners(each.rect),
                "tint": room_tint(each.name),
            }
            for each in town_map.arenas.values()
        ],
        "objects": [
            {
                "address": each.address,
                "name": each.name,
                "rect": _corners(each.rect),
                "colour": thing_colour(each.name),
                "icon": icon_of(each.name),
                "capacity": each.capacity,
                "idle": each.idle_state,
            }
            for each in town_map.objects.values()
        ],
    }


def bare_map(width: int, height: int) -> Json:
    """Return a plain meadow of this size, for the people of a town that no longer exists."""
    wide, high = max(width, 1) + MARGIN, max(height, 1) + MARGIN
    rows = [[y, 0, wide] for y in range(high)]
    empty: Json = {"barriers": {}, "sectors": [], "arenas": [], "objects": []}
    return {"width": wide, "height": high, "ground": [[GRASS, "grass", rows]], **empty}


def _corners(rect: Rect) -> list[int]:
    """Return the column, row, width and height of a rectangle."""
    return [rect.x, rect.y, rect.width, rect.height]


def _ground(town_map: TownMap) -> list[list[Any]]:
    """Return each colour of the ground with its kind and with the stretches of tiles that have it.

    A stretch is given by its row, its first column and its width.
    """
    runs: defaultdict[str, list[list[int]]] = defaultdict(list)
    for y, row in enumerate(ground_colours(town_map)):
        start = 0
        for x in range(1, len(row) + 1):
            if x == len(row) or row[x] != row[start]:
                runs[row[start]].append([y, start, x - start])
                start = x
    return [[colour, _KINDS.get(colour, ""), runs[colour]] for colour in sorted(runs)]


def _barriers(town_map: TownMap) -> dict[str, list[Tile]]:
    found: defaultdict[str, list[Tile]] = defaultdict(list)
    for tile in town_map.frame.tiles():
        kind = barrier(town_map, tile)
        if kind:
            found[kind].append(tile)
    return dict(found)
