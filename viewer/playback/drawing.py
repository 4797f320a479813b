"""The map of a town as data for the page: ground, barriers, places, objects and pixel tiles."""

from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pytiled_parser.layer import Layer, LayerGroup, TileLayer
from pytiled_parser.tileset import Tileset

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
from smolville.world.town.tiled import GID_MASK, Rect
from smolville.world.town.townmap import TownMap

Json = dict[str, Any]
MARGIN = 4
"""Margin in tiles around the walked area where there is no map."""

_KINDS = {colour: kind for kind, colour in reversed(tuple(GROUND.items()))}
"""Kind of ground for each colour; if several kinds have the same colour, the first of them."""
MOST_BYTES = 4_000_000
"""Maximum size in bytes of an image embedded in a page."""
_PNG = b"\x89PNG\r\n\x1a\n"


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
        "tiles": pixel_tiles(town_map),
    }


def bare_map(width: int, height: int) -> Json:
    """Return a plain meadow of this size, for the people of a town that no longer exists."""
    wide, high = max(width, 1) + MARGIN, max(height, 1) + MARGIN
    rows = [[y, 0, wide] for y in range(high)]
    empty: Json = {"barriers": {}, "sectors": [], "arenas": [], "objects": [], "tiles": None}
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
    """Return the blocked tiles by the kind of barrier."""
    found: defaultdict[str, list[Tile]] = defaultdict(list)
    for tile in town_map.frame.tiles():
        kind = barrier(town_map, tile)
        if kind:
            found[kind].append(tile)
    return dict(found)


def pixel_tiles(town_map: TownMap) -> dict[str, Any] | None:
    """Return a map's tile image and its layers of tile numbers; None if they cannot be shown.

    The number 0 stands for no tile. Only what one plain image can show is supported: one tileset
    without gaps, with its PNG in the town's folder, and tiles that are on the grid, and neither
    rotated nor mirrored.
    """
    tilesets = town_map.sheet.tiled.tilesets
    layers = [layer for layer in _list_visible_layers(town_map.sheet.tiled.layers) if layer.data]
    gids = [[gid for row in layer.data or [] for gid in row] for layer in layers]
    used = {gid for each in gids for gid in each if gid}
    if len(tilesets) != 1 or not used or max(used) > GID_MASK:
        return None
    if any(layer.offset != (0, 0) for layer in layers):
        return None
    first, tileset = next(iter(tilesets.items()))
    image = _image(town_map, tileset)
    if image is None or min(used) < first or max(used) >= first + tileset.tile_count:
        return None
    return {
        "size": town_map.tile_size,
        "columns": tileset.columns,
        "image": "data:image/png;base64," + b64encode(image).decode("ascii"),
        "layers": [[gid and gid - first + 1 for gid in each] for each in gids],
    }


def _image(town_map: TownMap, tileset: Tileset) -> bytes | None:
    """Return the PNG of a plain tileset in the town's folder; None otherwise."""
    size = (tileset.tile_width, tileset.tile_height)
    is_plain = size == (town_map.tile_size,) * 2 and not (tileset.margin or tileset.spacing)
    file = town_map.sheet.tiled.map_file
    if not is_plain or tileset.columns < 1 or tileset.image is None or file is None:
        return None
    folder = file.parent.resolve()
    path = (folder / tileset.image).resolve()
    if not path.is_relative_to(folder):
        return None
    return _png(path)


def _png(path: Path) -> bytes | None:
    """Return a file's bytes if it is a PNG of at most `MOST_BYTES`; None otherwise."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    return data if data.startswith(_PNG) else None


def _list_visible_layers(layers: Iterable[Layer]) -> Iterator[TileLayer]:
    """Yield the visible tile layers, lowest first."""
    for layer in layers:
        if not layer.visible:
            continue
        if isinstance(layer, LayerGroup):
            yield from _list_visible_layers(layer.layers or [])
        elif isinstance(layer, TileLayer):
            yield layer
