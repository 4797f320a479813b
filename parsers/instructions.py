"""Format instructions: how to write an answer, in plain words for small models."""

from functools import cache

from parsers.answer import Answer, shape_of
from parsers.shape import Shape
from parsers.wording import allowed

_INDENT = "  "
_EXAMPLE = "Example, about other people:"
FIRST_LINE = "Answer with one JSON object. It has these fields, in this order:"
"""First line of all format instructions."""


@cache
def format_instructions(answer: type[Answer]) -> str:
    """Return the instructions for one type of answer: a line per field, then a worked example."""
    lines = [FIRST_LINE]
    lines += _field_lines(shape_of(answer), "")
    lines += ["Write only the JSON object, with no other text before or after it.", _EXAMPLE]
    return "\n".join([*lines, answer.example().model_dump_json()])


def _field_lines(shape: Shape, indent: str) -> list[str]:
    """Return one line for each field of an object, with those of nested objects indented below."""
    lines: list[str] = []
    for field in shape.fields.values():
        lines.append(indent + _field_line(field))
        inner = field.item if field.kind == "list" else field
        if inner is not None and inner.kind == "object":
            lines += _field_lines(inner, indent + _INDENT)
    return lines


def _field_line(field: Shape) -> str:
    """Return the line of a field: name, whether it is required, its meaning, and what it allows."""
    phrase = _sentence_case(allowed(field))
    meaning = f" {_sentence_case(field.description)}" if field.description else ""
    if meaning and meaning[-1] not in ".?!":
        meaning += "."
    optional = "optional" if field.optional else "required"
    return f'- "{field.name}" ({optional}):{meaning} {phrase}{_ending(field)}'


def _ending(field: Shape) -> str:
    """Return the end of the line: the item's own limits, or that its fields follow."""
    item = field.item
    if field.kind == "object" or (item is not None and item.kind == "object"):
        each = "Each" if field.kind == "list" else "It"
        return f". {each} {'object ' if field.kind == 'list' else ''}has these fields:"
    if item is not None and (item.least or item.most or item.fixed):
        return f". Each is {allowed(item)}."
    return "."


def _sentence_case(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]
