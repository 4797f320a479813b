"""A way through a town from one place to another: its tiles, and the places that it crosses."""

import re
from dataclasses import dataclass
from itertools import groupby

from smolville.agents.errors import RunError
from smolville.agents.times import SECONDS_PER_TILE
from smolville.agents.wording import format_count
from smolville.history.records import Tile
from smolville.world.meaning import find_place
from smolville.world.town.paths import Paths
from smolville.world.town.townmap import TownMap

_TILE = re.compile(r"(\d{1,5})\s*,\s*(\d{1,5})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A part of a way that lies within one place."""

    place: str
    """The place: `sector: arena`, a sector alone if between its arenas, or `outdoors`."""
    tile: Tile
    """The first tile of the part."""
    steps: int
    """Number of tiles walked before this part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The shortest way from one place to another."""

    start: str
    """Address of the first place, or its tile as text."""
    end: str
    tiles: tuple[Tile, ...]
    """All tiles from the first to the last."""
    passages: tuple[Passage, ...]


def find_way(start: str, end: str, town_map: TownMap, paths: Paths) -> Way:
    """Return the shortest way between two places, which an operator has described.

    A place is a sector, `sector: arena`, `sector: arena: object`, or a tile `12,34`. The way begins
    in the middle of the first place and ends on the nearest tile of the second. Raises RunError
    with the nearest names if a place is unknown, and if there is no way.
    """
    first, tiles = _find_end(start, town_map)
    goal, goals = _find_end(end, town_map)
    x, y = sum(x for x, _ in tiles) // len(tiles), sum(y for _, y in tiles) // len(tiles)
    middle = min(tiles, key=lambda tile: abs(tile[0] - x) + abs(tile[1] - y))
    way = paths.path(middle, goals)
    if not way:
        raise RunError(f"No way leads from {first} to {goal}: walls are all around one of them.")
    passages, steps = list[Passage](), 0
    for place, part in groupby(way, town_map.arena_at):
        inside = list(part)
        passages.append(Passage(place=place, tile=inside[0], steps=steps))
        steps += len(inside)
    return Way(start=first, end=goal, tiles=way, passages=tuple(passages))


def _find_end(wanted: str, town_map: TownMap) -> tuple[str, tuple[Tile, ...]]:
    """Return the address of a place (or a tile as text), and its tiles where people can stand."""
    if found := _TILE.fullmatch(wanted.strip()):
        tile = int(found[1]), int(found[2])
        if not town_map.is_walkable(tile):
            raise RunError(
                f"Nobody can stand on the tile {tile[0]},{tile[1]}: it is a wall, or not on the "
                f"map of {town_map.width}x{town_map.height} tiles."
            )
        return f"{tile[0]},{tile[1]}", (tile,)
    address = find_place(wanted, town_map)
    if not town_map.tiles_of(address):
        raise RunError(f"{address} has no tile that one can stand on.")
    return address, town_map.tiles_of(address)


def format_way(way: Way) -> str:
    """Return a way as a sentence: its length and its duration."""
    steps = len(way.tiles) - 1
    minutes = steps * SECONDS_PER_TILE / 60
    told = f"{format_count(steps, 'tile')}, {minutes:.1f} minutes on foot."
    return f"From {way.start} to {way.end}: {told}"
