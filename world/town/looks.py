"""Check the graphics of a town: the images of its tilesets, and tiles that no tileset has."""

from collections.abc import Iterator

import numpy as np
from pytiled_parser.tileset import Tileset

from world.town.palette import colours_of, tileset_of
from world.town.townmap import TownMap


def faults_of_looks(town_map: TownMap) -> Iterator[str]:
    """Yield a sentence for everything that cannot be drawn as the map says."""
    file = town_map.sheet.file
    for tileset in town_map.sheet.tiled.tilesets.values():
        fault = _fault_of_image(town_map, tileset)
        if fault:
            yield f"{file}, tileset {tileset.name!r}: {fault}."
    for name, grid in {"ground": town_map.ground, "walls": town_map.walls}.items():
        numbers = np.unique(grid).tolist()
        strange = np.isin(grid, [gid for gid in numbers if not _is_known(town_map, gid)])
        if strange.any():
            y, x = (int(where[0]) for where in strange.nonzero())
            yield (
                f"{file}, layer `{name}`: the tile {int(grid[y, x])} at ({x}, {y}) is in no "
                f"tileset ({int(strange.sum())} such tiles in all)."
            )


def _fault_of_image(town_map: TownMap, tileset: Tileset) -> str:
    """Return why a tileset's image is unusable; empty if it is usable or there is none."""
    try:
        colours_of(town_map, tileset)
    except OSError as error:
        return f"its image {tileset.image} cannot be read: {error.strerror}"
    except ValueError as error:
        return f"its image cannot be used: {error}"
    return ""


def _is_known(town_map: TownMap, gid: int) -> bool:
    """Return True for a tile number in a tileset, and for 0, which stands for no tile."""
    owner = tileset_of(town_map, gid)
    if owner is None:
        return gid == 0
    # The tiles of a collection of images are listed one by one, with gaps in their numbers.
    number = gid - owner.firstgid
    return number < owner.tile_count or number in (owner.tiles or ())
