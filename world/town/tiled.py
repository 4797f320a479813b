"""Reads a Tiled map (.tmj): its ground, its walls, and the rectangles that name places.

The map is orthogonal and finite. Tile layers: `ground` (only drawn) and `walls` (every non-empty
tile is blocked). Object layers: `sectors`, `arenas` and `objects`, with rectangles aligned to the
grid of tiles.
"""

import binascii
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytiled_parser
from pytiled_parser.common_types import OrderedPair
from pytiled_parser.layer import Layer, LayerGroup, ObjectLayer, TileLayer
from pytiled_parser.properties import Property
from pytiled_parser.tiled_map import TiledMap
from pytiled_parser.tiled_object import Rectangle, TiledObject

from smolville.agents.errors import TownError
from smolville.agents.text_files import read_text
from smolville.history.records import Tile

MOST_TILES = 1000
"""Maximum width or height of a map in tiles."""


class MapError(TownError):
    """Raised for a file that is no map that a town can use."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle of whole tiles, given by its upper left tile and its size in tiles."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column to the right of the rectangle."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row below the rectangle."""
        return self.y + self.height

    @property
    def area(self) -> int:
        """The number of tiles in the rectangle."""
        return self.width * self.height

    def tiles(self) -> Iterator[Tile]:
        """Yield the rectangle's tiles, row by row."""
        return ((x, y) for y in range(self.y, self.bottom) for x in range(self.x, self.right))

    def __contains__(self, tile: Tile) -> bool:
        """Return True if the tile lies in the rectangle."""
        return self.x <= tile[0] < self.right and self.y <= tile[1] < self.bottom

    def holds(self, other: "Rect") -> bool:
        """Return True if `other` lies completely in this rectangle."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def intersect(self, other: "Rect") -> "Rect | None":
        """Return the intersection of both rectangles; None if they do not overlap."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width, height = min(self.right, other.right) - x, min(self.bottom, other.bottom) - y
        return Rect(x, y, width, height) if width > 0 and height > 0 else None

    def __str__(self) -> str:
        """Return the rectangle's size and position in tiles: `3x2 tiles at (4, 7)`."""
        return f"{self.width}x{self.height} tiles at ({self.x}, {self.y})"


GID_MASK = 0x1FFFFFFF
"""Mask that removes the flags for flipping and rotating from a tile's number (Tiled's global ids).
"""

_LONGEST_REASON = 200
TILE_LAYERS = ("ground", "walls")
OBJECT_LAYERS = ("sectors", "arenas", "objects")

Grid = npt.NDArray[np.int64]

_UNREADABLE = (
    pytiled_parser.UnknownFormat,
    OSError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    AssertionError,
    NotImplementedError,
    RuntimeError,
    ArithmeticError,
    EOFError,
    SyntaxError,
    binascii.Error,
    zlib.error,
)
"""Exceptions raised by parsing an invalid map; SyntaxError comes from the XML of tilesets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRect:
    """A named rectangle of an object layer."""

    name: str
    rect: Rect
    properties: Mapping[str, Property]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The parts of a Tiled file that a town uses."""

    file: str
    """The file's name, for error messages."""
    width: int
    height: int
    tile_size: int
    """Width of a tile in pixels."""
    ground: Grid
    """Tile numbers by row and column; 0 is empty."""
    walls: Grid
    marked: Mapping[str, tuple[NamedRect, ...]]
    """Rectangles of each object layer, in the file's order."""
    tiled: TiledMap
    faults: list[str] = field(default_factory=list)


def read_sheet(path: Path) -> Sheet:
    """Return the contents of the Tiled map at `path`.

    Raises MapError if the file is not such a map. Faults of single rectangles are sentences in the
    result.
    """
    raw = _read_raw(path)
    try:
        _check_sources(path, raw)
        return _sheet(path.name, pytiled_parser.parse_map(path, encoding="utf-8-sig"))
    except MapError:
        raise
    except FileNotFoundError as error:
        raise MapError(f"{path.name} needs {error.filename}, which is not there.") from None
    except RecursionError:
        raise MapError(f"{path.name} is no map that Tiled would write (nested too deep).") from None
    except _UNREADABLE as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_REASON]
        raise MapError(
            f"{path.name}, or a file that it names, cannot be read ({reason})."
        ) from None


def _read_raw(path: Path) -> dict[str, Any]:
    """Return a map's JSON; its size is checked before anything is made of it."""
    try:
        raw = json.loads(read_text(path))
    except FileNotFoundError:
        raise MapError(f"There is no map {path}; save it in Tiled as JSON (.tmj).") from None
    except OSError as error:
        raise MapError(f"{path.name} cannot be read: {error.strerror}.") from None
    except json.JSONDecodeError as error:
        raise MapError(f"{path.name}, line {error.lineno}: not JSON ({error.msg}).") from None
    except (ValueError, RecursionError) as error:
        why = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise MapError(f"{path.name} is no map that Tiled would write ({why}).") from None
    if not isinstance(raw, dict) or "layers" not in raw:
        raise MapError(f"{path.name} is no map that Tiled would write (it has no layers).")
    for side in ("width", "height"):
        if not isinstance(raw.get(side), int) or not 1 <= raw[side] <= MOST_TILES:
            raise MapError(
                f"{path.name}: `{side}` is {raw.get(side)!r:.40}: it should be a number of tiles "
                f"from 1 to {MOST_TILES}."
            )
    return raw


def _check_sources(path: Path, raw: object) -> None:
    """Raise MapError if a map names a file outside the folder, or one that cannot be read."""
    items = raw.items() if isinstance(raw, dict) else ()
    for key, value in items:
        if key not in ("source", "image", "template") or not isinstance(value, str):
            _check_sources(path, value)
            continue
        try:
            is_inside = (path.parent / value).resolve().is_relative_to(path.parent.resolve())
        except (ValueError, OSError):
            is_inside = False
        if not is_inside:
            raise MapError(f"{path.name}: {value!r} lies outside the town's folder; put it in.")
        if value.lower().endswith(".tx"):
            raise MapError(
                f"{path.name}: the template {value!r} is XML, which a map in JSON cannot be read "
                "with; save it in Tiled as JSON (.tj), and use that."
            )
    for item in raw if isinstance(raw, list) else ():
        if isinstance(item, dict | list):
            _check_sources(path, item)


def _sheet(file: str, tiled: TiledMap) -> Sheet:
    if tiled.orientation != "orthogonal" or tiled.infinite:
        kind = "infinite" if tiled.infinite else tiled.orientation
        raise MapError(f"{file}: the map is {kind}; save it as orthogonal and finite.")
    tile_size = int(tiled.tile_size.width)
    if tile_size < 1 or tiled.tile_size.height != tile_size:
        raise MapError(f"{file}: tiles must be square, not {tiled.tile_size}.")
    layers = {layer.name: layer for layer in _flat(tiled.layers, (0.0, 0.0))}
    width, height = int(tiled.map_size.width), int(tiled.map_size.height)
    ground, walls = (_grid(file, layers, name, (height, width), tile_size) for name in TILE_LAYERS)
    faults: list[str] = []
    frame = Rect(0, 0, width, height)
    marked = {
        name: tuple(_read_rectangles(file, layers, name, tile_size, frame, faults))
        for name in OBJECT_LAYERS
    }
    return Sheet(
        file=file,
        width=width,
        height=height,
        tile_size=tile_size,
        ground=ground,
        walls=walls,
        marked=MappingProxyType(marked),
        tiled=tiled,
        faults=faults,
    )


def _flat(layers: Iterable[Layer], moved: tuple[float, float]) -> Iterator[Layer]:
    """Yield layers, including those inside groups, whose offsets add up, as Tiled draws them."""
    for layer in layers:
        x, y = layer.offset.x + moved[0], layer.offset.y + moved[1]
        if isinstance(layer, LayerGroup):
            yield from _flat(layer.layers or [], (x, y))
        else:
            layer.offset = OrderedPair(x, y)
            yield layer


def _grid(
    file: str, layers: Mapping[str, Layer], name: str, shape: tuple[int, int], tile_size: int
) -> Grid:
    """Return the tile numbers of a layer, without flags, as a read-only array.

    The layer is moved by its offset; tiles that leave it are lost.
    """
    layer = layers.get(name)
    if not isinstance(layer, TileLayer) or layer.data is None:
        raise MapError(f"{file}: the tile layer `{name}` is missing; it has {_names(layers)}.")
    if {len(row) for row in layer.data} != {shape[1]} or len(layer.data) != shape[0]:
        raise MapError(f"{file}: layer `{name}` is not {shape[1]}x{shape[0]} tiles as the map is.")
    columns, rows = (value / tile_size for value in layer.offset)
    if not (columns.is_integer() and rows.is_integer()):
        raise MapError(
            f"{file}: layer `{name}`, with the groups around it, is moved by "
            f"({layer.offset.x:g}, {layer.offset.y:g}) pixels; move it by whole tiles of "
            f"{tile_size} pixels."
        )
    data = np.array(layer.data, dtype=np.int64) & GID_MASK
    right, down = int(columns), int(rows)
    grid = np.zeros_like(data)
    grid[max(0, down) : shape[0] + min(0, down), max(0, right) : shape[1] + min(0, right)] = data[
        max(0, -down) : shape[0] - max(0, down), max(0, -right) : shape[1] - max(0, right)
    ]
    grid.flags.writeable = False
    return grid


def _names(layers: Mapping[str, Layer]) -> str:
    return ", ".join(f"`{name}`" for name in layers) or "no layer at all"


def _read_rectangles(
    file: str,
    layers: Mapping[str, Layer],
    name: str,
    tile_size: int,
    frame: Rect,
    faults: list[str],
) -> Iterator[NamedRect]:
    """Yield the valid rectangles of an object layer; invalid ones are recorded as faults."""
    layer = layers.get(name)
    if not isinstance(layer, ObjectLayer):
        raise MapError(f"{file}: the object layer `{name}` is missing; it has {_names(layers)}.")
    for item in layer.tiled_objects:
        rect, fault = _rect(item, layer, tile_size, frame)
        if rect is None:
            called = f"{item.name!r}" if item.name.strip() else f"number {item.id}"
            faults.append(f"{file}: {called} in layer `{name}` {fault}.")
        else:
            yield NamedRect(name=item.name.strip(), rect=rect, properties=item.properties or {})


def _rect(
    item: TiledObject, layer: ObjectLayer, tile_size: int, frame: Rect
) -> tuple[Rect | None, str]:
    """Return an object's rectangle in tiles and "", or None and the object's fault."""
    if not item.name.strip():
        return None, "has no name; give it one in Tiled"
    if ":" in item.name or item.name.strip() == "outdoors":
        return None, 'cannot be called so: names have no colon, and "outdoors" is taken'
    if not isinstance(item, Rectangle) or item.rotation:
        return None, "is no upright rectangle; draw it as one"
    left, top = item.coordinates.x + layer.offset.x, item.coordinates.y + layer.offset.y
    numbers = [value / tile_size for value in (left, top, item.size.width, item.size.height)]
    if any(abs(value - round(value)) > 1e-6 for value in numbers):
        where = f"({left:g}, {top:g}), {item.size.width:g}x{item.size.height:g} pixels"
        return None, f"is not on the grid of {tile_size} pixels: {where}; snap it to the grid"
    rect = Rect(*(round(value) for value in numbers))
    if rect.width < 1 or rect.height < 1:
        return None, "has no tile; draw it at least one tile wide and high"
    if not frame.holds(rect):
        return None, f"reaches beyond the map's {frame.width}x{frame.height} tiles: {rect}"
    return rect, ""
