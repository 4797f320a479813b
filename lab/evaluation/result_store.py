"""Results saved one per line as they arrive, so that an evaluation can be resumed.

The first line holds the evaluation's specification. An incomplete last line is ignored.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from pydantic import TypeAdapter, ValidationError

from smolville.agents.errors import RunError, SmolvilleError
from smolville.lab.evaluation.results import Result
from smolville.lab.evaluation.spec import EvaluationSpec
from smolville.lab.safe_files import append_line, appended_lines, drop_unfinished

FORMAT = 1
"""Format version of a results file."""
KIND = "evaluation"
SOURCE = "moments_from"
"""Key in the first line: where the moments were taken from."""
DAMAGED = "start over with --overwrite"
ELAPSED = "elapsed"
"""Key in a result's line: seconds that the evaluation had taken by then."""

Key = tuple[str, int, int]
"""Moment id, variant index and turn."""


class ResultStore:
    """The results of one evaluation, in memory and optionally in a file."""

    def __init__(self, file: TextIO | None = None) -> None:
        self.results: dict[Key, Result] = {}
        self.seconds = 0.0
        """Seconds that the evaluation has taken so far."""
        self._file = file

    def keep(self, result: Result, seconds: float) -> None:
        """Add a result that arrived `seconds` after the evaluation began."""
        self.results[result.moment, result.variant, result.turn] = result
        self.seconds = round(seconds, 3)
        if self._file is not None:
            append_line(self._file, {**asdict(result), ELAPSED: self.seconds})

    def begin(self, question: EvaluationSpec, source: str = "") -> None:
        """Write the first line: the specification, and the source of the moments."""
        head = {"smolville": KIND, "format": FORMAT, "asked": dict(question.asked)}
        if self._file is not None:
            append_line(self._file, head | ({SOURCE: source} if source else {}))


@contextmanager
def kept_in(
    path: Path, question: EvaluationSpec, *, resume: bool = False, source: str = ""
) -> Iterator[ResultStore]:
    """Open a results file, for a new evaluation or (`resume`) for the unfinished one in it.

    `source` is the run, file or dataset that the moments are from, as it was typed. Raises RunError
    when the file holds the results of another evaluation, or something else.
    """
    check_ours(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        found = _read(path, question) if resume and path.exists() else None
        file = path.open("w" if found is None else "a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise SmolvilleError(f"{str(path)!r} cannot be written: {error.strerror}.") from error
    with file:
        kept = ResultStore(file)
        if found is None:
            kept.begin(question, source)
        else:
            kept.results, kept.seconds = found.results, found.seconds
        yield kept


def check_ours(path: Path) -> None:
    """Raise RunError when a file exists that was not written by an evaluation."""
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
    """Return the number of results in a file; 0 when it cannot be read."""
    try:
        lines = appended_lines(path, DAMAGED)
        _header(next(lines, None), path)
        return len({_key(line) for line in lines})
    except (OSError, RunError, KeyError):
        return 0


def _join_names(names: list[str]) -> str:
    """Return names as a list in words: `variants, models and moments`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def read_results(path: Path) -> tuple[Mapping[str, Any], ResultStore]:
    """Return a file's first line, which holds the specification, and its results.

    Raises RunError when the file holds no evaluation, is from a later Smolville, or is damaged.
    """
    try:
        lines = appended_lines(path, DAMAGED)
        first = next(lines, None)
    except OSError as error:
        raise RunError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    _header(first, path)
    return first or {}, _results_in(lines, path)


def _read(path: Path, question: EvaluationSpec) -> ResultStore:
    """Return the results in a file for this specification, and cut off an incomplete last line."""
    lines = appended_lines(path, DAMAGED)
    other = list(question.differing_parts(_header(next(lines, None), path)))
    if other:
        raise RunError(
            f"{str(path)!r} holds another evaluation: its {_join_names(other)} "
            f"{'were' if len(other) > 1 or other[0].endswith('s') else 'was'} not these; write "
            "elsewhere with --out FILE, or start over with --overwrite."
        )
    kept = _results_in(lines, path)
    drop_unfinished(path)
    return kept


def _results_in(lines: Iterable[dict[str, Any]], path: Path) -> ResultStore:
    """Return the results in the lines after the first."""
    kept = ResultStore()
    for line in lines:
        kept.seconds = max(kept.seconds, float(line.pop(ELAPSED, 0.0)))
        try:
            result = _results().validate_python(line)
        except ValidationError as error:
            message = error.errors(include_url=False)[0]["msg"]
            raise RunError(f"{str(path)!r} is damaged: a result has {message}.") from error
        kept.results[result.moment, result.variant, result.turn] = replace(
            result, answer=dict(result.answer)
        )
    return kept


def _header(line: dict[str, Any] | None, path: Path) -> dict[str, Any]:
    """Return the first line of a results file.

    Raises RunError when it is not that of an evaluation, or is from a later version.
    """
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
