"""Paths of visitors on a map: in from outdoors, from place to place, and out again."""

from typing import TYPE_CHECKING

from agents.chance import pick
from agents.places import OUTDOORS, arena_of, object_of
from history.records import Tile

if TYPE_CHECKING:
    from world.tile_town import TileTown


class VisitorPaths:
    """Finds the paths of visitors in a tile town."""

    def __init__(self, town: "TileTown", seed: int) -> None:
        self._town = town
        self._seed = seed

    def into(self, name: str, place: str, tick: int) -> tuple[Tile, ...]:
        """Return the path from outdoors to a free tile of a place."""
        goals = self._goals(place, tick)
        if not goals:
            return ()
        goal = pick(goals, self._seed, name, tick, "enter")
        way = self._town.town.paths.path(goal, self._outdoors())
        # If there are no outdoor tiles nearby, the visitor appears directly at the goal.
        return way[::-1] or (goal,)

    def to(self, name: str, place: str, tick: int) -> tuple[Tile, ...]:
        """Return the path from a visitor's tile to a free tile of a place."""
        town = self._town
        here = town.figures[name].tile_at(tick, town.clock)
        if not object_of(place) and arena_of(place) == town.town.map.arena_at(here):
            return (here,)
        goals = self._goals(place, tick)
        return (
            town.town.paths.path(here, (pick(goals, self._seed, name, tick, "go"),))
            if goals
            else ()
        )

    def out(self, name: str, tick: int) -> tuple[Tile, ...]:
        """Return the path from a visitor's tile to the nearest tile outdoors."""
        town = self._town
        here = town.figures[name].tile_at(tick, town.clock)
        return town.town.paths.path(here, self._outdoors()) or (here,)

    def _outdoors(self) -> tuple[Tile, ...]:
        return self._town.town.map.tiles_of(OUTDOORS)

    def _goals(self, place: str, tick: int) -> tuple[Tile, ...]:
        """Return the tiles of a place, free ones if possible; empty if there is no such place."""
        town = self._town
        if place != OUTDOORS and place not in town.town.map:
            return ()
        tiles = town.town.map.tiles_of(place)
        taken = set(town.tiles(tick).values())
        return tuple(tile for tile in tiles if tile not in taken) or tiles
