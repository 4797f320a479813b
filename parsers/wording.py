"""Describe in plain words what a field allows: the same in the instructions and in problems."""

from parsers.clock import LAST_MINUTE, clock_text
from parsers.shape import Shape


def allowed(shape: Shape) -> str:
    """Return what the field may contain, as a noun phrase."""
    return _PHRASES[shape.kind](shape) + (", or null" if shape.nullable else "")


def quoted_list(values: tuple[str, ...], last: str = "or") -> str:
    """Return the values in double quotes: "a", "b" or "c"."""
    quoted = [f'"{value}"' for value in values]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


def counted(least: int | None, most: int | None, one: str, many: str) -> str:
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
    if shape.least is not None:
        return f"a whole number, {shape.least} or more"
    if shape.most is not None:
        return f"a whole number, {shape.most} or less"
    return "a whole number"


def _text(shape: Shape) -> str:
    if not shape.least and shape.most is None:
        return "a text"
    if shape.least == 1 and shape.most is not None:
        return f"a text, at most {shape.most} characters"
    return "a text, " + counted(shape.least, shape.most, "character", "characters")


def _clock(shape: Shape) -> str:
    if (shape.least, shape.most) == (0, LAST_MINUTE):
        return 'a time of day like "07:30" (24 hours, always HH:MM)'
    assert shape.least is not None and shape.most is not None
    earliest, latest = clock_text(shape.least), clock_text(shape.most)
    return f'a time of day from "{earliest}" to "{latest}" (always HH:MM)'


def _list(shape: Shape) -> str:
    assert shape.item is not None
    one, many = _ITEMS[shape.item.kind]
    return f"a list of {counted(shape.least, shape.most, one, many)}"


def _choice(shape: Shape) -> str:
    return ("one of " if len(shape.fixed) > 1 else "always ") + quoted_list(shape.fixed)


_ITEMS = {
    "object": ("object", "objects"),
    "list": ("list", "lists"),
    "text": ("text", "texts"),
    "number": ("whole number", "whole numbers"),
    "truth": ("true or false", "true or false values"),
    "clock": ("time of day", "times of day"),
    "choice": ("choice", "choices"),
}

_PHRASES = {
    "object": lambda shape: "an object",
    "list": _list,
    "text": _text,
    "number": _number,
    "truth": lambda shape: "either true or false",
    "clock": _clock,
    "choice": _choice,
}
