"""Walking distances to rooms, and the ticks that people need until they can affect each other.

People sense and affect each other only within one room (arena) or outdoors, and only within sight.
So a person in another room must first come in, on foot and through the doors.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from smolville.agents.persona import Persona
from smolville.agents.places import arena_of
from smolville.agents.times import Clock
from smolville.history.records import Tile
from smolville.world.town.townmap import TownMap

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


class TownLocality:
    """Distances in ticks between the people of a tile town."""

    def __init__(
        self, town_map: TownMap, approaches: Approaches, people: Mapping[str, Persona], clock: Clock
    ) -> None:
        """Store the people, how far each of them sees from now on, and the length of a tick."""
        self._vision = np.array([each.vision for each in people.values()], np.int64)
        self._speed = clock.tiles_per_tick
        self._approaches = approaches
        self._extent = np.zeros(len(town_map.rooms), np.int64)
        """By room, the length of its longest object in tiles, minus one."""
        numbers = {room: number for number, room in enumerate(town_map.rooms)}
        for thing in town_map.objects.values():
            room, size = arena_of(thing.address), max(thing.rect.width, thing.rect.height) - 1
            number = numbers[room]
            self._extent[number] = max(size, self._extent[number])
        self._room_at = town_map.room_at

    def ticks_around(self, row: int, tiles: Cells) -> tuple[Cells, Cells]:
        """Return the ticks that others need to come near a person, and the person to reach them.

        For the first result, the person stays where they are; for the second, the others do. Long
        objects count as near if one end is: from one end of a table, people see what is done at the
        other end. Walks through doors are measured up to `FARTHEST` tiles.
        """
        here = tiles[row]
        rooms = self._room_at[tiles[:, 1], tiles[:, 0]]
        apart = np.maximum(np.abs(tiles[:, 0] - here[0]), np.abs(tiles[:, 1] - here[1]))
        reach = np.maximum(self._vision, self._vision[row])
        beyond = apart - reach
        coming, going = beyond - self._extent[rooms[row]], beyond - self._extent[rooms]
        elsewhere = np.flatnonzero((rooms != rooms[row]) & (apart <= FARTHEST))
        if len(elsewhere):
            tile, theirs = (int(here[0]), int(here[1])), tiles[elsewhere]
            steps = self._approaches.steps(int(rooms[row]), theirs)
            coming[elsewhere] = np.maximum(coming[elsewhere], steps)
            into = self._approaches.steps_from(tile, rooms[elsewhere].tolist())
            going[elsewhere] = np.maximum(going[elsewhere], into)
        return self._ticks(coming), self._ticks(going)

    def _ticks(self, tiles: Cells) -> Cells:
        """Return the number of ticks in which this number of tiles can be walked."""
        ticks = tiles if self._speed == 1 else -(-tiles // self._speed)
        return np.maximum(ticks, 0)
