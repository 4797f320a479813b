"""The steps from any tile near a room to the room, through its doors."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from history.records import Tile
from world.town.townmap import TownMap

FARTHEST = 120
"""Steps that are measured."""
_BEYOND = FARTHEST + 1
Cells = npt.NDArray[np.int64]
"""Places in an array of rows one after another."""


class Approaches:
    """Distances to rooms, each measured when first asked for.

    About 60 kB are kept for each room, however large the town.
    """

    def __init__(self, town_map: TownMap) -> None:
        self._map = town_map
        self._fields: dict[int, tuple[npt.NDArray[np.uint8], int, int]] = {}
        """By room, the steps within a window around it, and the window's first column and row."""
        self._near: dict[tuple[Tile, int], tuple[int, ...]] = {}

    def steps(self, room: int, tiles: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the steps from tiles (rows of column and row) to the nearest tile of a room.

        `FARTHEST` + 1 where it takes more steps, or where there is no way. The tiles lie at most
        `FARTHEST` tiles from a tile of the room.
        """
        field, left, top = self._fields.get(room) or self._measure(room)
        return field[tiles[:, 1] - top, tiles[:, 0] - left].astype(np.int64)

    def steps_from(self, tile: Tile, rooms: Sequence[int]) -> list[int]:
        """Return the steps from one tile to each of some rooms, as `steps` does."""
        x, y = tile
        found = []
        for room in rooms:
            field, left, top = self._fields.get(room) or self._measure(room)
            found.append(field.item(y - top, x - left))
        return found

    def rooms_within(self, tile: Tile, steps: int) -> tuple[int, ...]:
        """Return the rooms into which at most so many steps lead from a tile, its own first."""
        if (found := self._near.get((tile, steps))) is not None:
            return found
        walked, edge = {tile}, {tile}
        for _ in range(steps):
            beside = {
                each for x, y in edge for each in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            }
            edge = {each for each in beside - walked if self._map.is_walkable(each)}
            walked |= edge
        rooms = dict.fromkeys(int(self._map.room_at[y, x]) for x, y in (tile, *sorted(walked)))
        found = self._near[tile, steps] = tuple(rooms)
        return found

    def _measure(self, room: int) -> tuple[npt.NDArray[np.uint8], int, int]:
        """Spread from a room's tiles over walkable ones, a step at a time."""
        rows, columns = np.nonzero(self._map.room_at == room)
        top, left = max(0, rows.min() - FARTHEST), max(0, columns.min() - FARTHEST)
        part = np.s_[top : rows.max() + FARTHEST + 1, left : columns.max() + FARTHEST + 1]
        is_free = np.pad(~self._map.blocked[part], 1)
        field = np.full(is_free.shape, _BEYOND, np.uint8)
        edge = np.flatnonzero(np.pad(self._map.room_at[part] == room, 1) & is_free)
        _spread(field.reshape(-1), is_free.reshape(-1), edge, is_free.shape[1])
        found = np.ascontiguousarray(field[1:-1, 1:-1]), int(left), int(top)
        self._fields[room] = found
        return found


def _spread(
    field: npt.NDArray[np.uint8], is_free: npt.NDArray[np.bool_], edge: Cells, width: int
) -> None:
    """Write the steps from the cells in `edge` to all others into a field of so wide rows.

    Only the cells at the edge are looked at in each step; the outermost ones are never free.
    """
    place = np.zeros(len(field), np.int64)
    for distance in range(_BEYOND):
        field[edge], is_free[edge] = distance, False
        beside = np.concatenate((edge - 1, edge + 1, edge - width, edge + width))
        beside = beside[is_free[beside]]
        # Of the same cell reached from two sides, the last one stays.
        order = np.arange(len(beside))
        place[beside] = order
        edge = beside[place[beside] == order]
        if not len(edge):
            break
