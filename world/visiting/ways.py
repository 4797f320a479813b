"""Paths of visitors on the map: into town, to a place, to a person, and out of town."""

from collections.abc import Sequence

from smolville.agents.chance import pick
from smolville.agents.places import OUTDOORS, arena_of, object_of
from smolville.history.records import Tile
from smolville.world.perception import near
from smolville.world.town_state import TownState


def way_in(town: TownState, name: str, place: str, tick: int) -> tuple[Tile, ...]:
    """Return the path on which somebody comes in from outdoors to a free tile of a place."""
    goals = _free_tiles(town, place, tick)
    if not goals:
        return ()
    goal = pick(goals, town.seed, name, tick, "enter")
    way = town.paths.path(goal, town.map.tiles_of(OUTDOORS))
    # If there are no outdoor tiles nearby, the visitor appears directly at the goal.
    return way[::-1] or (goal,)


def way_to(town: TownState, name: str, place: str, tick: int) -> tuple[Tile, ...]:
    """Return the path on which a visitor goes to a free tile of a place."""
    here = town.tile_of(name, tick)
    if not object_of(place) and arena_of(place) == town.map.arena_at(here):
        return (here,)
    goals = _free_tiles(town, place, tick)
    if not goals:
        return ()
    return town.paths.path(here, (pick(goals, town.seed, name, tick, "go"),))


def way_after(town: TownState, name: str, other: str, tick: int) -> tuple[Tile, ...]:
    """Return the path to a tile beside somebody out of sight, or beside the end of their walk."""
    figure = town.figures[other]
    here, there = (town.tile_of(each, tick) for each in (name, other))
    if see_each_other(town, name, here, there):
        return ()
    goal = figure.walk.path[-1] if figure.walk and figure.is_walking(tick) else there
    taken = set(town.tiles(tick).values()) - {here}
    beside = [tile for tile in _tiles_beside(town, goal) if tile not in taken]
    return town.paths.path(here, beside or (goal,))


def way_out(town: TownState, name: str, tick: int) -> tuple[Tile, ...]:
    """Return the path on which a visitor leaves: to the nearest tile outdoors."""
    here = town.tile_of(name, tick)
    return town.paths.path(here, town.map.tiles_of(OUTDOORS)) or (here,)


def see_each_other(town: TownState, name: str, here: Tile, there: Tile) -> bool:
    """Return whether somebody on one tile sees the other tile: near, and in the same room."""
    is_near = near(here, there) <= town.vision_of(name)
    return is_near and town.map.arena_at(here) == town.map.arena_at(there)


def _tiles_beside(town: TownState, goal: Tile) -> list[Tile]:
    """Return the tiles of a room that touch `goal`, row by row."""
    x, y = goal
    around = [(x + right, y + down) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    room = town.map.arena_at(goal)
    return [
        tile
        for tile in around
        if tile != goal and town.map.is_walkable(tile) and town.map.arena_at(tile) == room
    ]


def _free_tiles(town: TownState, place: str, tick: int) -> Sequence[Tile]:
    """Return the tiles of a place, free ones if possible; empty if there is no such place."""
    if place != OUTDOORS and place not in town.map:
        return ()
    tiles = town.map.tiles_of(place)
    taken = set(town.tiles(tick).values())
    return tuple(tile for tile in tiles if tile not in taken) or tiles
