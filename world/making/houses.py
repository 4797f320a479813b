"""Houses of a town: plans for a number of bedrooms, or one more house on an existing map.

A free stretch of lawn is used. If there is none, rows are added at the bottom of the map, and trees
that block the way there are removed.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from smolville.history.records import Tile
from smolville.world.making.asking import Maker
from smolville.world.making.building import (
    HEIGHT,
    Building,
    place,
    shipped_tileset,
    tile_numbers,
    width_of,
)
from smolville.world.making.map_drawing import (
    LAWN,
    MapDraft,
    draw_building,
    flat,
    lawn,
    marks_of,
    tiled_text,
)
from smolville.world.making.parts import Parts
from smolville.world.town.check import label_regions, main_region
from smolville.world.town.tiled import MOST_TILES, OBJECT_LAYERS, TILE_LAYERS, Rect
from smolville.world.town.townmap import TownMap

SHARED = 3
"""One house in this number of houses has two bedrooms."""

EDGE = 1
"""Width in tiles of the lawn that stays free around a new house."""
ROWS = HEIGHT + 3
"""Number of rows added to the bottom of a map without room."""
TREES = ("tree", "pine", "blossom tree", "hedge")
"""Trees that may be removed to clear a way."""


def plan_houses(
    maker: Maker, taken: Iterable[str], beds: int
) -> tuple[list[Building], tuple[str, ...]]:
    """Return houses that have `beds` bedrooms in all, and the addresses of these bedrooms."""
    houses, homes = list[Building](), list[str]()
    names = _free_names(maker.parts, taken)
    while len(homes) < beds:
        name = next(names)
        is_shared = maker.draw("house", name) % SHARED == 0 and beds - len(homes) > 1
        house, bedrooms = _plan_house(maker.parts, name, 2 if is_shared else 1)
        houses.append(house)
        homes += bedrooms
    return houses, tuple(homes)


def plan_cottage(parts: Parts, taken: Iterable[str]) -> tuple[Building, str]:
    """Return a house for one person, and the address of its bedroom."""
    house, (bedroom,) = _plan_house(parts, next(_free_names(parts, taken)), 1)
    return house, bedroom


def _plan_house(parts: Parts, name: str, bedrooms: int) -> tuple[Building, list[str]]:
    """Return a house, and the addresses of its bedrooms."""
    bedroom = parts.house.bedroom
    called = [bedroom.name, f"second {bedroom.name}"][:bedrooms]
    rooms = [room.room() for room in parts.house.rooms] + [bedroom.room(each) for each in called]
    house = Building(name=name, rooms=tuple(rooms), is_home=True)
    return house, [f"{name}: {each}" for each in called]


def _free_names(parts: Parts, taken: Iterable[str]) -> Iterator[str]:
    """Yield names for houses; once all listed names are used, names with numbers."""
    folded = {name.casefold() for name in taken}
    for turn in count(1):
        for name in parts.houses:
            numbered = name if turn == 1 else f"{name} {turn}"
            if numbered.casefold() not in folded:
                yield numbered


def is_drawn_like_shipped(town_map: TownMap) -> bool:
    """Return whether a map uses the shipped tiles, so that a house can be drawn on it."""
    own, shipped = town_map.sheet.tiled.tilesets, shipped_tileset()
    first = own.get(shipped["firstgid"])
    return first is not None and (first.name, first.tile_count) == (
        shipped["name"],
        shipped["tilecount"],
    )


def build_house(text: str, town_map: TownMap, house: Building, seed: int) -> str:
    """Return the text of a map with one more house on it; empty if there is no room.

    `text` is the content of the map's file, which must use the shipped tiles. Empty too if a layer
    that the house is drawn on is moved or lies in a group.
    """
    raw = json.loads(text)
    plain = {
        layer["name"]
        for layer in raw["layers"]
        if not (layer.get("offsetx") or layer.get("offsety"))
    }
    if not plain.issuperset((*TILE_LAYERS, *OBJECT_LAYERS)):
        return ""
    draft = MapDraft(town_map.width, town_map.height)
    draft.ground, draft.walls = town_map.ground.tolist(), town_map.walls.tolist()
    regions = label_regions(town_map)
    main = {tile for tile, number in regions.items() if number == main_region(town_map, regions)}
    spot = _find_spot(draft, house, main, town_map)
    if spot is None and town_map.height + ROWS <= MOST_TILES:
        main |= _add_rows(draft, main, seed)
        spot = _find_spot(draft, house, main, town_map)
    if spot is None:
        return ""
    draw_building(draft, place(house, *spot, is_turned=True), seed)
    return _with_changes(raw, draft)


def _find_spot(draft: MapDraft, house: Building, main: set[Tile], town_map: TownMap) -> Tile | None:
    """Return the upper left tile of a free, reachable place for a house; None if there is none."""
    width, height = width_of(house) + 2 * EDGE, HEIGHT + 2 * EDGE
    kinds = {tile_numbers()[name] for name in LAWN}
    taken = [sector.rect for sector in town_map.sectors.values()]
    for y in range(draft.height - height + 1):
        for x in range(draft.width - width + 1):
            if (x, y) not in main:
                continue
            spot = Rect(x, y, width, height)
            if any(spot.intersect(rect) for rect in taken):
                continue
            if all(draft.ground[b][a] in kinds and (a, b) in main for a, b in spot.tiles()):
                return x + EDGE, y + EDGE
    return None


def _add_rows(draft: MapDraft, main: set[Tile], seed: int) -> set[Tile]:
    """Add rows of lawn at a map's bottom, joined to the streets; return the new lawn's tiles."""
    old = draft.height
    draft.height += ROWS
    for y in range(old, draft.height):
        draft.ground.append([lawn(seed, x, y) for x in range(draft.width)])
        draft.walls.append([0] * draft.width)
    ways = (_way_up(draft, x, old, main) for x in range(draft.width))
    way = min((each for each in ways if each is not None), key=len, default=None)
    if way is None:
        return set()
    for x, y in way:
        draft.walls[y][x] = 0
    added = Rect(0, old, draft.width, ROWS)
    return {*added.tiles(), *way}


def _way_up(draft: MapDraft, x: int, bottom: int, main: set[Tile]) -> list[Tile] | None:
    """Return the trees in a column between a map's bottom and its streets; None if blocked."""
    trees = {tile_numbers()[name] for name in TREES}
    felled: list[Tile] = []
    for y in range(bottom - 1, -1, -1):
        if (x, y) in main:
            return felled
        if draft.walls[y][x] not in trees:
            return None
        felled.append((x, y))
    return None


def _with_changes(raw: dict[str, Any], draft: MapDraft) -> str:
    """Return the text of a map with the draft's new tiles and house."""
    marks = marks_of(draft.built, raw["tilewidth"])
    last = raw.get("nextobjectid", 1 + max(_ids(raw["layers"]), default=0))
    raw["height"] = draft.height
    grids = {"ground": draft.ground, "walls": draft.walls}
    for layer in raw["layers"]:
        if layer["name"] in grids:
            for key in ("encoding", "compression"):
                layer.pop(key, None)
            layer["height"], layer["data"] = draft.height, flat(grids[layer["name"]])
        for mark in marks.get(layer["name"], ()):
            layer["objects"].append({"id": last, **mark})
            last += 1
    raw["nextobjectid"] = last
    return tiled_text(raw)


def _ids(layers: Iterable[dict[str, Any]]) -> Iterator[int]:
    """Yield the ids of all objects in these layers."""
    for layer in layers:
        yield from (item["id"] for item in layer.get("objects", ()))
