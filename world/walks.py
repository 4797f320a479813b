"""A body's position on its walk: at a moment within a tick, and all tiles since the last tick."""

from agents.times import SECONDS_PER_TILE, Clock
from history.records import Tile
from world.body_state import BodyState


def tile_when(body: BodyState, at: int, clock: Clock) -> Tile:
    """Return a body's tile at a town second of its walk, or after it."""
    if body.walk is None:
        return body.tile
    walked = max(0, at - clock.at(body.walk.tick)) // SECONDS_PER_TILE
    return body.walk.path[min(walked, len(body.walk.path) - 1)]


def tiles_since(body: BodyState, tick: int, clock: Clock) -> tuple[Tile, ...]:
    """Return the tiles on which a body was between the tick before and `tick`, both included."""
    if body.walk is None:
        return (body.tile,)
    walked = [clock.tiles_walked(max(0, when - body.walk.tick)) for when in (tick - 1, tick)]
    first, last = (min(len(body.walk.path) - 1, tiles) for tiles in walked)
    return body.walk.path[first : last + 1]


def walked_into(body: BodyState, tick: int) -> bool:
    """Return True when a body walked between the tick before and `tick`."""
    return body.walk is not None and body.walk.tick < tick <= body.walk.end_tick
