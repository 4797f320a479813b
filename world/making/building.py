"""Lays out a building: rooms side by side, each with furniture along its two long walls.

The street is at the bottom of the plan; a building on the other side of the street is turned upside
down. Furniture does not block the way, and the middle row of a room is left free.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from smolville.world.town.tiled import Rect
from smolville.world.town.town import Town, shipped_town

PICTURE = "tiles.png"
"""The picture of the shipped tileset; a new town gets a copy of it."""
MOST_ROWS = 2
"""Maximum height of a piece of furniture in tiles; a room has two rows on each side."""

HEIGHT = 7
"""Height of a building in tiles, including its walls."""
INSIDE = HEIGHT - 2
MIDDLE = INSIDE // 2
"""The row of a room that connects its doors, counted from the far wall."""
LEAST = 3
"""Minimum width of a room in tiles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of furniture: its size in tiles, its pictures, and how it is used."""

    width: int = 1
    height: int = 1
    gids: tuple[int, ...] = ()
    """Tile numbers of its pictures, row by row; empty for a piece without a picture."""
    capacity: int = 1
    state: str = ""
    """The state of the piece while nobody uses it; empty for the map's default."""


@cache
def shipped_pieces() -> Mapping[str, Piece]:
    """Return a piece of furniture for each name: the shipped map's first one that fits a room."""
    town_map = Town.load(shipped_town()).map
    found: dict[str, Piece] = {}
    for item in town_map.objects.values():
        if item.name not in found and item.rect.height <= MOST_ROWS:
            found[item.name] = Piece(
                width=item.rect.width,
                height=item.rect.height,
                gids=tuple(int(town_map.ground[y, x]) for x, y in item.rect.tiles()),
                capacity=item.capacity,
                state=item.idle_state,
            )
    return found


def piece_of(name: str) -> Piece:
    """Return the shipped piece with a name, or else a piece of one tile without a picture."""
    return shipped_pieces().get(name, Piece())


@cache
def shipped_tileset() -> dict[str, Any]:
    """Return the tileset of the shipped map in Tiled's format."""
    tileset: dict[str, Any] = json.loads(_map_file().read_text(encoding="utf-8"))["tilesets"][0]
    return tileset


@cache
def tile_numbers() -> Mapping[str, int]:
    """Return the number of the first tile of each type: `grass`, `road`, `wall brick`."""
    tileset = shipped_tileset()
    found: dict[str, int] = {}
    for tile in tileset["tiles"]:
        found.setdefault(tile["type"], tile["id"] + tileset["firstgid"])
    return found


def shipped_picture() -> bytes:
    """Return the picture of the shipped tileset."""
    return _map_file().with_name(PICTURE).read_bytes()


def _map_file() -> Path:
    """Return the path of the shipped map."""
    return shipped_town() / "map.tmj"


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A room to be built."""

    name: str
    floor: str
    """Tile type of the room's floor: `wood floor`."""
    objects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """A building or open place to be built."""

    name: str
    rooms: tuple[Room, ...]
    is_home: bool = False
    is_open: bool = False
    """True for an open place, which has no walls."""


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece of furniture at its place on the map."""

    name: str
    rect: Rect
    piece: Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRoom:
    """A room at its place on the map."""

    name: str
    rect: Rect
    floor: str
    pieces: tuple[PlacedPiece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedBuilding:
    """A building at its place on the map."""

    building: Building
    rect: Rect
    rooms: tuple[PlacedRoom, ...]
    doors: tuple[tuple[int, int], ...]
    """The tiles of its doors, the front door first; empty for an open place."""


def width_of(building: Building) -> int:
    """Return the width of a building in tiles, including its walls."""
    inner = sum(_width_of_room(room) for room in building.rooms)
    return inner if building.is_open else inner + len(building.rooms) + 1


def place(building: Building, x: int, y: int, *, is_turned: bool) -> PlacedBuilding:
    """Return a building whose upper left tile is at (x, y); if turned, its door is at the top."""
    wall = 0 if building.is_open else 1
    frame = Rect(x, y, width_of(building), HEIGHT)
    rooms: list[PlacedRoom] = []
    doors: list[tuple[int, int]] = []
    left = x + wall
    for room in building.rooms:
        inside = Rect(left, y + 1, _width_of_room(room), INSIDE)
        pieces = tuple(_furnish(room, inside))
        if is_turned:
            pieces = tuple(replace(each, rect=_turned(each.rect, frame)) for each in pieces)
        rooms.append(PlacedRoom(name=room.name, rect=inside, floor=room.floor, pieces=pieces))
        left = inside.right + wall
    if not building.is_open:
        front = Rect(x + 1, frame.bottom - 1, 1, 1)
        door = _turned(front, frame) if is_turned else front
        doors.append((door.x, door.y))
        doors += [(room.rect.right, y + 1 + MIDDLE) for room in rooms[:-1]]
    return PlacedBuilding(building=building, rect=frame, rooms=tuple(rooms), doors=tuple(doors))


def _width_of_room(room: Room) -> int:
    """Return the width of a room that its furniture needs."""
    far, near = _split_pieces(room.objects)
    return max(LEAST, _width_of_row(far), _width_of_row(near) + 1)


def _split_pieces(objects: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the furniture along the far wall, and the furniture along the wall to the street."""
    far: list[str] = []
    near: list[str] = []
    for name in objects:
        row = near if _width_of_row(near) < _width_of_row(far) else far
        row.append(name)
    return far, near


def _width_of_row(names: Sequence[str]) -> int:
    """Return the width of a row of furniture, with a gap between two pieces."""
    return sum(piece_of(name).width + 1 for name in names) - 1 if names else 0


def _furnish(room: Room, inside: Rect) -> Iterator[PlacedPiece]:
    """Yield the furniture of a room, placed along its far wall and its wall to the street.

    The far row begins at the left end of the room, the other row at the right end.
    """
    far, near = _split_pieces(room.objects)
    x = inside.x
    for name in far:
        piece = piece_of(name)
        yield PlacedPiece(name, Rect(x, inside.y, piece.width, piece.height), piece)
        x += piece.width + 1
    x = inside.right
    for name in near:
        piece = piece_of(name)
        x -= piece.width
        at = Rect(x, inside.bottom - piece.height, piece.width, piece.height)
        yield PlacedPiece(name, at, piece)
        x -= 1


def _turned(rect: Rect, frame: Rect) -> Rect:
    """Return a rectangle mirrored within a frame, top to bottom."""
    return Rect(rect.x, frame.y + frame.bottom - rect.bottom, rect.width, rect.height)
