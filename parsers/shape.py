"""The shape of an answer: its fields as plain data, read once from its JSON schema."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["object", "list", "text", "number", "truth", "clock", "choice"]
"""The kind of a value, in the terms of `parsers`."""

_KINDS: dict[str, Kind] = {
    "object": "object",
    "array": "list",
    "string": "text",
    "integer": "number",
    "boolean": "truth",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The required form of one value of an answer."""

    kind: Kind
    name: str = ""
    """The field's name; empty for the whole answer and for a list's item."""
    description: str = ""
    """Meaning of the field, in words for the model."""
    nullable: bool = False
    """Whether null is allowed instead."""
    optional: bool = False
    """Whether the field may be left out."""
    least: int | None = None
    """Minimum: of a number, of characters or items, or the first minute of the day."""
    most: int | None = None
    """Maximum: of a number, of characters or items, or the last minute of the day."""
    fixed: tuple[str, ...] = ()
    """The only values a choice allows."""
    fields: Mapping[str, "Shape"] = field(default_factory=dict)
    """The fields of an object, in the order in which they are written."""
    item: "Shape | None" = None
    """The shape of each item of a list."""
    aliases: tuple[str, ...] = ()
    """Other names that models use for this field, in lower case."""
    trims: bool = False
    """Whether a text that is too long may be shortened without loss (a reason)."""

    def at(self, path: tuple[str | int, ...]) -> "Shape | None":
        """Return the shape at a path of field names and list positions; None if there is none."""
        shape: Shape | None = self
        for part in path:
            if shape is None:
                return None
            shape = shape.item if isinstance(part, int) else shape.fields.get(part)
        return shape


def read_shape(schema: Mapping[str, Any], name: str = "", *, optional: bool = False) -> Shape:
    """Return the shape that a JSON schema without references describes."""
    inner, nullable = _without_null(schema)
    kind, least, most = _kind_and_bounds(inner)
    required = inner.get("required", ())
    return Shape(
        kind=kind,
        name=name,
        description=schema.get("description", inner.get("description", "")),
        nullable=nullable,
        optional=optional,
        least=least,
        most=most,
        fixed=tuple(inner.get("enum", [inner["const"]] if "const" in inner else ())),
        fields={
            key: read_shape(value, key, optional=key not in required)
            for key, value in inner.get("properties", {}).items()
        },
        item=read_shape(inner["items"]) if "items" in inner else None,
        aliases=tuple(schema.get("aliases", ())),
        trims=bool(schema.get("trims", False)),
    )


def _without_null(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    """Return the branch of a union that is not null, and whether null is another branch."""
    branches = schema.get("anyOf")
    if branches is None:
        return schema, False
    others = [branch for branch in branches if branch.get("type") != "null"]
    if len(others) != 1:
        raise TypeError(f"an answer's field may only be a union with null, not {schema!r}")
    return others[0], len(others) < len(branches)


def _kind_and_bounds(schema: Mapping[str, Any]) -> tuple[Kind, int | None, int | None]:
    """Return the kind of a value, and its minimum and maximum."""
    if "clock" in schema:
        return "clock", schema["clock"][0], schema["clock"][1]
    if "enum" in schema or "const" in schema:
        return "choice", None, None
    kind = _KINDS[schema["type"]]
    if kind == "list":
        return kind, schema.get("minItems"), schema.get("maxItems")
    if kind == "text":
        return kind, schema.get("minLength"), schema.get("maxLength")
    return kind, schema.get("minimum"), schema.get("maximum")
