"""A way through a town from one place to another: its tiles, and the places that it crosses."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from smolville.agents.chance import pick
from smolville.agents.errors import RunError
from smolville.agents.mind import WANDER
from smolville.agents.times import SECONDS_PER_TILE
from smolville.agents.wording import format_count
from smolville.history.records import Tile
from smolville.world.meaning import find_place
from smolville.world.town.paths import Paths
from smolville.world.town.townmap import TownMap

_TILE = re.compile(r"\(?\s*(\d{1,5})\s*,\s*(\d{1,5})\s*\)?")


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

    @property
    def seconds(self) -> int:
        """Town seconds that somebody needs for the way on foot."""
        return (len(self.tiles) - 1) * SECONDS_PER_TILE


def find_way(start: str, end: str, town_map: TownMap, paths: Paths, seed: int = 0) -> Way:
    """Return the shortest way between two places, which an operator has described.

    A place is a sector, `sector: arena`, `sector: arena: object`, a tile `12,34`, or `<random>`.
    The way begins in the middle of the first place and ends on the nearest tile of the second.
    Raises RunError with the nearest names if a place is unknown, and if there is no way.
    """
    first, tiles = _find_end(start, town_map, (seed, "from"))
    goal, goals = _find_end(end, town_map, (seed, "to", first))
    way = paths.path(_middle(tiles), goals)
    if not way:
        raise RunError(f"No way leads from {first} to {goal}: walls are all around one of them.")
    return Way(start=first, end=goal, tiles=way, passages=tuple(_passages(way, town_map)))


def _find_end(
    wanted: str, town_map: TownMap, key: tuple[object, ...]
) -> tuple[str, tuple[Tile, ...]]:
    """Return the address of a place (or a tile as text), and its tiles where people can stand."""
    if wanted.strip() == WANDER:
        open_arenas = [each for each in town_map.arenas if town_map.tiles_of(each)]
        if not open_arenas:
            raise RunError("The town has no room that one can stand in.")
        arena = pick(open_arenas, *key, WANDER)
        return arena, town_map.tiles_of(arena)
    if found := _TILE.fullmatch(wanted.strip()):
        tile = int(found[1]), int(found[2])
        _check_tile(tile, town_map)
        return f"{tile[0]},{tile[1]}", (tile,)
    address = find_place(wanted, town_map)
    tiles = town_map.tiles_of(address)
    if not tiles:
        raise RunError(f"{address} has no tile that one can stand on.")
    return address, tiles


def _check_tile(tile: Tile, town_map: TownMap) -> None:
    """Raise RunError for a tile where nobody can stand; the error names the nearest free tile."""
    if tile not in town_map.frame:
        raise RunError(
            f"The tile {tile[0]},{tile[1]} is not on the map; columns go from 0 to "
            f"{town_map.width - 1}, rows from 0 to {town_map.height - 1}."
        )
    if not town_map.is_walkable(tile):
        free = (each for each in town_map.frame.tiles() if town_map.is_walkable(each))
        x, y = min(free, key=lambda each: (_distance(each, tile), each))
        raise RunError(
            f"Nobody can stand on the tile {tile[0]},{tile[1]}; the nearest free one is {x},{y}."
        )


def _middle(tiles: Sequence[Tile]) -> Tile:
    """Return the tile nearest to the middle of a place; of several, the upper left one."""
    centre = sum(x for x, _ in tiles) // len(tiles), sum(y for _, y in tiles) // len(tiles)
    return min(tiles, key=lambda tile: (_distance(tile, centre), tile[1], tile[0]))


def _distance(one: Tile, other: Tile) -> int:
    """Return the number of steps between two tiles, ignoring obstacles."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _passages(way: Sequence[Tile], town_map: TownMap) -> Iterator[Passage]:
    """Yield the parts of a way, each with its place and its first tile."""
    steps = 0
    for place, tiles in groupby(way, town_map.arena_at):
        part = list(tiles)
        yield Passage(place=place, tile=part[0], steps=steps)
        steps += len(part)


def format_way(way: Way) -> str:
    """Return a way as a sentence: its length and its duration."""
    steps = len(way.tiles) - 1
    minutes = way.seconds / 60
    return (
        f"From {way.start} to {way.end}: {format_count(steps, 'tile')}, {minutes:.1f} minutes on "
        "foot."
    )
