"""Where in a file a setting stands."""

import re

_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_TABLE = re.compile(rf"[ \t]*\[[ \t]*({_DOTTED})[ \t]*\]")
_PAIR = re.compile(rf"[ \t]*({_DOTTED})[ \t]*=")
_PART = re.compile(_KEY)


def line_of(text: str, path: tuple[str, ...]) -> int | None:
    """Return the line, from 1, on which TOML text sets `path` or a table around it.

    None where it cannot be found without reading TOML in full (a table written on one line gives
    that line).
    """
    table: tuple[str, ...] = ()
    nearest: tuple[int, int] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        header = _TABLE.match(line)
        if header is not None:
            found = table = _parts(header[1])
        else:
            pair = _PAIR.match(line)
            if pair is None:
                continue
            found = (*table, *_parts(pair[1]))
        if found == path or (header is not None and found[: len(path)] == path):
            return number
        if path[: len(found)] == found and (nearest is None or len(found) > nearest[0]):
            nearest = len(found), number
    return nearest[1] if nearest is not None else None


def _parts(dotted: str) -> tuple[str, ...]:
    """Return the parts of a dotted key, without quotes."""
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))
