"""Read text files that people edit: UTF-8, with or without a byte order mark, any line ends."""

import codecs
import errno
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

LARGEST = 64_000_000
"""Maximum size of a text file in bytes."""


def read_text(path: Path, *, newline: str | None = None) -> str:
    """Return a file's text; `newline` is that of `open`.

    Raises OSError if the file cannot be read, is too large, or is not UTF-8. Its
    `strerror` ends a sentence such as `town.toml cannot be read: ...`.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        size = f"{LARGEST / 1_000_000:g} MB"
        raise OSError(errno.EFBIG, f"it is larger than {size}", str(path))
    return io.StringIO(decode_text(data, path), newline).read()


def decode_text(data: bytes, path: Path, *, first_line: int = 1) -> str:
    """Return the text of a file's bytes, which begin at `first_line`.

    Raises OSError, whose `strerror` names the line, if they are not UTF-8.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        told = f"line {line} is not UTF-8 text; save the file as UTF-8"
        raise OSError(errno.EILSEQ, told, str(path)) from None


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
