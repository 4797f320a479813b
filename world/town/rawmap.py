"""Reads the JSON of a Tiled map, and checks the parts that a town uses before they are parsed.

A parser of maps trusts the file. Here every value of a wrong type or size is reported, with the
layer and the object that it belongs to.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    FiniteFloat,
    Tag,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from smolville.agents.errors import TownError
from smolville.agents.text_files import read_text
from smolville.world.town.townfiles import expected, short

MOST_TILES = 1000
"""Maximum width or height of a map in tiles."""

_Count = Annotated[int, Field(ge=0, le=2**31)]
_Tiles = Annotated[int, Field(ge=1, le=MOST_TILES)]
_Pixels = Annotated[int, Field(ge=1, le=1024)]
_Gid = Annotated[int, Field(ge=0, lt=2**32)]
"""A tile's number, including its flags, in 32 bits."""
_Length = Annotated[FiniteFloat, Field(ge=0)]


class MapError(TownError):
    """Raised for an unreadable map; has a sentence for every fault."""

    def __init__(self, *faults: str) -> None:
        """Store all faults; the message is the first fault, with the number of the others."""
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(faults[0] + more)
        self.faults = faults


class _Part(BaseModel):
    """A part of a map; fields that a town does not use are allowed."""

    model_config = ConfigDict(strict=True)


class _Other(_Part):
    """A layer or an object of a kind that is ignored here."""


class _Object(_Part):
    id: int
    name: str
    x: FiniteFloat
    y: FiniteFloat
    width: _Length
    height: _Length
    rotation: FiniteFloat
    visible: bool


class _Layer(_Part):
    name: str
    offsetx: FiniteFloat = 0.0
    offsety: FiniteFloat = 0.0


def _said_of_base64(compression: str | None, info: ValidationInfo) -> str | None:
    """Return the compression; raise an error if base64 data comes without this field.

    An empty text is allowed.
    """
    if compression is None and info.data.get("encoding") == "base64":
        raise PydanticCustomError("missing", "compression is missing")
    return compression


class _TileLayer(_Layer):
    width: _Tiles
    height: _Tiles
    encoding: Literal["csv", "base64"] = "csv"
    compression: Annotated[Literal["", "zlib", "gzip"] | None, AfterValidator(_said_of_base64)] = (
        Field(default=None, validate_default=True)
    )
    data: (
        Annotated[
            Annotated[list[_Gid], Tag("list")] | Annotated[str, Tag("text")],
            Discriminator(lambda data: "text" if isinstance(data, str) else "list"),
        ]
        | None
    ) = None


class _ObjectLayer(_Layer):
    objects: list[
        Annotated[
            Annotated[_Other, Tag("template")] | Annotated[_Object, Tag("object")],
            Discriminator(
                lambda item: "template" if _is_mapping_with(item, "template") else "object"
            ),
        ]
    ]


def _is_mapping_with(item: object, key: str) -> bool:
    return isinstance(item, dict) and key in item


def _layer_kind(layer: object) -> str:
    """Return the name of the model that validates a raw layer."""
    kind = layer.get("type") if isinstance(layer, dict) else ""
    return kind if kind in ("tilelayer", "objectgroup", "group") else "other"


_AnyLayer = Annotated[
    Annotated[_TileLayer, Tag("tilelayer")]
    | Annotated[_ObjectLayer, Tag("objectgroup")]
    | Annotated["_Group", Tag("group")]
    | Annotated[_Other, Tag("other")],
    Discriminator(_layer_kind),
]


class _Group(_Layer):
    layers: list[_AnyLayer]


class _Tile(_Part):
    id: Annotated[int, Field(ge=0, lt=2**29)]
    type: str | None = None
    class_: Annotated[str | None, Field(alias="class")] = None


class _Tileset(_Part):
    firstgid: Annotated[int, Field(ge=1, lt=2**29)]
    name: str
    tilewidth: _Pixels
    tileheight: _Pixels
    tilecount: _Count
    columns: _Count
    margin: _Count
    spacing: _Count
    tiles: list[_Tile] | None = None


class _Source(_Part):
    """A tileset in a file of its own."""

    firstgid: Annotated[int, Field(ge=1, lt=2**29)]
    source: str


class _Map(_Part):
    width: _Tiles
    height: _Tiles
    tilewidth: _Pixels
    tileheight: _Pixels
    orientation: str
    infinite: bool
    layers: list[_AnyLayer]
    tilesets: list[
        Annotated[
            Annotated[_Source, Tag("source")] | Annotated[_Tileset, Tag("tileset")],
            Discriminator(lambda item: "source" if _is_mapping_with(item, "source") else "tileset"),
        ]
    ]


_MAP = TypeAdapter(_Map)


def read_raw(path: Path) -> dict[str, Any]:
    """Return a map's JSON after checking it; raises MapError with every fault."""
    try:
        raw = _read_json(path)
        if not isinstance(raw, dict) or "layers" not in raw:
            raise MapError(f"{path.name} is no map that Tiled would write (it has no layers).")
        _MAP.validate_python(raw)
    except RecursionError:
        raise MapError(f"{path.name} is no map that Tiled would write (nested too deep).") from None
    except ValidationError as error:
        found = [_sentence(path.name, item, raw) for item in error.errors(include_url=False)]
        raise MapError(*found) from None
    return raw


def _read_json(path: Path) -> object:
    """Return the contents of a JSON file; raises MapError with a sentence if it is not JSON."""
    try:
        found: object = json.loads(read_text(path))
    except FileNotFoundError:
        raise MapError(f"There is no map {path}; save it in Tiled as JSON (.tmj).") from None
    except OSError as error:
        raise MapError(f"{path.name} cannot be read: {error.strerror}.") from None
    except json.JSONDecodeError as error:
        raise MapError(f"{path.name}, line {error.lineno}: not JSON ({error.msg}).") from None
    except ValueError as error:
        raise MapError(f"{path.name} is no map that Tiled would write ({error}).") from None
    return found


def _sentence(file: str, item: ErrorDetails, raw: object) -> str:
    """Return a sentence on what is wrong with one value of a map, and where."""
    places, keys = _steps(item["loc"], raw)
    where, key = ", ".join([file, *places]), ".".join(keys)
    if item["type"] == "missing":
        return f"{where}: `{key}` is missing."
    subject = f"`{key}` is" if key else "it is"
    return f"{where}: {subject} {short(item['input'])}: {expected(item)}."


def _steps(loc: Sequence[int | str], raw: object) -> tuple[list[str], list[str]]:
    """Return the layers and objects on the path to a value, and the keys inside the last of them.

    `loc` also names the kinds of layers and objects, which have no counterpart in the file.
    """
    places: list[str] = []
    keys: list[str] = []
    for number, step in enumerate(loc):
        if isinstance(raw, list) and isinstance(step, int):
            raw = raw[step]
            kind = {"layers": "layer", "objects": "object", "tilesets": "tileset"}.get(keys[-1], "")
            if kind:
                called = raw.get("name") if isinstance(raw, dict) else None
                places.append(f"{kind} {short(called) if called else step + 1}")
                keys = []
            else:
                keys.append(str(step))
        elif isinstance(raw, dict) and (step in raw or number == len(loc) - 1):
            raw = raw.get(step)
            keys.append(str(step))
    return places, keys
