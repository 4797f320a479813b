"""Shortest walks over the map, by distance fields that are computed once per destination."""

from array import array
from collections import OrderedDict
from collections.abc import Collection, Iterable

from world.records import Tile
from world.townmap import TownMap

FIELDS_KEPT = 1024
"""Distance fields kept in memory: about 28 kB each on a map of 100x70 tiles."""

_FAR = -1
_WALL = -2


class Paths:
    """Shortest paths over walkable tiles, one step up, down, left or right at a time.

    Equal worlds give equal paths: among steps that are equally near, one goes straight on, else
    the first of up, left, right, down.
    """

    def __init__(self, town_map: TownMap) -> None:
        self._map = town_map
        self._stride = town_map.width + 1
        self._turns = (-self._stride, -1, 1, self._stride)
        self._blank = _blank_field(town_map)
        self._fields: OrderedDict[tuple[int, ...], array[int]] = OrderedDict()

    def path(self, start: Tile, goals: Collection[Tile]) -> tuple[Tile, ...]:
        """Return the tiles from `start` to the nearest of `goals`, both included.

        Empty when no goal can be reached.
        """
        if not self._map.is_walkable(start):
            return ()
        distances = self._field(goals)
        here, turn = self._index(start), 0
        left = distances[here]
        if left < 0:
            return ()
        tiles = [start]
        while left:
            left -= 1
            if not turn or distances[here + turn] != left:
                turn = next(step for step in self._turns if distances[here + step] == left)
            here += turn
            tiles.append((here % self._stride, here // self._stride - 1))
        return tuple(tiles)

    def distance(self, start: Tile, goal: Tile) -> int | None:
        """Return how many steps it is from one tile to the other; None when there is no way."""
        return self.distance_to(start, (goal,))

    def distance_to(self, start: Tile, goals: Collection[Tile]) -> int | None:
        """Return how many steps it is to the nearest of `goals`; None when there is no way."""
        if not self._map.is_walkable(start):
            return None
        steps = self._field(goals)[self._index(start)]
        return steps if steps >= 0 else None

    def meeting(
        self, one: Tile, other: Tile, taken: Collection[Tile] = ()
    ) -> tuple[Tile, Tile] | None:
        """Return where two people meet: two neighbouring tiles half-way, the first one's first.

        Tiles in `taken` are avoided as long as the way between them has another pair. None when
        there is no way.
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
        """Return the tile and a free neighbour of it; a taken one only where all are taken."""
        x, y = tile
        around = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]
        open_tiles = [near for near in around if self._map.is_walkable(near)]
        untaken = [near for near in open_tiles if near not in taken]
        return (tile, (untaken or open_tiles)[0]) if open_tiles else None

    def _index(self, tile: Tile) -> int:
        """Return a tile's place in a field: rows have a wall at their end, and above and below."""
        return (tile[1] + 1) * self._stride + tile[0]

    def _field(self, goals: Iterable[Tile]) -> "array[int]":
        """Return the steps from every tile to the nearest goal, from memory where it is known."""
        key = tuple(sorted({self._index(tile) for tile in goals if self._map.is_walkable(tile)}))
        found = self._fields.get(key)
        if found is None:
            found = self._spread(key)
            self._fields[key] = found
            if len(self._fields) > FIELDS_KEPT:
                self._fields.popitem(last=False)
        else:
            self._fields.move_to_end(key)
        return found

    def _spread(self, goals: tuple[int, ...]) -> "array[int]":
        """Return a new distance field: a flood from the goals, one step further at a time."""
        steps = self._blank.copy()
        up, left, right, down = self._turns
        edge = list(goals)
        for goal in edge:
            steps[goal] = 0
        distance = 0
        while edge:
            distance += 1
            reached: list[int] = []
            for here in edge:
                for near in (here + up, here + left, here + right, here + down):
                    if steps[near] == _FAR:
                        steps[near] = distance
                        reached.append(near)
            edge = reached
        return array("i", steps)


def _blank_field(town_map: TownMap) -> list[int]:
    """Return a field that nothing has reached, with a wall around the map."""
    wall_row = [_WALL] * (town_map.width + 1)
    field = list(wall_row)
    for row in town_map.blocked.tolist():
        field += [_WALL if is_blocked else _FAR for is_blocked in row]
        field.append(_WALL)
    return field + wall_row
