"""Finds the line on which a TOML file sets a key, for messages about it."""

import re
from collections import Counter
from collections.abc import Iterator

_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_LINE = re.compile(rf"[ \t]*(?:(?P<table>\[\[?)[ \t]*)?(?P<keys>{_DOTTED})[ \t]*[\]=]")
_PART = re.compile(_KEY)

Keys = tuple[str, ...]
"""A key with its tables: `("weights", "recency")`; a table in an array is given by its index."""


def line_of(text: str, keys: Keys) -> int | None:
    """Return the line, from 1, that sets a key; else of the innermost table around or in it.

    TOML is not read in full: for a value inside a table that is written on one line, this line is
    returned. None if no line was found.
    """
    found, depth = None, 0
    for number, path in _paths(text):
        shared = min(len(path), len(keys))
        if path[:shared] == keys[:shared] and shared > depth:
            found, depth = number, shared
    return found


def _paths(text: str) -> Iterator[tuple[int, Keys]]:
    """Yield each line with the path of the table or key that it begins."""
    table: Keys = ()
    arrays: Counter[Keys] = Counter()
    for number, line in enumerate(text.splitlines(), start=1):
        match = _LINE.match(line)
        if match is None:
            continue
        parts = tuple(part.strip("\"'") for part in _PART.findall(match["keys"]))
        if match["table"] is None:
            yield number, (*table, *parts)
            continue
        table = parts
        yield number, table
        if match["table"] == "[[":
            table = (*parts, str(arrays[parts]))
            arrays[parts] += 1
            yield number, table
