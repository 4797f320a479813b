"""Shortest paths on the map: one flood fill for each destination, only as far as needed."""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence

from smolville.history.records import Tile
from smolville.world.town.townmap import TownMap

FLOODS_KEPT = 128
"""Number of floods kept in memory.

A flood takes about 30 kB, since most floods reach a few hundred tiles. In half a day of 25 people,
1,441 ways lead to 314 places. If more floods were kept, 23 fewer would begin.
"""

_FAR = -1


class Flood:
    """Distances of tiles to the nearest goal, computed by a flood fill that starts at the goals."""

    def __init__(self, is_open: bytes, turns: Sequence[int], goals: Iterable[int]) -> None:
        self.steps = dict.fromkeys(goals, 0)
        """The tiles reached so far with their steps; on a large map these are few of all tiles."""
        self._is_open = is_open
        self._turns = turns
        self._edge = list(self.steps)
        self._distance = 0

    def to(self, here: int) -> int:
        """Return the distance of `here`, negative if unreachable; fills only as far as needed."""
        while here not in self.steps and self._edge:
            self._reach_next_tiles()
        return self.steps.get(here, _FAR)

    def _reach_next_tiles(self) -> None:
        self._distance += 1
        steps, distance, is_open = self.steps, self._distance, self._is_open
        up, left, right, down = self._turns
        reached: list[int] = []
        for here in self._edge:
            for near in (here + up, here + left, here + right, here + down):
                if is_open[near] and near not in steps:
                    steps[near] = distance
                    reached.append(near)
        self._edge = reached


class Paths:
    """Shortest paths over walkable tiles, one step up, down, left or right at a time.

    Equal worlds give equal paths. If several steps are equally short, the path goes straight on if
    possible; otherwise it takes the first of up, left, right, down.
    """

    def __init__(self, town_map: TownMap) -> None:
        self._map = town_map
        self._stride = town_map.width + 1
        self._turns = (-self._stride, -1, 1, self._stride)
        self._is_open = _open_field(town_map)
        self._floods: OrderedDict[tuple[int, ...], Flood] = OrderedDict()

    def path(self, start: Tile, goals: Collection[Tile]) -> tuple[Tile, ...]:
        """Return the tiles from `start` to the nearest of `goals`, both included.

        Empty if no goal can be reached.
        """
        if not self._map.is_walkable(start):
            return ()
        flood = self._flood(goals)
        here, turn = self._index(start), 0
        left = flood.to(here)
        if left < 0:
            return ()
        distances = flood.steps
        tiles = [start]
        while left:
            left -= 1
            if not turn or distances.get(here + turn) != left:
                turn = next(step for step in self._turns if distances.get(here + step) == left)
            here += turn
            tiles.append((here % self._stride, here // self._stride - 1))
        return tuple(tiles)

    def distance(self, start: Tile, goal: Tile) -> int | None:
        """Return the number of steps from one tile to another; None if there is no way."""
        return self.distance_to(start, (goal,))

    def distance_to(self, start: Tile, goals: Collection[Tile]) -> int | None:
        """Return the number of steps to the nearest of `goals`; None if there is no way."""
        if not self._map.is_walkable(start):
            return None
        steps = self._flood(goals).to(self._index(start))
        return steps if steps >= 0 else None

    def meeting(
        self, one: Tile, other: Tile, taken: Collection[Tile] = ()
    ) -> tuple[Tile, Tile] | None:
        """Return two adjacent tiles half-way between two people, where they meet.

        The first tile is for the person at `one`. Tiles in `taken` are avoided if the path between
        the two people has another pair of tiles. None if there is no path.
        """
        way = self.path(one, (other,))
        if not way:
            return None
        if len(way) == 1:
            return self._side_by_side(one, taken)
        middle = (len(way) - 2) // 2
        order = sorted(range(len(way) - 1), key=lambda index: (abs(index - middle), index))
        free = (at for at in order if way[at] not in taken and way[at + 1] not in taken)
        at = next(free, middle)
        return way[at], way[at + 1]

    def _side_by_side(self, tile: Tile, taken: Collection[Tile]) -> tuple[Tile, Tile] | None:
        x, y = tile
        around = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]
        open_tiles = [near for near in around if self._map.is_walkable(near)]
        untaken = [near for near in open_tiles if near not in taken]
        return (tile, (untaken or open_tiles)[0]) if open_tiles else None

    def _index(self, tile: Tile) -> int:
        """Return a tile's index in the flat field, where each row ends with a wall."""
        return (tile[1] + 1) * self._stride + tile[0]

    def _flood(self, goals: Iterable[Tile]) -> Flood:
        """Return the flood from these goals, from the cache if it is there."""
        key = tuple(sorted({self._index(tile) for tile in goals if self._map.is_walkable(tile)}))
        found = self._floods.get(key)
        if found is None:
            found = self._floods[key] = Flood(self._is_open, self._turns, key)
            if len(self._floods) > FLOODS_KEPT:
                self._floods.popitem(last=False)
        else:
            self._floods.move_to_end(key)
        return found


def _open_field(town_map: TownMap) -> bytes:
    """Return 1 for each tile that can be walked on, otherwise 0, with a wall around the map."""
    wall_row = bytes(town_map.width + 1)
    rows = (bytes(not is_blocked for is_blocked in row) for row in town_map.blocked.tolist())
    return wall_row + b"".join(row + b"\0" for row in rows) + wall_row
