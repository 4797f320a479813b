"""Reads a Tiled map (.tmj): its ground, its walls, and the rectangles that name places.

The map is orthogonal and finite, with its tilesets inside. Tile layers: `ground` (only drawn) and
`walls` (every non-empty tile is blocked). Object layers: `sectors`, `arenas` and `objects`, with
rectangles aligned to the grid of tiles. No other file is read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from smolville.agents.errors import TownError
from smolville.agents.text_files import read_text
from smolville.history.records import Tile
from smolville.world.town.townfiles import TownFile, describe_faults

MOST_TILES = 1000
"""Maximum width or height of a map in tiles."""
GID_MASK = 0x1FFFFFFF
"""Mask that removes the flags for flipping and rotating from a tile's number (Tiled's global ids).
"""
Grid = npt.NDArray[np.int64]


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

    def intersect(self, other: "Rect") -> "Rect | None":
        """Return the intersection of both rectangles; None if they do not overlap."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width, height = min(self.right, other.right) - x, min(self.bottom, other.bottom) - y
        return Rect(x, y, width, height) if width > 0 and height > 0 else None

    def __str__(self) -> str:
        """Return the rectangle's size and position in tiles: `3x2 tiles at (4, 7)`."""
        return f"{self.width}x{self.height} tiles at ({self.x}, {self.y})"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRect:
    """A named rectangle of an object layer."""

    name: str
    rect: Rect
    properties: Mapping[str, Any]


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
    kinds: Mapping[int, str]
    """The type or class of tiles that have any, by their numbers."""
    faults: list[str]


class _Part(BaseModel):
    model_config = ConfigDict(allow_inf_nan=False, frozen=True)


class _Property(_Part):
    name: str
    value: Any


class _Item(_Part):
    id: int = 0
    name: str = ""
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    rotation: float = 0
    properties: tuple[_Property, ...] = ()
    ellipse: bool = False
    point: bool = False
    polygon: Any = None
    polyline: Any = None
    template: Any = None


_Number = Annotated[int, Field(ge=0, lt=1 << 32)]


class _Layer(_Part):
    name: str
    type: str
    offsetx: float = 0
    offsety: float = 0
    data: tuple[_Number, ...] | str = ()
    objects: tuple[_Item, ...] = ()


class _Kind(_Part):
    id: _Number
    type: str = ""


class _Tileset(_Part):
    firstgid: _Number
    source: str = ""
    tiles: tuple[_Kind, ...] = ()


_Side = Annotated[int, Field(ge=1, le=MOST_TILES)]


class _Map(_Part):
    width: _Side
    height: _Side
    tilewidth: Annotated[int, Field(ge=1)]
    tileheight: Annotated[int, Field(ge=1)]
    orientation: str
    infinite: bool = False
    layers: tuple[_Layer, ...]
    tilesets: tuple[_Tileset, ...] = ()


def read_sheet(path: Path) -> Sheet:
    """Return the contents of the Tiled map at `path`.

    Raises MapError if the file is not such a map. Faults of single rectangles are sentences in the
    result.
    """
    file = path.name
    try:
        raw = _Map.model_validate_json(read_text(path))
    except FileNotFoundError:
        raise MapError(f"There is no map {path}; save it in Tiled as JSON (.tmj).") from None
    except OSError as error:
        raise MapError(f"{file} cannot be read: {error.strerror}.") from None
    except ValidationError as error:
        if error.errors()[0]["type"] == "json_invalid":
            raise MapError(f"{file}: {error.errors()[0]['msg']}; save it in Tiled.") from None
        raise MapError(describe_faults(error, TownFile(file), _Map)[0]) from None
    if raw.orientation != "orthogonal" or raw.infinite:
        kind = "infinite" if raw.infinite else raw.orientation
        raise MapError(f"{file}: the map is {kind}; save it as orthogonal and finite.")
    if raw.tileheight != raw.tilewidth:
        raise MapError(f"{file}: tiles must be square, not {raw.tilewidth}x{raw.tileheight}.")
    outside = [each.source for each in raw.tilesets if each.source]
    if outside:
        raise MapError(f"{file}: the tileset {outside[0]!r} is a file of its own; embed it.")
    layers = {layer.name: layer for layer in raw.layers}
    faults: list[str] = []
    return Sheet(
        file=file,
        width=raw.width,
        height=raw.height,
        tile_size=raw.tilewidth,
        ground=_grid(file, raw, layers, "ground"),
        walls=_grid(file, raw, layers, "walls"),
        marked={
            name: tuple(_rectangles(file, raw, _layer(file, layers, name, "objectgroup"), faults))
            for name in ("sectors", "arenas", "objects")
        },
        kinds={
            each.firstgid + tile.id: tile.type
            for each in raw.tilesets
            for tile in each.tiles
            if tile.type
        },
        faults=faults,
    )


def _layer(file: str, layers: Mapping[str, _Layer], name: str, kind: str) -> _Layer:
    layer = layers.get(name)
    if layer is None or layer.type != kind:
        has = ", ".join(f"`{each}`" for each in layers) or "no layer at all"
        what = "tile" if kind == "tilelayer" else "object"
        raise MapError(f"{file}: the {what} layer `{name}` is missing; it has {has}.")
    if layer.offsetx or layer.offsety:
        raise MapError(f"{file}: the layer `{name}` is moved; set its offset to 0.")
    return layer


def _grid(file: str, raw: _Map, layers: Mapping[str, _Layer], name: str) -> Grid:
    """Return the tile numbers of a layer, without flags, as a read-only array."""
    data = _layer(file, layers, name, "tilelayer").data
    if isinstance(data, str):
        raise MapError(f"{file}: layer `{name}` is packed; set the map's layer format to CSV.")
    if len(data) != raw.width * raw.height:
        size = f"{raw.width}x{raw.height}"
        raise MapError(f"{file}: layer `{name}` is not {size} tiles as the map is.")
    grid = np.array(data, np.int64).reshape(raw.height, raw.width) & GID_MASK
    grid.flags.writeable = False
    return grid


def _rectangles(file: str, raw: _Map, layer: _Layer, faults: list[str]) -> Iterator[NamedRect]:
    """Yield the valid rectangles of an object layer; invalid ones are recorded as faults."""
    for item in layer.objects:
        name, numbers = item.name.strip(), (item.x, item.y, item.width, item.height)
        rect = Rect(*(round(value / raw.tilewidth) for value in numbers))
        fault = _fault_of(item, rect, raw)
        if fault:
            called = f"{item.name!r}" if name else f"number {item.id}"
            faults.append(f"{file}: {called} in layer `{layer.name}` {fault}.")
        else:
            found = {each.name: each.value for each in item.properties}
            yield NamedRect(name=name, rect=rect, properties=found)


def _fault_of(item: _Item, rect: Rect, raw: _Map) -> str:
    if item.template is not None:
        return "comes from a template; detach it"
    if not item.name.strip():
        return "has no name; give it one in Tiled"
    if ":" in item.name or item.name.strip() == "outdoors":
        return 'cannot be called so: names have no colon, and "outdoors" is taken'
    if item.rotation or item.ellipse or item.point or item.polygon or item.polyline:
        return "is no upright rectangle; draw it as one"
    size = raw.tilewidth
    exact = (rect.x * size, rect.y * size, rect.width * size, rect.height * size)
    if (item.x, item.y, item.width, item.height) != exact:
        where = f"({item.x:g}, {item.y:g}), {item.width:g}x{item.height:g} pixels"
        return f"is not on the grid of {size} pixels: {where}; snap it to the grid"
    if rect.width < 1 or rect.height < 1:
        return "has no tile; draw it at least one tile wide and high"
    if rect.intersect(Rect(0, 0, raw.width, raw.height)) != rect:
        return f"reaches beyond the map's {raw.width}x{raw.height} tiles: {rect}"
    return ""
