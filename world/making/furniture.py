"""Tiles and furniture of the shipped town, from which new maps are drawn."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from world.town.town import Town, shipped_town

PICTURE = "tiles.png"
"""The picture of the shipped tileset, which a new town gets a copy of."""
MOST_ROWS = 2
"""Height of a piece of furniture at most, in tiles: a room has two rows on each side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of furniture: its size in tiles, its pictures, and how it is used."""

    width: int = 1
    height: int = 1
    gids: tuple[int, ...] = ()
    """Tile numbers row by row; empty for a piece without a picture."""
    capacity: int = 1
    state: str = ""
    """Its state while nobody uses it; empty for the map's default."""


@cache
def shipped_pieces() -> Mapping[str, Piece]:
    """Return the furniture of the shipped town by name, the first of each that fits into a room."""
    town_map = Town.load(shipped_town()).map
    found: dict[str, Piece] = {}
    for item in town_map.objects.values():
        if item.name not in found and item.rect.height <= MOST_ROWS:
            found[item.name] = Piece(
                width=item.rect.width,
                height=item.rect.height,
                gids=tuple(int(town_map.ground[y, x]) for x, y in item.rect.tiles()),
                capacity=item.capacity,
                state=item.idle_state,
            )
    return found


def piece_of(name: str) -> Piece:
    """Return the shipped piece of a name, else one tile without a picture."""
    return shipped_pieces().get(name, Piece())


@cache
def shipped_tileset() -> dict[str, Any]:
    """Return the tileset of the shipped map, as Tiled writes it."""
    tileset: dict[str, Any] = json.loads(_map_file().read_text(encoding="utf-8"))["tilesets"][0]
    return tileset


@cache
def tile_numbers() -> Mapping[str, int]:
    """Return the number of the first tile of each type: `grass`, `road`, `wall brick`."""
    tileset = shipped_tileset()
    found: dict[str, int] = {}
    for tile in tileset["tiles"]:
        found.setdefault(tile["type"], tile["id"] + tileset["firstgid"])
    return found


def shipped_picture() -> bytes:
    """Return the picture of the shipped tileset."""
    return _map_file().with_name(PICTURE).read_bytes()


def _map_file() -> Path:
    """Return the shipped map."""
    return shipped_town() / "map.tmj"
