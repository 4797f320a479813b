"""The town's map: obstacles, the place of each tile, and the contents of a box."""

from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from smolville.agents.errors import TownError
from smolville.agents.places import OUTDOORS
from smolville.history.records import Tile
from smolville.world.town.placetree import Arena, PlaceTree, Sector, TownObject, place_tree
from smolville.world.town.tiled import Grid, Rect, Sheet, read_sheet


@dataclass(frozen=True, slots=True)
class BoxSight:
    """The addresses of arenas and objects with a walkable tile inside a box."""

    arenas: tuple[str, ...]
    objects: tuple[str, ...]


class TownMap:
    """A town's tiles and places, which do not change once loaded.

    Tiles are (column, row); arrays are indexed [row, column] and read-only.
    """

    def __init__(self, sheet: Sheet, tree: PlaceTree) -> None:
        self.width = sheet.width
        self.height = sheet.height
        self.tile_size = sheet.tile_size
        self.frame = Rect(0, 0, sheet.width, sheet.height)
        self.ground: Grid = sheet.ground
        self.walls: Grid = sheet.walls
        self.sheet = sheet
        self.blocked: npt.NDArray[np.bool_] = sheet.walls != 0
        self.blocked.flags.writeable = False
        self.sectors = tree.sectors
        self.arenas = tree.arenas
        self.objects = tree.objects
        self._free = (~self.blocked).tobytes()
        self.rooms = (OUTDOORS, *tree.sectors, *tree.arenas)
        """The addresses that `arena_at` can return."""
        self.room_at = _numbered(self)
        """Each tile's arena, as an index into `rooms`."""
        self._arena_at = [self.rooms[number] for number in self.room_at.ravel().tolist()]
        self._inside = _objects_of_each_arena(tree)
        self._tiles: dict[str, tuple[Tile, ...]] = {}
        self._sights: dict[tuple[Tile, int], BoxSight] = {}
        self._index = _Index(self.blocked, tree)

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
            tiles = tuple(tile for tile in self._all_tiles_of(address) if self.is_walkable(tile))
            self._tiles[address] = tiles
        return tiles

    def _all_tiles_of(self, address: str) -> list[Tile]:
        """Return every tile of a place, including walls."""
        if address == OUTDOORS:
            return [tile for tile in self.frame.tiles() if self.arena_at(tile) == OUTDOORS]
        return list(self.place(address).rect.tiles())

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

    def box(self, tile: Tile, radius: int) -> Rect:
        """Return the square box around a tile, clipped to the map."""
        x, y = max(0, tile[0] - radius), max(0, tile[1] - radius)
        right, bottom = (
            min(self.width, tile[0] + radius + 1),
            min(self.height, tile[1] + radius + 1),
        )
        return Rect(x, y, max(0, right - x), max(0, bottom - y))

    def sights(self, tile: Tile, radius: int) -> BoxSight:
        """Return the arenas and objects with a walkable tile in the square box around a tile."""
        key = (tile, radius)
        sight = self._sights.get(key)
        if sight is None:
            sight = self._sights[key] = self._index.within(self.box(tile, radius))
        return sight


class _Index:
    """All arenas and objects as arrays, for a fast search for the places in a box."""

    def __init__(self, blocked: npt.NDArray[np.bool_], tree: PlaceTree) -> None:
        self.blocked = blocked
        places: list[Arena | TownObject] = [*tree.arenas.values(), *tree.objects.values()]
        self.rects = [place.rect for place in places]
        self.addresses = [place.address for place in places]
        self.arenas = len(tree.arenas)
        corners = [(rect.x, rect.y, rect.right, rect.bottom) for rect in self.rects]
        self.edges = np.array(corners, np.int32).reshape(-1, 4).T.copy()
        self.partly = {
            index for index, rect in enumerate(self.rects) if self._blocked_part(rect).any()
        }

    def within(self, box: Rect) -> BoxSight:
        """Return the places that have a walkable tile in the box, in the map's order."""
        left, top, right, bottom = self.edges
        across = (left < box.right) & (right > box.x)
        found = (across & (top < box.bottom) & (bottom > box.y)).nonzero()[0].tolist()
        if not self.partly.isdisjoint(found):
            found = [index for index in found if self._is_open(index, box)]
        cut = bisect_left(found, self.arenas)
        addresses = [self.addresses[index] for index in found]
        return BoxSight(tuple(addresses[:cut]), tuple(addresses[cut:]))

    def _is_open(self, index: int, box: Rect) -> bool:
        """Return True if a place has an unblocked tile in the box."""
        if index not in self.partly:
            return True
        part = self.rects[index].intersect(box)
        return part is not None and not self._blocked_part(part).all()

    def _blocked_part(self, rect: Rect) -> npt.NDArray[np.bool_]:
        """Return which tiles of a rectangle are blocked."""
        return self.blocked[rect.y : rect.bottom, rect.x : rect.right]


def read_map(path: Path) -> tuple[TownMap, list[str]]:
    """Return the map of a Tiled file, and a sentence for every fault.

    Raises TownError if the file is not such a map.
    """
    sheet = read_sheet(path)
    tree, faults = place_tree(sheet)
    return TownMap(sheet, tree), [*sheet.faults, *faults]


def _objects_of_each_arena(tree: PlaceTree) -> dict[str, tuple[TownObject, ...]]:
    """Return the objects of every arena that has any, in the map's order."""
    inside: dict[str, list[TownObject]] = {}
    for item in tree.objects.values():
        inside.setdefault(item.arena, []).append(item)
    return {arena: tuple(items) for arena, items in inside.items()}


def _numbered(town_map: TownMap) -> npt.NDArray[np.int64]:
    """Return the innermost place of every tile, as an index into the map's rooms."""
    found = np.zeros((town_map.height, town_map.width), np.int64)
    places: list[Sector | Arena] = [*town_map.sectors.values(), *town_map.arenas.values()]
    for number, place in enumerate(places, start=1):
        rect = place.rect
        found[rect.y : rect.bottom, rect.x : rect.right] = number
    found.flags.writeable = False
    return found
