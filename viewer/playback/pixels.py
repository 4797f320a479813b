"""A map's own pixel tiles as one image, where the town's folder contains them."""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pytiled_parser.layer import Layer, LayerGroup, TileLayer
from pytiled_parser.tileset import Tileset

from world.town.tiled import GID_MASK
from world.town.townmap import TownMap

MOST_BYTES = 4_000_000
"""Maximum size in bytes of an image embedded in a page."""
_PNG = b"\x89PNG\r\n\x1a\n"


def pixel_tiles(town_map: TownMap) -> dict[str, Any] | None:
    """Return a map's tile image and its layers, where 0 is no tile; None when it has none.

    Only what one plain image can show is supported: one tileset without gaps, with its PNG in the
    town's folder, and tiles that are neither rotated nor mirrored.
    """
    tilesets = town_map.sheet.tiled.tilesets
    layers = [layer for layer in _shown(town_map.sheet.tiled.layers) if layer.data]
    gids = [[gid for row in layer.data or [] for gid in row] for layer in layers]
    used = {gid for each in gids for gid in each if gid}
    if len(tilesets) != 1 or not used or max(used) > GID_MASK:
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


def _shown(layers: Iterable[Layer]) -> Iterator[TileLayer]:
    """Yield the visible tile layers, lowest first."""
    for layer in layers:
        if not layer.visible:
            continue
        if isinstance(layer, LayerGroup):
            yield from _shown(layer.layers or [])
        elif isinstance(layer, TileLayer):
            yield layer
