"""How long people in a tile town need until they can affect each other (`world.adapter.Locality`).

People sense and affect each other only within one room (arena), or out of doors, and only within
sight. So whoever is in another room must come in first, on foot, through the doors.
"""

from collections.abc import Mapping

import numpy as np

from agents.places import arena_of
from world.adapter import Ticks, Tiles
from world.town.approach import FARTHEST, Approaches
from world.town.townmap import TownMap


class TownLocality:
    """Distances in ticks between the people of a tile town."""

    def __init__(
        self, town_map: TownMap, approaches: Approaches, vision: Mapping[str, int], speed: int
    ) -> None:
        """Set how far everybody sees, in tiles, and how many tiles they walk in a tick at most."""
        self._vision = np.array(list(vision.values()), np.int64)
        self._speed = speed
        self._approaches = approaches
        self._extent = np.zeros(len(town_map.rooms), np.int64)
        """By room, the tiles beyond the first of its longest object."""
        numbers = {room: number for number, room in enumerate(town_map.rooms)}
        for thing in town_map.objects.values():
            room, size = arena_of(thing.address), max(thing.rect.width, thing.rect.height) - 1
            number = numbers[room]
            self._extent[number] = max(size, self._extent[number])
        self._room_at = town_map.room_at

    def ticks_around(self, row: int, tiles: Tiles) -> tuple[Ticks, Ticks]:
        """Return the ticks that others need to affect somebody who stays, and the other way round.

        Whoever sees one end of a long table also sees what is done at its other end. Ways through
        doors are measured up to `FARTHEST` tiles; people farther apart than that need longer.
        """
        here = tiles[row]
        rooms = self._room_at[tiles[:, 1], tiles[:, 0]]
        apart = np.abs(tiles - here).max(axis=1)
        reach = np.maximum(self._vision, self._vision[row])
        coming = apart - reach - self._extent[rooms[row]]
        going = apart - reach - self._extent[rooms]
        elsewhere = np.flatnonzero((rooms != rooms[row]) & (apart <= FARTHEST))
        if len(elsewhere):
            steps = self._approaches.steps(int(rooms[row]), tiles[elsewhere])
            coming[elsewhere] = np.maximum(coming[elsewhere], steps)
            into = self._approaches.steps_from(
                (int(here[0]), int(here[1])), rooms[elsewhere].tolist()
            )
            going[elsewhere] = np.maximum(going[elsewhere], into)
        return self._ticks(coming), self._ticks(going)

    def _ticks(self, tiles: Tiles) -> Ticks:
        """Return the ticks in which one walks so many tiles."""
        return np.maximum(-(-tiles // self._speed), 0)
