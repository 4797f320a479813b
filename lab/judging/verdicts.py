"""Verdicts on disk as they are given, a line each, beside the results that they are about."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from pydantic import TypeAdapter, ValidationError

from agents.errors import RunError, SmolvilleError
from lab.appended import append_line, appended_lines, drop_unfinished

FORMAT = 1
KIND = "verdicts"
SUFFIX = ".judged.jsonl"
"""Of the file beside an evaluation's results."""
SAME, BAD, NONE = "same", "both bad", "no verdict"
"""What is preferred where no variant is: both are as good, both make no sense, no answer came."""
DAMAGED = "take it away to judge anew"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What one judge says of one pair."""

    pair: str
    """The pair's key."""
    judge: str
    prefers: str
    """A variant's label, or `SAME`, `BAD`, `NONE`."""
    moment: str = ""
    """The moment's id, for whoever reads the file."""
    reason: str = ""
    wavers: bool = False
    """True when a model's two verdicts, one in each order, differ: it counts as a tie."""


class Verdicts:
    """All verdicts on an evaluation's answers; a later one of the same judge takes the place."""

    def __init__(self, file: TextIO | None = None) -> None:
        self.by_judge: dict[str, dict[str, Verdict]] = {}
        """Verdicts by judge and pair."""
        self._file = file

    def of(self, judge: str) -> Mapping[str, Verdict]:
        """Return a judge's verdicts by the pair's key."""
        return self.by_judge.get(judge, {})

    def keep(self, verdict: Verdict) -> None:
        """Take in a verdict, and write it down at once."""
        self.take(verdict)
        if self._file is not None:
            append_line(self._file, asdict(verdict))

    def take(self, verdict: Verdict) -> None:
        """Take in a verdict that is written down already."""
        self.by_judge.setdefault(verdict.judge, {})[verdict.pair] = verdict


def verdicts_path(results: Path) -> Path:
    """Return where the verdicts on an evaluation's results are kept."""
    return results.with_suffix(SUFFIX)


@contextmanager
def verdicts_in(path: Path) -> Iterator[Verdicts]:
    """Open a file of verdicts, which is made where there is none, to read it and to add to it.

    Raises RunError when it holds something else or is damaged, SmolvilleError when it cannot be
    written.
    """
    try:
        is_new = not path.exists() or not path.stat().st_size
        found = [] if is_new else list(_read(path))
        if not is_new:
            drop_unfinished(path)
        file = path.open("a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise SmolvilleError(f"{str(path)!r} cannot be written: {error.strerror}.") from error
    with file:
        if is_new:
            append_line(file, {"smolville": KIND, "format": FORMAT})
        verdicts = Verdicts(file)
        for each in found:
            verdicts.take(each)
        yield verdicts


def _read(path: Path) -> Iterator[Verdict]:
    """Yield the verdicts in a file, in the order in which they were given."""
    lines = appended_lines(path, DAMAGED)
    head = next(lines, {})
    if head.get("smolville") != KIND:
        raise RunError(f"{str(path)!r} holds no verdicts; {DAMAGED}.")
    if head.get("format") != FORMAT:
        raise RunError(
            f"{str(path)!r} was written by a later Smolville (format {head.get('format')}, this "
            f"one reads {FORMAT}); update smolville to go on with it."
        )
    reader = TypeAdapter(Verdict)
    for line in lines:
        try:
            yield reader.validate_python(line)
        except ValidationError as error:
            told = error.errors(include_url=False)[0]["msg"]
            raise RunError(f"{str(path)!r} is damaged: a verdict has {told}.") from error
