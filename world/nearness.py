"""How long people in a tile town need until they can affect each other (`world.adapter.Locality`).

People sense and affect each other only within one room (arena), or out of doors, and only within
sight. So whoever is in another room must come in first, on foot, through the doors.
"""

from collections.abc import Mapping, Sequence

from agents.places import arena_of
from history.records import Tile
from world.perception import near
from world.town.paths import Flood, Paths
from world.town.townmap import TownMap

FAR_SECONDS = 7200
"""Town seconds beyond which the way is not measured: nobody gets that far ahead of anybody."""


class TownLocality:
    """Distances in ticks between the people of a tile town."""

    def __init__(
        self,
        town_map: TownMap,
        paths: Paths,
        vision: Mapping[str, int],
        tick_seconds: int,
        speed: int,
    ) -> None:
        """Set how far everybody sees, in tiles, and how many tiles they walk in a tick at most."""
        self._map, self._paths, self._vision, self._speed = town_map, paths, vision, speed
        self._far = FAR_SECONDS // tick_seconds
        self._floods: dict[str, Flood] = {}
        self._extent: dict[str, int] = {}
        for thing in town_map.objects.values():
            room, size = arena_of(thing.address), max(thing.rect.width, thing.rect.height) - 1
            self._extent[room] = max(size, self._extent.get(room, 0))

    def ticks_to(self, agent: str, tile: Tile, others: Sequence[tuple[str, Tile]]) -> list[int]:
        """Return the ticks that each of the others needs at least to affect a person who stays.

        Whoever sees one end of a long table also sees what is done at its other end.
        """
        room = self._map.arena_at(tile)
        reach = self._vision[agent] + self._extent.get(room, 0)
        found = []
        for name, start in others:
            more = max(self._vision[name] - self._vision[agent], 0)
            ticks = self._ticks(near(tile, start) - reach - more)
            if ticks < self._far and self._map.arena_at(start) != room:
                ticks = max(ticks, self._ticks(self._flood(room).steps_from(start)))
            found.append(ticks)
        return found

    def _ticks(self, tiles: int) -> int:
        return max(-(-tiles // self._speed), 0)

    def _flood(self, room: str) -> Flood:
        """Return the distances to the nearest tile of a room."""
        found = self._floods.get(room)
        if found is None:
            inside = (each for each in self._map.frame.tiles() if self._map.arena_at(each) == room)
            found = self._floods[room] = self._paths.flood(inside)
        return found
