"""The town's map: obstacles, the tree of places, the place of each tile, the contents of a box.

Each arena lies in a sector, and each object in an arena.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from smolville.agents.errors import TownError
from smolville.agents.places import OUTDOORS, join_address
from smolville.history.records import Tile
from smolville.world.town.tiled import Grid, NamedRect, Rect, Sheet, read_sheet

MOST_USERS = 10_000
"""Largest capacity of an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sector:
    """A house, a shop or a park: the first part of an address."""

    name: str
    rect: Rect
    is_private: bool = False
    """True for people's homes."""

    @property
    def address(self) -> str:
        """The sector's own name."""
        return self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """A room, or a part of an outdoor place."""

    name: str
    sector: str
    rect: Rect

    @property
    def address(self) -> str:
        """The arena's address, `sector: arena`."""
        return join_address(self.sector, self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class TownObject:
    """An object that people use: a stove, a bed, a bench."""

    name: str
    arena: str
    """Address of the object's arena, `sector: arena`."""
    rect: Rect
    capacity: int
    """Number of people who can use the object at the same time."""
    idle_state: str
    """The object's state while nobody uses it."""

    @property
    def address(self) -> str:
        """The object's address, `sector: arena: object`."""
        return join_address(self.arena, self.name)

    @property
    def is_bed(self) -> bool:
        """True for objects whose name has a word for a bed; a bedside table is not a bed."""
        return any(word.endswith(("bed", "beds")) for word in self.name.casefold().split())


_P = TypeVar("_P", Sector, Arena, TownObject)


@dataclass(frozen=True, slots=True)
class BoxSight:
    """The addresses of arenas and objects with a walkable tile inside a box."""

    arenas: tuple[str, ...]
    objects: tuple[str, ...]


class TownMap:
    """A town's tiles and places, which do not change once loaded.

    Tiles are (column, row); arrays are indexed [row, column] and read-only.
    """

    def __init__(
        self,
        sheet: Sheet,
        sectors: Mapping[str, Sector],
        arenas: Mapping[str, Arena],
        objects: Mapping[str, TownObject],
    ) -> None:
        self.width = sheet.width
        self.height = sheet.height
        self.tile_size = sheet.tile_size
        self.frame = Rect(0, 0, sheet.width, sheet.height)
        self.ground: Grid = sheet.ground
        self.walls: Grid = sheet.walls
        self.sheet = sheet
        self.blocked: npt.NDArray[np.bool_] = sheet.walls != 0
        self.blocked.flags.writeable = False
        self.sectors, self.arenas, self.objects = sectors, arenas, objects
        self._free = (~self.blocked).tobytes()
        self.rooms = (OUTDOORS, *sectors, *arenas)
        """The addresses that `arena_at` can return."""
        self.room_at = np.zeros((self.height, self.width), np.int64)
        """Each tile's arena, as an index into `rooms`."""
        areas = [place.rect for place in sectors.values()]
        areas += [place.rect for place in arenas.values()]
        for number, rect in enumerate(areas, start=1):
            self.room_at[_cells(rect)] = number
        self.room_at.flags.writeable = False
        self._arena_at = [self.rooms[number] for number in self.room_at.ravel().tolist()]
        self._inside: dict[str, tuple[TownObject, ...]] = {}
        for item in objects.values():
            self._inside[item.arena] = (*self._inside.get(item.arena, ()), item)
        self._tiles: dict[str, tuple[Tile, ...]] = {}
        self._sights: dict[tuple[Tile, int], BoxSight] = {}
        self._places: list[Arena | TownObject] = [*arenas.values(), *objects.values()]
        rects = [place.rect for place in self._places]
        corners = [(rect.x, rect.y, rect.right, rect.bottom) for rect in rects]
        self._edges = np.array(corners, np.int32).reshape(-1, 4).T.copy()

    @classmethod
    def load(cls, path: Path) -> "TownMap":
        """Return the map of a Tiled file; raises TownError with the first fault."""
        town_map, faults = read_map(path)
        if faults:
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise TownError(faults[0] + more)
        return town_map

    def __contains__(self, address: str) -> bool:
        """Return True if there is a sector, arena or object with this address."""
        return address in self.sectors or address in self.arenas or address in self.objects

    @property
    def widest(self) -> int:
        """The width or height of the largest object, in tiles, minus one."""
        rects = [thing.rect for thing in self.objects.values()]
        return max((max(rect.width, rect.height) - 1 for rect in rects), default=0)

    def is_walkable(self, tile: Tile) -> bool:
        """Return True if the tile is on the map and nothing blocks it."""
        x, y = tile
        inside = 0 <= x < self.width and 0 <= y < self.height
        return inside and self._free[y * self.width + x] == 1

    def arena_at(self, tile: Tile) -> str:
        """Return a tile's `sector: arena`, its sector alone if it is in no arena, or `outdoors`."""
        x, y = tile
        is_inside = 0 <= x < self.width and 0 <= y < self.height
        return self._arena_at[y * self.width + x] if is_inside else OUTDOORS

    def tiles_of(self, address: str) -> tuple[Tile, ...]:
        """Return the walkable tiles of a place, row by row.

        Raises KeyError for an address that the map does not have.
        """
        tiles = self._tiles.get(address)
        if tiles is None:
            is_outdoors = address == OUTDOORS
            rect = self.frame if is_outdoors else self.place(address).rect
            tiles = self._tiles[address] = tuple(
                tile
                for tile in rect.tiles()
                if self.is_walkable(tile) and (not is_outdoors or self.arena_at(tile) == OUTDOORS)
            )
        return tiles

    def place(self, address: str) -> Sector | Arena | TownObject:
        """Return the place at an address; raises KeyError if there is none."""
        for places in (self.objects, self.arenas, self.sectors):
            if address in places:
                return places[address]
        raise KeyError(f"the town has no place {address!r}")

    def arenas_in(self, sector: str) -> tuple[Arena, ...]:
        """Return the arenas of a sector, in the map's order."""
        return tuple(arena for arena in self.arenas.values() if arena.sector == sector)

    def objects_in(self, arena: str) -> tuple[TownObject, ...]:
        """Return the objects of an arena (`sector: arena`), in the map's order."""
        return self._inside.get(arena, ())

    def beds_in(self, arena: str) -> tuple[TownObject, ...]:
        """Return the beds of an arena, in the map's order."""
        return tuple(item for item in self.objects_in(arena) if item.is_bed)

    def sights(self, tile: Tile, radius: int) -> BoxSight:
        """Return the arenas and objects with a walkable tile in the square box around a tile."""
        sight = self._sights.get((tile, radius))
        if sight is None:
            x, y, size = tile[0] - radius, tile[1] - radius, 2 * radius + 1
            sight = self._sights[tile, radius] = self._within(Rect(x, y, size, size))
        return sight

    def _within(self, box: Rect) -> BoxSight:
        left, top, right, bottom = self._edges
        across = (left < box.right) & (right > box.x)
        found = (across & (top < box.bottom) & (bottom > box.y)).nonzero()[0].tolist()
        places = [self._places[index] for index in found]
        seen = [each for each in places if not self._is_blocked(each.rect.intersect(box))]
        return BoxSight(
            tuple(each.address for each in seen if isinstance(each, Arena)),
            tuple(each.address for each in seen if isinstance(each, TownObject)),
        )

    def _is_blocked(self, rect: Rect | None) -> bool:
        return rect is None or bool(self.blocked[_cells(rect)].all())


def _cells(rect: Rect) -> tuple[slice, slice]:
    return slice(rect.y, rect.bottom), slice(rect.x, rect.right)


def read_map(path: Path) -> tuple[TownMap, list[str]]:
    """Return the map of a Tiled file, and a sentence for every fault.

    Arenas are placed after the sectors, and objects after the arenas. So a fault is reported at its
    cause, and not at its effects. Raises TownError if the file is not such a map.
    """
    sheet, faults = read_sheet(path), list[str]()
    marked = sheet.marked
    arenas: dict[str, Arena] = {}
    objects: dict[str, TownObject] = {}
    houses = [
        Sector(name=mark.name, rect=mark.rect, is_private=mark.properties.get("private") is True)
        for mark in marked["sectors"]
    ]
    sectors = _unique(houses, faults)
    faults += _overlaps("sectors", sectors)
    if not sheet.faults and not faults:
        within = _in_outer_places(marked["arenas"], "arena", sectors, "sector", faults)
        rooms = [Arena(name=mark.name, sector=outer, rect=mark.rect) for mark, outer in within]
        arenas = _unique(rooms, faults)
        faults += _overlaps("arenas", arenas)
    if not sheet.faults and not faults:
        within = _in_outer_places(marked["objects"], "object", arenas, "arena", faults)
        objects = _unique([_object(mark, outer, faults) for mark, outer in within], faults)
    told = [*sheet.faults, *(f"{sheet.file}: {fault}" for fault in faults)]
    return TownMap(sheet, sectors, arenas, objects), told


def _unique(places: Sequence[_P], faults: list[str]) -> dict[str, _P]:
    """Return places by address; duplicate addresses are recorded as faults."""
    found: dict[str, _P] = {}
    for place in places:
        first = found.setdefault(place.address, place)
        if first is not place:
            both = f"{first.rect}; {place.rect}"
            faults.append(f"`{place.address}` is there twice ({both}); rename one.")
    return found


def _in_outer_places(
    marks: Sequence[NamedRect],
    kind: str,
    outer: Mapping[str, Sector | Arena],
    outer_kind: str,
    faults: list[str],
) -> Iterator[tuple[NamedRect, str]]:
    """Yield each rectangle with the address of the outer place that contains it.

    A rectangle that lies in no outer place is left out, and recorded as a fault.
    """
    for mark in marks:
        shared = {key: place.rect.intersect(mark.rect) for key, place in outer.items()}
        partly = [f"`{key}`" for key, rect in shared.items() if rect is not None]
        home = next((key for key, rect in shared.items() if rect == mark.rect), None)
        if home is not None:
            yield mark, home
            continue
        where = f"reaches out of {', '.join(partly)}" if partly else f"lies in no {outer_kind}"
        faults.append(
            f"the {kind} {mark.name!r} ({mark.rect}) {where}; "
            f"move it so that it lies wholly in one {outer_kind}."
        )


def _object(mark: NamedRect, arena: str, faults: list[str]) -> TownObject:
    address = join_address(arena, mark.name)
    capacity = mark.properties.get("capacity", mark.rect.area)
    if type(capacity) is not int or not 1 <= capacity <= MOST_USERS:
        wanted = f"a whole number from 1 to {MOST_USERS:,}"
        faults.append(f"`{address}`: capacity must be {wanted}, not {capacity!r}.")
        capacity = 1
    state = mark.properties.get("state", "idle")
    if not isinstance(state, str) or not state.strip():
        faults.append(f"`{address}`: state must be a short text such as idle, not {state!r}.")
        state = "idle"
    return TownObject(
        name=mark.name, arena=arena, rect=mark.rect, capacity=capacity, idle_state=state.strip()
    )


def _overlaps(kind: str, places: Mapping[str, Sector] | Mapping[str, Arena]) -> Iterator[str]:
    """Yield a sentence for every two places of one kind that share tiles."""
    items: list[Sector | Arena] = list(places.values())
    for index, one in enumerate(items):
        for other in items[index + 1 :]:
            shared = one.rect.intersect(other.rect)
            if shared is not None:
                yield f"the {kind} `{one.address}` and `{other.address}` share {shared}; part them."
