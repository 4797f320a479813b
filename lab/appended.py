"""Append-only JSON Lines files that can be read while they grow and survive an interruption.

An incomplete last line is ignored when a file is read, and cut off before more is written.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from agents.errors import RunError, SmolvilleError

Line = dict[str, Any]


def append_line(file: TextIO, line: Line) -> None:
    """Write one line and flush it at once.

    Lone surrogates, which a truncated reply can contain, are escaped. Raises SmolvilleError when
    the line cannot be written.
    """
    try:
        file.write(json.dumps(line, separators=(",", ":")) + "\n")
        file.flush()
    except OSError as error:
        raise SmolvilleError(f"{file.name!r} cannot be written: {error.strerror}.") from error


def appended_lines(path: Path, remedy: str) -> Iterator[Line]:
    """Yield the complete lines of a file.

    Raises RunError, whose message ends with `remedy`, for a damaged line before the last one.
    """
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1].splitlines()
    for number, each in enumerate(whole, 1):
        line = _object_in(each)
        if line is not None:
            yield line
        elif number < len(whole):
            raise RunError(f"{str(path)!r}, line {number} is damaged; {remedy}.")


def drop_unfinished(path: Path) -> None:
    """Cut off an incomplete or damaged last line."""
    text = path.read_bytes()
    lines = text[: text.rfind(b"\n") + 1].splitlines(keepends=True)
    if lines and _object_in(lines[-1]) is None:
        lines.pop()
    size = sum(map(len, lines))
    if size < len(text):
        with path.open("r+b") as file:
            file.truncate(size)


def _object_in(line: bytes) -> Line | None:
    """Return the JSON object in a line, or None when the line holds no object."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
