"""The answer of a step: what every answer type can do."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict

from parsers.schema import grammar_schema, inlined_schema, with_choices
from parsers.shape import Shape, read_shape

Context = Mapping[str, Any]
"""What a step knows when it reads an answer: `choices`, and values of its own by name."""


class Part(BaseModel):
    """An answer, or an item of a list in one; fields stand in the order of writing."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", strict=True, str_strip_whitespace=True, allow_inf_nan=False
    )


class Answer(Part):
    """What a model answers at one step."""

    items_field: ClassVar[str | None] = None
    """The list whose items are kept one by one when others fail, if the answer has such a list."""
    key_field: ClassVar[str | None] = None
    """The item's field that says which question the item answers."""
    keys_name: ClassVar[str | None] = None
    """The context's name for the keys that were asked, each of which wants exactly one item."""

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """The JSON schema for one call, with the choices of this call as the only values.

        Keys of `choices` are dotted paths with `[]` for a list's items: `items[].place`.
        """
        schema = _grammar_schema_of(cls)
        return with_choices(schema, choices) if choices else deepcopy(schema)

    @classmethod
    def example(cls) -> Self:
        """A worked example that is valid, shown in the format instructions."""
        raise NotImplementedError(f"{cls.__name__} has no example")

    @classmethod
    def labels(cls, context: Context | None) -> Mapping[str, Mapping[int, str]]:
        """What the numbers of this call stand for, by the dotted path of the field."""
        return {}

    @classmethod
    def is_in_doubt(cls, data: Mapping[str, Any], context: Context | None) -> bool:
        """Whether one wrong item puts all others in doubt, as when a reply counts from 0."""
        return False

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The data with what arithmetic can mend mended, and a note for each mend."""
        return data, []


@cache
def shape_of(answer: type[BaseModel]) -> Shape:
    """The shape of an answer or of an item, computed once per class."""
    return read_shape(inlined_schema(answer))


@cache
def _grammar_schema_of(answer: type[BaseModel]) -> dict[str, Any]:
    """The class's schema for a server's grammar, computed once per class."""
    return grammar_schema(inlined_schema(answer))


def known(context: Context | None, name: str) -> Any:
    """The value the step gave under this name, or None where there is no context."""
    return None if context is None else context.get(name)
