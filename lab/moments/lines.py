"""Reading and writing of JSON Lines files: written completely or not at all."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from agents.errors import RunError
from lab.whole_file import written_whole

Line = dict[str, Any]
_SHOWN = 60
"""Maximum number of characters of a damaged line shown in a message."""


def write_lines(path: Path, lines: Iterable[Line]) -> int:
    """Write a JSON Lines file and return its number of lines.

    An existing file is replaced only when everything is written.
    """
    written = 0
    with written_whole(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        for line in lines:
            file.write(_dumped(line) + "\n")
            written += 1
    return written


def read_lines(path: Path) -> Iterator[tuple[int, Line]]:
    """Yield a file's objects with their line numbers from 1.

    Raises RunError, naming the line, for a line that does not hold an object.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, text in enumerate(file, start=1):
                if text.strip():
                    yield number, _loaded(text, path, number)
    except FileNotFoundError:
        raise RunError(f"There is no file {str(path)!r}.") from None
    except OSError as error:
        raise RunError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise RunError(f"{str(path)!r} is not UTF-8 text.") from error


def _dumped(line: Line) -> str:
    """Return an object as JSON; lone surrogates, as in truncated replies, are escaped."""
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(line, separators=(",", ":"))
    return text


def _loaded(text: str, path: Path, number: int) -> Line:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        line = None
    if not isinstance(line, dict):
        shown = " ".join(text.split())[:_SHOWN]
        raise RunError(f"{str(path)!r}, line {number} is damaged: no JSON object: {shown!r}.")
    return line
