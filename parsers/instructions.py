"""Format instructions: how to write an answer and what each field allows, for small models."""

from functools import cache

from smolville.parsers.answer import Answer, Shape, shape_of

_INDENT = "  "
FIRST_LINE = "Answer with one JSON object. It has these fields, in this order:"
"""First line of the format instructions for JSON."""
ITEMS_LINE = 'Answer with one line for each item, no JSON. On each line, with " | " between them:'
NAMES_LINE = "Answer with one line for each of these, no JSON: its name, a colon, and its value."
TEXT_LINE = "Answer with plain text, no JSON:"
FIRST_LINES = (FIRST_LINE, ITEMS_LINE, NAMES_LINE, TEXT_LINE)
"""First lines of all format instructions."""


@cache
def format_instructions(answer: type[Answer]) -> str:
    """Return the instructions for one type of answer: a line per field, then a worked example."""
    lines = [FIRST_LINE]
    lines += field_lines(shape_of(answer), "")
    lines.append("Write only the JSON object, with no other text before or after it.")
    lines += ["Example, about other people:", answer.example().model_dump_json()]
    return "\n".join(lines)


def field_lines(shape: Shape, indent: str) -> list[str]:
    """Return a line for each field of an object, those of inner objects below it."""
    lines: list[str] = []
    for field in shape.fields.values():
        lines.append(indent + field_line(field))
        inner = field.item if field.kind == "list" else field
        if inner is not None and inner.kind == "object":
            lines += field_lines(inner, indent + _INDENT)
    return lines


def field_line(field: Shape) -> str:
    """Return the line of a field: name, whether it is required, its meaning, and what it allows."""
    phrase = sentence_case(describe_field(field))
    meaning = f" {sentence_case(field.description)}" if field.description else ""
    if meaning and meaning[-1] not in ".?!":
        meaning += "."
    optional = "optional" if field.optional else "required"
    name = f'"{field.name}" ' if field.name else ""
    return f"- {name}({optional}):{meaning} {phrase}{_ending(field)}"


def _ending(field: Shape) -> str:
    """Return the end of a field's line: the limits of a list's items, or that fields follow."""
    item = field.item
    if field.kind == "object" or (item is not None and item.kind == "object"):
        each = "Each" if field.kind == "list" else "It"
        return f". {each} {'object ' if field.kind == 'list' else ''}has these fields:"
    if item is not None and (item.least or item.most or item.fixed):
        return f". Each is {describe_field(item)}."
    return "."


def sentence_case(text: str) -> str:
    """Return the text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def describe_field(shape: Shape) -> str:
    """Return what the field may contain, as a noun phrase."""
    return _PHRASES[shape.kind](shape) + (", or null" if shape.nullable else "")


def quoted_list(values: tuple[str, ...], last: str = "or") -> str:
    """Return the values in double quotes: "a", "b" or "c"."""
    quoted = [f'"{value}"' for value in values]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


def format_allowed_count(least: int | None, most: int | None, one: str, many: str) -> str:
    """Return the allowed number: "1 to 6 items", "exactly 3 items", "at most 60 characters"."""
    if least == most and least is not None:
        return f"exactly {least} {one if least == 1 else many}"
    if least and most is not None:
        return f"{least} to {most} {many}"
    if most is not None:
        return f"at most {most} {one if most == 1 else many}"
    return f"at least {least} {one if least == 1 else many}" if least else f"any number of {many}"


def _number(shape: Shape) -> str:
    if shape.least is not None and shape.most is not None:
        return f"a whole number from {shape.least} to {shape.most}"
    return "a whole number" if shape.least is None else f"a whole number, {shape.least} or more"


def _text(shape: Shape) -> str:
    if not shape.least and shape.most is None:
        return "a text"
    if shape.least == 1 and shape.most is not None:
        return f"a text, at most {shape.most} characters"
    return "a text, " + format_allowed_count(shape.least, shape.most, "character", "characters")


def _list(shape: Shape) -> str:
    assert shape.item is not None
    one = _ITEMS[shape.item.kind]
    return f"a list of {format_allowed_count(shape.least, shape.most, one, f'{one}s')}"


def _choice(shape: Shape) -> str:
    return ("one of " if len(shape.fixed) > 1 else "always ") + quoted_list(shape.fixed)


_ITEMS = {"object": "object", "text": "text", "number": "whole number", "choice": "choice"}

_PHRASES = {
    "object": lambda shape: "an object",
    "list": _list,
    "text": _text,
    "number": _number,
    "truth": lambda shape: "either true or false",
    "clock": lambda shape: 'a time of day like "07:30" (24 hours, always HH:MM)',
    "choice": _choice,
}
