"""The base class of all answers, their shape, and their JSON schemas for a server's grammar."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticUndefined

from smolville.parsers.clock import LAST_MINUTE

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
    """Whether null is allowed instead of a value."""
    optional: bool = False
    """Whether the field may be left out."""
    least: int | None = None
    """Minimum: of a number, or of characters or items."""
    most: int | None = None
    """Maximum: of a number, or of characters or items."""
    fixed: tuple[str, ...] = ()
    """The only values a choice allows."""
    fields: Mapping[str, "Shape"] = field(default_factory=dict)
    """The fields of an object, in the order in which they are written."""
    item: "Shape | None" = None
    """The shape of each item of a list."""
    aliases: tuple[str, ...] = ()
    """Other names that models use for this field, in lower case."""
    trims: bool = False
    """Whether a text that is too long may be shortened without loss, as reasons may."""

    def at(self, path: tuple[str | int, ...]) -> "Shape | None":
        """Return the shape at a path of field names and list positions; None if there is none."""
        shape: Shape | None = self
        for part in path:
            if shape is None:
                return None
            shape = shape.item if isinstance(part, int) else shape.fields.get(part)
        return shape


Context = Mapping[str, Any]
"""Facts that a step provides for reading its answer: `choices`, and further values by name."""


Mended = tuple[dict[str, Any], list[str]]
"""Data after code has corrected what it can, and a note for each correction."""


class AnswerPart(BaseModel):
    """An answer, or an item of a list in one; fields are in the order of writing."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", strict=True, str_strip_whitespace=True, allow_inf_nan=False
    )


def answer_field(
    description: str, aliases: str = "", *, trims: bool = False, default: Any = PydanticUndefined
) -> Any:
    """Return a field of an answer: its meaning, and other names that models use for it.

    A text that `trims` may be shortened without loss. Without a default, the field is required.
    """
    extra: dict[str, Any] = {"aliases": aliases.split(), "trims": trims}
    return Field(default, description=description, json_schema_extra=extra)


class Answer(AnswerPart):
    """A model's answer at one step."""

    items_field: ClassVar[str | None] = None
    """The list whose valid items are kept when other items are wrong, if the answer has such a
    list. An answer may have more fields beside it: then an item that stays wrong is left out."""
    key_field: ClassVar[str | None] = None
    """The field of an item that says which question the item answers."""
    keys_name: ClassVar[str | None] = None
    """The name, in the context, of the list of keys that were asked; each needs one item or
    field."""

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """Return the JSON schema for one call, in which only this call's choices are allowed.

        Keys of `choices` are dotted paths with `[]` for a list's items: `items[].place`.
        """
        schema = _grammar_schema_of(cls)
        return with_choices(schema, choices) if choices else deepcopy(schema)

    @classmethod
    def example(cls) -> Self:
        """Return a valid worked example, shown in the format instructions."""
        raise NotImplementedError(f"{cls.__name__} has no example")

    @classmethod
    def labels(cls, context: Context | None) -> Mapping[str, Mapping[int, str]]:
        """Return what the numbers in this call stand for, by the dotted path of their field."""
        return {}

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Return the data after code has corrected what it can, and a note for each correction."""
        return data, []


@cache
def shape_of(answer: type[BaseModel]) -> Shape:
    """Return the shape of an answer or of an item, computed once per class."""
    return read_shape(inlined_schema(answer))


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
    branches = schema.get("anyOf")
    if branches is None:
        return schema, False
    others = [branch for branch in branches if branch.get("type") != "null"]
    if len(others) != 1:
        raise TypeError(f"an answer's field may only be a union with null, not {schema!r}")
    return others[0], len(others) < len(branches)


def _kind_and_bounds(schema: Mapping[str, Any]) -> tuple[Kind, int | None, int | None]:
    if "clock" in schema:
        return "clock", 0, LAST_MINUTE
    if "enum" in schema or "const" in schema:
        return "choice", None, None
    kind = _KINDS[schema["type"]]
    if kind == "list":
        return kind, schema.get("minItems"), schema.get("maxItems")
    if kind == "text":
        return kind, schema.get("minLength"), schema.get("maxLength")
    return kind, schema.get("minimum"), schema.get("maximum")


@cache
def _grammar_schema_of(answer: type[BaseModel]) -> dict[str, Any]:
    return grammar_schema(inlined_schema(answer))


def read_context_value(context: Context | None, name: str) -> Any:
    """Return the value the step gave under this name, or None if there is no context."""
    return None if context is None else context.get(name)


_KEPT = (
    *("type", "enum", "pattern", "minimum", "maximum"),
    *("minLength", "maxLength", "minItems", "maxItems"),
)


def inlined_schema(answer: type[BaseModel]) -> dict[str, Any]:
    """Return the class's JSON schema with every reference replaced by its target."""
    schema = answer.model_json_schema()
    definitions = schema.pop("$defs", {})
    inlined: dict[str, Any] = _inline(schema, definitions)
    return inlined


def _inline(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = definitions[node["$ref"].rsplit("/", 1)[-1]]
        node = target | {key: value for key, value in node.items() if key != "$ref"}
    return {key: _inline(value, definitions) for key, value in node.items()}


def grammar_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema reduced to what llama.cpp's grammar and Ollama's `format` support.

    Every field is required, in the order of the class, and nothing else is allowed: a field that
    may be absent is a union with null, so that a constrained model decides about it.
    """
    if "anyOf" in schema:
        return {"anyOf": [grammar_schema(branch) for branch in schema["anyOf"]]}
    kept = {key: schema[key] for key in _KEPT if key in schema}
    if "const" in schema:
        kept["enum"] = [schema["const"]]
    if "items" in schema:
        kept["items"] = grammar_schema(schema["items"])
    if "properties" in schema:
        kept["properties"] = {
            name: grammar_schema(field) for name, field in schema["properties"].items()
        }
        kept["required"] = list(schema["properties"])
        kept["additionalProperties"] = False
    return kept


def with_choices(
    schema: Mapping[str, Any], choices: Mapping[str, Sequence[str | int]]
) -> dict[str, Any]:
    """Return a copy of the schema in which the fields named by path allow only the given values.

    Paths are dotted, with `[]` for a list's items: `items[].place`. A list of the answer for whose
    items there are no choices is left out: reading fills it in as empty, and not every server's
    grammar knows a list without items. Raises ValueError for an unknown path, and for an empty list
    of choices if the field can be neither null nor empty.
    """
    copy = deepcopy(dict(schema))
    for path, allowed in choices.items():
        holder, key = _holder(copy, path)
        name = path.removesuffix("[]")
        if (
            not allowed
            and key == "items"
            and name in copy["properties"]
            and not holder.get("minItems")
        ):
            del copy["properties"][name]
            copy["required"].remove(name)
            continue
        holder[key] = _choice(holder[key], allowed, path)
    return copy


def _holder(schema: dict[str, Any], path: str) -> tuple[dict[str, Any], str]:
    """Return the dictionary that holds the schema at a path, and the schema's key in it."""
    holder, key = {"": schema}, ""
    for part in path.replace("[]", ".[]").split("."):
        inner = holder[key]
        holder, key = (inner, "items") if part == "[]" else (inner.get("properties", {}), part)
        if key not in holder:
            raise ValueError(f"choices name {path!r}, which is no field of the answer")
    return holder, key


def _choice(field: Mapping[str, Any], allowed: Sequence[str | int], path: str) -> dict[str, Any]:
    """Return the schema of a field that allows only these values.

    Null stays allowed if the field allowed it.
    """
    nullable = "anyOf" in field
    if not allowed:
        if nullable:
            return {"type": "null"}
        raise ValueError(f"choices for {path!r} are empty, and the field cannot be null")
    kind = "integer" if all(isinstance(value, int) for value in allowed) else "string"
    choice = {"type": kind, "enum": list(dict.fromkeys(allowed))}
    return {"anyOf": [choice, {"type": "null"}]} if nullable else choice
