"""Results on disk as they come, a line each, so that an evaluation can be gone on with.

The first line says what was asked. A last line that was not written to its end is left out.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from pydantic import TypeAdapter, ValidationError

from agents.errors import RunError, SmolvilleError
from lab.evaluation.question import Question
from lab.evaluation.results import Result

FORMAT = 1
"""Of a file of results."""
KIND = "evaluation"
ELAPSED = "elapsed"
"""Seconds that the evaluation had taken when a result came."""

Key = tuple[str, int, int]
"""Moment, variant and turn."""


class Kept:
    """The results of one evaluation, in memory and in a file."""

    def __init__(self, file: TextIO | None = None) -> None:
        self.results: dict[Key, Result] = {}
        self.seconds = 0.0
        """What the evaluation has taken so far."""
        self._file = file

    def keep(self, result: Result, seconds: float) -> None:
        """Take in a result, `seconds` after the evaluation began."""
        self.results[result.moment, result.variant, result.turn] = result
        self.seconds = round(seconds, 3)
        if self._file is not None:
            self._write({**asdict(result), ELAPSED: self.seconds})

    def begin(self, question: Question) -> None:
        """Write down what is asked."""
        self._write({"smolville": KIND, "format": FORMAT, "asked": dict(question.asked)})

    def _write(self, line: dict[str, Any]) -> None:
        """Write a line at once; halves of letters, which a cut reply can hold, are escaped."""
        assert self._file is not None
        try:
            self._file.write(json.dumps(line, separators=(",", ":")) + "\n")
            self._file.flush()
        except OSError as error:
            told = f"{self._file.name!r} cannot be written: {error.strerror}."
            raise SmolvilleError(told) from error


@contextmanager
def kept_in(path: Path, question: Question, *, resume: bool = False) -> Iterator[Kept]:
    """Keep results in a file: of a new evaluation, or (`resume`) with what it already has.

    Raises RunError when the file holds the answers to another question, or something else.
    """
    check_ours(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        found = _read(path, question) if resume and path.exists() else None
        file = path.open("w" if found is None else "a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise SmolvilleError(f"{str(path)!r} cannot be written: {error.strerror}.") from error
    with file:
        kept = Kept(file)
        if found is None:
            kept.begin(question)
        else:
            kept.results, kept.seconds = found.results, found.seconds
        yield kept


def check_ours(path: Path) -> None:
    """Raise RunError when a file is there that no evaluation has written: it is somebody's."""
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return
    try:
        with path.open("rb") as file:
            line = json.loads(file.readline())
    except (OSError, ValueError):
        line = None
    if not isinstance(line, dict) or line.get("smolville") != KIND:
        raise RunError(f"{str(path)!r} holds no evaluation; write elsewhere with --out FILE.")


def done_in(path: Path) -> int:
    """Return how many results a file holds; 0 when it cannot be read."""
    try:
        lines = _lines(path)
        _header(next(lines, None), path)
        return len({_key(line) for line in lines})
    except (OSError, RunError, KeyError):
        return 0


def _listed(names: list[str]) -> str:
    """Return `variants, models and moments`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _read(path: Path, question: Question) -> Kept:
    """Return what a file holds of a question's results; an unfinished last line is cut off."""
    lines = _lines(path)
    other = list(question.told_apart(_header(next(lines, None), path)))
    if other:
        raise RunError(
            f"{str(path)!r} holds another evaluation: its {_listed(other)} "
            f"{'were' if len(other) > 1 or other[0].endswith('s') else 'was'} not these; write "
            "elsewhere with --out FILE, or begin anew with --overwrite."
        )
    kept = Kept()
    for line in lines:
        kept.seconds = max(kept.seconds, float(line.pop(ELAPSED, 0.0)))
        try:
            result = _results().validate_python(line)
        except ValidationError as error:
            told = error.errors(include_url=False)[0]["msg"]
            raise RunError(f"{str(path)!r} is damaged: a result has {told}.") from error
        kept.results[result.moment, result.variant, result.turn] = replace(
            result, answer=dict(result.answer)
        )
    _drop_unfinished(path)
    return kept


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield a file's lines; RunError for a damaged one that is not the last."""
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1].splitlines()
    for number, each in enumerate(whole, 1):
        try:
            line = json.loads(each)
        except ValueError:
            line = None
        if isinstance(line, dict):
            yield line
        elif number < len(whole):
            raise RunError(f"{str(path)!r}, line {number} is damaged; begin anew with --overwrite.")


def _drop_unfinished(path: Path) -> None:
    """Cut off what stands behind the last whole line."""
    text = path.read_bytes()
    lines = text[: text.rfind(b"\n") + 1].splitlines(keepends=True)
    if lines and not _is_whole(lines[-1]):
        lines.pop()
    size = sum(map(len, lines))
    if size < len(text):
        with path.open("r+b") as file:
            file.truncate(size)


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _header(line: dict[str, Any] | None, path: Path) -> dict[str, Any]:
    """Return what was asked; RunError when the file is none of an evaluation, or a later one."""
    if line is None or line.get("smolville") != KIND:
        raise RunError(f"{str(path)!r} holds no evaluation; write elsewhere with --out FILE.")
    if not isinstance(line.get("format"), int) or line["format"] > FORMAT:
        raise RunError(
            f"{str(path)!r} was written by a later Smolville (format {line.get('format')}, this "
            f"one reads up to {FORMAT}); update smolville to go on with it."
        )
    asked = line.get("asked")
    return asked if isinstance(asked, dict) else {}


def _key(line: dict[str, Any]) -> Key:
    return line["moment"], line["variant"], line["turn"]


@cache
def _results() -> TypeAdapter[Result]:
    return TypeAdapter(Result)
