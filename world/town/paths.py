"""Shortest paths on the map, and walking distances to rooms.

A path takes one flood fill for each destination, only as far as needed.
"""

import math
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

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


FARTHEST = 120
"""Maximum number of steps that are measured."""
_BEYOND = FARTHEST + 1
Cells = npt.NDArray[np.int64]


class Approaches:
    """Distances to rooms; each room's distances are measured when they are needed first.

    Each room takes about 60 kB, regardless of the size of the town.
    """

    def __init__(self, town_map: TownMap) -> None:
        self._map = town_map
        self._fields: dict[int, tuple[npt.NDArray[np.uint8], int, int]] = {}
        """For each room: the steps in a window around it, and the first column and row of the
        window.
        """

    def steps(self, room: int, tiles: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the steps from tiles (rows of column and row) to the nearest tile of a room.

        The number is `FARTHEST` + 1 if more steps are needed, or if there is no way. The tiles must
        lie at most `FARTHEST` tiles from a tile of the room.
        """
        field, left, top = self._fields.get(room) or self._measure(room)
        return field[tiles[:, 1] - top, tiles[:, 0] - left].astype(np.int64)

    def steps_from(self, tile: Tile, rooms: Sequence[int]) -> list[int]:
        """Return the steps from one tile to each of these rooms, in the same way as `steps`."""
        x, y = tile
        found = []
        for room in rooms:
            field, left, top = self._fields.get(room) or self._measure(room)
            found.append(field.item(y - top, x - left))
        return found

    def _measure(self, room: int) -> tuple[npt.NDArray[np.uint8], int, int]:
        """Measure the steps to a room: spread from its tiles over walkable ones, step by step."""
        first_column, first_row, last_column, last_row = self._boxes[room].tolist()
        top, left = max(0, first_row - FARTHEST), max(0, first_column - FARTHEST)
        part = np.s_[top : last_row + FARTHEST + 1, left : last_column + FARTHEST + 1]
        is_free = np.pad(~self._map.blocked[part], 1)
        edge = np.pad(self._map.room_at[part] == room, 1) & is_free
        field = _spread(is_free, edge)
        found = np.ascontiguousarray(field[1:-1, 1:-1]), left, top
        self._fields[room] = found
        return found

    @cached_property
    def _boxes(self) -> Cells:
        rooms = self._map.room_at
        boxes = np.zeros((int(rooms.max()) + 1, 4), np.int64)
        boxes[:, :2] = max(rooms.shape)
        rows, columns = np.indices(rooms.shape)
        for place, cells in enumerate((columns, rows)):
            np.minimum.at(boxes[:, place], rooms, cells)
            np.maximum.at(boxes[:, place + 2], rooms, cells)
        return boxes


def _spread(is_free: npt.NDArray[np.bool_], edge: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Return the steps from the cells at the edge to all others; outermost cells are never free.

    The whole field is one integer with a bit for each cell. So a step takes a few operations,
    regardless of the number of cells reached. Each binary digit of the step counts is also such an
    integer.
    """
    free, beside, width = _to_bits(is_free), _to_bits(edge), is_free.shape[1]
    left = free ^ beside
    digits = [0] * FARTHEST.bit_length()
    for steps in range(1, _BEYOND):
        beside = (beside << 1 | beside >> 1 | beside << width | beside >> width) & left
        if not beside:
            break
        left ^= beside
        for place in range(steps.bit_length()):
            if steps >> place & 1:
                digits[place] |= beside
    field = np.zeros(is_free.shape, np.uint8)
    for place, digit in enumerate(digits):
        field |= _to_cells(digit, is_free.shape) << place
    field[_to_cells(free ^ left, is_free.shape) == 0] = _BEYOND
    return field


def _to_bits(cells: npt.NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")


def _to_cells(bits: int, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    count = math.prod(shape)
    packed = np.frombuffer(bits.to_bytes(-(-count // 8), "little"), np.uint8)
    return np.unpackbits(packed, count=count, bitorder="little").reshape(shape)
