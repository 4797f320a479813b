"""The ticks that people in a tile town need until they can affect each other (`Locality`).

People sense and affect each other only within one room (arena) or outdoors, and only within sight.
So a person in another room must first come in, on foot and through the doors.
"""

from collections.abc import Mapping

import numpy as np

from smolville.agents.persona import Persona
from smolville.agents.places import arena_of
from smolville.agents.times import Clock
from smolville.agents.wording import format_count
from smolville.history.records import Tile
from smolville.world.adapter import Ticks, Tiles
from smolville.world.town.approach import FARTHEST, Approaches
from smolville.world.town.townmap import TownMap


class TownLocality:
    """Distances in ticks between the people of a tile town."""

    def __init__(
        self, town_map: TownMap, approaches: Approaches, people: Mapping[str, Persona], clock: Clock
    ) -> None:
        """Store the people, how far each of them sees from now on, and the length of a tick."""
        self._people = people
        self._names = tuple(people)
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

    def ticks_around(self, row: int, tiles: Tiles) -> tuple[Ticks, Ticks]:
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

    def why_wrong(self, row: int, before: Tile, after: Tile, ticks: int) -> str:
        """Return why a person's distances are unreliable; empty if they are reliable.

        Distances are unreliable if the person sees farther or has walked faster than assumed.
        """
        name = self._names[row]
        sight = self._people[name].vision
        if sight > self._vision[row]:
            return f"{name} sees {sight} tiles far instead of {self._vision[row]}"
        tiles = max(abs(after[0] - before[0]), abs(after[1] - before[1]))
        if tiles > self._speed * ticks:
            return f"{name} came from {before} to {after} in {format_count(ticks, 'tick')}"
        return ""

    def _ticks(self, tiles: Tiles) -> Ticks:
        """Return the number of ticks in which this number of tiles can be walked."""
        ticks = tiles if self._speed == 1 else -(-tiles // self._speed)
        return np.maximum(ticks, 0)
