"""Draws the map of a new town: streets, buildings on both sides of them, grass and trees.

The same buildings and seed give the same map, byte for byte.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from smolville.agents.chance import draw, fraction, pick
from smolville.world.making.building import (
    HEIGHT,
    Building,
    PlacedBuilding,
    PlacedPiece,
    place,
    shipped_tileset,
    tile_numbers,
    width_of,
)
from smolville.world.town.tiled import MOST_TILES, OBJECT_LAYERS, Rect

LEFT, MARGIN, GAP = 6, 3, 2
"""Columns left of the first building, tiles at the other edges, and tiles between buildings."""
STREET = 3
BLOCK = 2 * HEIGHT + STREET + 4
"""Rows of a street with the buildings on both sides, a row of path before each, and a gap."""
LONGEST = 48
"""Intended width of a row of buildings in tiles."""
TREES = 0.07
"""Share of the free lawn on which a tree stands."""
WALLS = ("brick", "timber", "stone")
LAWN = ("grass", "grass", "grass", "grass", "tall grass", "flowers pink", "flowers blue")


@dataclass(slots=True)
class MapDraft:
    """A map while it is being drawn: tile numbers by row and column."""

    width: int
    height: int
    ground: list[list[int]] = field(default_factory=list)
    walls: list[list[int]] = field(default_factory=list)
    built: list[PlacedBuilding] = field(default_factory=list)

    def fill(self, rect: Rect, tile: str) -> None:
        """Draw a tile on the ground of a rectangle."""
        for x, y in rect.tiles():
            self.ground[y][x] = tile_numbers()[tile]


def draw_town_map(buildings: Sequence[Building], seed: int) -> str:
    """Return the text of a Tiled map with these buildings, in rows along streets."""
    rows = _share_out(buildings)
    width = LEFT + MARGIN + max(_width_of_row(row) for row in rows)
    height = MARGIN + len(rows) // 2 * BLOCK + 1
    draft = MapDraft(min(width, MOST_TILES), height)
    draft.ground = [[lawn(seed, x, y) for x in range(width)] for y in range(height)]
    draft.walls = [[0] * width for _ in range(height)]
    _draw_streets(draft, len(rows) // 2)
    for number, row in enumerate(rows):
        top = MARGIN + number // 2 * BLOCK
        is_south = number % 2 == 1
        x = LEFT
        for building in row:
            y = top + HEIGHT + 2 + STREET if is_south else top
            draw_building(draft, place(building, x, y, is_turned=is_south), seed)
            x += width_of(building) + GAP
    _plant_trees(draft, seed)
    return _as_tiled(draft)


def _share_out(buildings: Sequence[Building]) -> list[list[Building]]:
    """Return the buildings in rows of about equal length, two rows for each street."""
    total = sum(width_of(building) + GAP for building in buildings)
    streets = max(1, round(total / (2 * LONGEST)))
    rows: list[list[Building]] = [[] for _ in range(2 * streets)]
    for building in buildings:
        shortest = min(range(len(rows)), key=lambda at: (_width_of_row(rows[at]), at))
        rows[shortest].append(building)
    return rows


def _width_of_row(row: Sequence[Building]) -> int:
    """Return the width of a row of buildings in tiles."""
    return sum(width_of(building) + GAP for building in row)


def lawn(seed: int, x: int, y: int) -> int:
    """Return the tile number of the lawn at a place."""
    return tile_numbers()[pick(LAWN, seed, "lawn", x, y)]


def _draw_streets(draft: MapDraft, streets: int) -> None:
    """Draw the streets, and the road on the left that joins them."""
    tops = [MARGIN + number * BLOCK + HEIGHT + 1 for number in range(streets)]
    for top in tops:
        draft.fill(Rect(0, top, draft.width, STREET), "road")
    draft.fill(Rect(1, tops[0], STREET, tops[-1] - tops[0] + STREET), "road")


def draw_building(draft: MapDraft, placed: PlacedBuilding, seed: int) -> None:
    """Draw a building's floor, furniture, walls and doors."""
    draft.built.append(placed)
    frame, tiles = placed.rect, tile_numbers()
    if placed.building.is_open:
        draft.fill(frame, "cobbles")
    else:
        _draw_walls(draft, placed, seed)
    for room in placed.rooms:
        draft.fill(room.rect, "cobbles" if placed.building.is_open else room.floor)
        for each in room.pieces:
            for (x, y), gid in zip(each.rect.tiles(), each.piece.gids, strict=False):
                draft.ground[y][x] = gid
    for x, y in placed.doors:
        draft.walls[y][x] = 0
        draft.ground[y][x] = tiles["door"]
    for x, y in placed.doors[:1]:
        outside = y + 1 if y == frame.bottom - 1 else y - 1
        draft.ground[outside][x] = tiles["path"]


def _draw_walls(draft: MapDraft, placed: PlacedBuilding, seed: int) -> None:
    """Draw walls, with a few windows, around the rooms of a building."""
    kind, frame = pick(WALLS, seed, "walls", placed.building.name), placed.rect
    inner = {tile for room in placed.rooms for tile in room.rect.tiles()}
    for x, y in frame.tiles():
        if (x, y) not in inner:
            is_window = y in (frame.y, frame.bottom - 1) and draw(seed, x, y) % 3 == 0
            draft.walls[y][x] = tile_numbers()[f"{'window' if is_window else 'wall'} {kind}"]


def _plant_trees(draft: MapDraft, seed: int) -> None:
    """Plant trees on tiles surrounded by lawn, so that people can walk around each tree."""
    lawn = {tile_numbers()[name] for name in LAWN}
    trees = [tile_numbers()[name] for name in ("tree", "pine", "blossom tree")]
    for y in range(1, draft.height - 1):
        for x in range(1, draft.width - 1):
            around = list(Rect(x - 1, y - 1, 3, 3).tiles())
            is_free = all(draft.ground[b][a] in lawn and not draft.walls[b][a] for a, b in around)
            if is_free and fraction(seed, "tree", x, y) < TREES:
                draft.walls[y][x] = pick(trees, seed, "kind of tree", x, y)


def _as_tiled(draft: MapDraft) -> str:
    """Return the map in Tiled's format."""
    tileset = shipped_tileset()
    size = tileset["tilewidth"]
    common = {"x": 0, "y": 0, "opacity": 1, "visible": True}
    frame = {"width": draft.width, "height": draft.height}
    kinds = list(marks_of(draft.built, size).items())
    layers: list[dict[str, Any]] = [
        {"id": number, "name": name, "type": "tilelayer", **common, **frame, "data": flat(grid)}
        for number, (name, grid) in enumerate(
            {"ground": draft.ground, "walls": draft.walls}.items(), start=1
        )
    ]
    last = 0
    for number, (name, marks) in enumerate(kinds, start=3):
        group = {"id": number, "name": name, "type": "objectgroup", "draworder": "topdown"}
        objects = [{"id": last + at, **mark} for at, mark in enumerate(marks, start=1)]
        layers.append({**group, **common, "objects": objects})
        last += len(objects)
    return tiled_text(
        {
            "type": "map",
            "version": "1.10",
            "tiledversion": "1.10.2",
            "orientation": "orthogonal",
            "renderorder": "right-down",
            "infinite": False,
            "compressionlevel": -1,
            **frame,
            "tilewidth": size,
            "tileheight": size,
            "nextlayerid": len(layers) + 1,
            "nextobjectid": last + 1,
            "tilesets": [tileset],
            "layers": layers,
        }
    )


def flat(grid: Sequence[Sequence[int]]) -> list[int]:
    """Return a grid's tile numbers row after row."""
    return [gid for row in grid for gid in row]


def tiled_text(raw: Mapping[str, Any]) -> str:
    """Return a map as JSON in which each line has a row of tiles, or one object."""
    layers = ",\n".join(_layer_text(layer, raw["width"]) for layer in raw["layers"])
    rest = {key: value for key, value in raw.items() if key != "layers"}
    return f'{json.dumps(rest)[:-1]}, "layers": [\n{layers}\n]}}\n'


def _layer_text(layer: Mapping[str, Any], width: int) -> str:
    """Return a layer as JSON in several lines."""
    last = "data" if "data" in layer else "objects"
    items = layer.get(last)
    rest = {key: value for key, value in layer.items() if key != last}
    if not isinstance(items, list):
        return json.dumps(layer)
    if last == "data":
        rows = [items[at : at + width] for at in range(0, len(items), width)]
        lines = [",".join(map(str, row)) for row in rows]
    else:
        lines = [json.dumps(item) for item in items]
    return f'{json.dumps(rest)[:-1]}, "{last}": [\n' + ",\n".join(lines) + "\n]}"


def marks_of(built: Sequence[PlacedBuilding], size: int) -> dict[str, list[dict[str, Any]]]:
    """Return the rectangles of buildings, rooms and furniture by layer, in Tiled's format."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in OBJECT_LAYERS}
    for each in built:
        home = [{"name": "private", "type": "bool", "value": True}]
        more = {"properties": home} if each.building.is_home else {}
        sector = _mark(each.building.name, "sector", each.rect, size)
        found["sectors"].append({**sector, **more})
        for room in each.rooms:
            found["arenas"].append(_mark(room.name, "arena", room.rect, size))
            found["objects"] += [_mark_of_piece(piece, size) for piece in room.pieces]
    return found


def _mark_of_piece(piece: PlacedPiece, size: int) -> dict[str, Any]:
    """Return the rectangle of a piece of furniture, with its capacity and state."""
    uses = [{"name": "capacity", "type": "int", "value": piece.piece.capacity}]
    if piece.piece.state:
        uses.append({"name": "state", "type": "string", "value": piece.piece.state})
    return {**_mark(piece.name, "object", piece.rect, size), "properties": uses}


def _mark(name: str, kind: str, rect: Rect, size: int) -> dict[str, Any]:
    """Return a rectangle in Tiled's format."""
    return {
        "name": name,
        "type": kind,
        "x": rect.x * size,
        "y": rect.y * size,
        "width": rect.width * size,
        "height": rect.height * size,
        "rotation": 0,
        "visible": True,
    }
