"""Files that survive an interruption: written whole or not at all, or appended line by line.

A growing JSON Lines file can be read at any time: an incomplete last line is ignored, and cut off
before more is written.
"""

import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from smolville.agents.errors import RunError, SettingError, SmolvilleError


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; it replaces `path` at the end, or is deleted on failure.

    Missing parent folders are made. Raises SettingError if there is a file in the place of a parent
    folder, and SmolvilleError if `path` cannot be written.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    parents = (each for each in path.parents if os.path.lexists(each) and not each.is_dir())
    in_the_way = next(parents, None)
    if in_the_way is not None:
        raise SettingError(f"{str(path)!r} cannot be written: {str(in_the_way)!r} is no folder.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield draft
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise SmolvilleError(f"{str(path)!r} cannot be written: {error.strerror}.") from error


def check_free(path: Path, *, overwrite: bool) -> None:
    """Raise SettingError when `path` exists already, unless it may be overwritten."""
    if path.is_dir():
        raise SettingError(f"{str(path)!r} is a folder; name a file.")
    if os.path.lexists(path) and not overwrite:
        raise SettingError(f"{str(path)!r} exists; add --overwrite, or name another file.")


Line = dict[str, Any]


def append_line(file: TextIO, line: Line) -> None:
    """Write one line and flush it at once; raise SmolvilleError if it cannot be written.

    Lone surrogates, which a truncated reply can contain, are escaped.
    """
    try:
        file.write(json.dumps(line, separators=(",", ":")) + "\n")
        file.flush()
    except OSError as error:
        raise SmolvilleError(f"{file.name!r} cannot be written: {error.strerror}.") from error


class Log(NamedTuple):
    """A kind of growing file: JSON Lines below a header that names the kind and its format."""

    kind: str
    format: int
    remedy: str
    """What to do about a damaged file, as the end of a sentence."""


def read_log(path: Path, log: Log) -> tuple[Line, list[Line]]:
    """Return the header and the complete lines of a growing file.

    Raises RunError when it is another kind of file, from a later version, or damaged before its
    last line.
    """
    head, *lines = (line for line, _ in _complete_lines(path, log))
    return head, lines


def _complete_lines(path: Path, log: Log) -> list[tuple[Line, int]]:
    """Return the lines of a growing file with their lengths; a damaged last one is left out."""
    try:
        with path.open("rb") as file:
            raw = list(file)
    except OSError as error:
        raise RunError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    found = [(_object_in(each) if each.endswith(b"\n") else None, len(each)) for each in raw]
    check_head(found[0][0] if found else None, log, path)
    if found[-1][0] is None:
        found.pop()
    for number, (line, _) in enumerate(found, 1):
        if line is None:
            raise RunError(f"{str(path)!r}, line {number} is damaged; {log.remedy}.")
    return [(line, size) for line, size in found if line is not None]


def check_head(head: Line | None, log: Log, path: Path) -> None:
    """Raise RunError unless a file's first line is the header of this kind of file."""
    if head is None or head.get("smolville") != log.kind:
        raise RunError(f"{str(path)!r} holds no {log.kind}; {log.remedy}.")
    if not isinstance(head.get("format"), int) or head["format"] > log.format:
        raise RunError(
            f"{str(path)!r} was written by a later Smolville (format {head.get('format')}, this "
            f"one reads up to {log.format}); update smolville to read it."
        )


@contextmanager
def open_log(
    path: Path, log: Log, more: Mapping[str, Any] | None = None, *, overwrite: bool = False
) -> Iterator[tuple[TextIO, Line, list[Line]]]:
    """Open a growing file, and yield it with its header and the lines that it has already.

    A new or overwritten file gets a header, with `more` in it. Raises RunError for another kind of
    file, even if it may be overwritten, and SmolvilleError when it cannot be written.
    """
    head: Line = {"smolville": log.kind, "format": log.format, **(more or {})}
    lines: list[Line] = []
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists() or not path.stat().st_size
        if overwrite and not is_new:
            with path.open("rb") as file:
                check_head(_object_in(file.readline()), log, path)
        elif not is_new:
            found = _complete_lines(path, log)
            head, *lines = (line for line, _ in found)
            whole = sum(size for _, size in found)
            if whole < path.stat().st_size:
                os.truncate(path, whole)
        opened = path.open("w" if overwrite else "a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise SmolvilleError(f"{str(path)!r} cannot be written: {error.strerror}.") from error
    with opened as writing:
        if is_new or overwrite:
            append_line(writing, head)
        yield writing, head, lines


def _object_in(line: bytes) -> Line | None:
    """Return the JSON object in a line, or None when the line holds no object."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
