"""Verdicts, saved one per line as they are given, in a file beside the evaluation's results."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from pydantic import TypeAdapter, ValidationError

from smolville.agents.errors import RunError, SmolvilleError
from smolville.lab.safe_files import append_line, appended_lines, drop_unfinished

FORMAT = 1
KIND = "verdicts"
SUFFIX = ".judged.jsonl"
"""Suffix of the verdicts file beside an evaluation's results."""
SAME, BAD, NONE = "same", "both bad", "no verdict"
"""Values of `prefers` without a preferred variant: both equally good, both senseless, no answer."""
DAMAGED = "remove it to judge again"


@dataclass(frozen=True, kw_only=True)
class PairVerdict:
    """One judge's verdict on one pair of answers, or on a single answer."""

    pair: str
    """Key of the pair, or of the answer."""
    judge: str
    prefers: str
    """A variant's label, or `SAME`, `BAD`, `NONE`; of a single answer, what it was called."""
    moment: str = ""
    """The moment's id, for readers of the file."""
    reason: str = ""
    wavers: bool = False
    """True when a model's verdicts in the two orders differ, which counts as a tie."""


class Verdicts:
    """All verdicts on an evaluation's answers; a judge's later verdict replaces an earlier one."""

    def __init__(self, file: TextIO | None = None) -> None:
        self.by_judge: dict[str, dict[str, PairVerdict]] = {}
        """Verdicts by judge and pair key."""
        self._file = file

    def of(self, judge: str) -> Mapping[str, PairVerdict]:
        """Return a judge's verdicts by pair key."""
        return self.by_judge.get(judge, {})

    def keep(self, verdict: PairVerdict) -> None:
        """Add a verdict, and write it to the file at once."""
        self.take(verdict)
        if self._file is not None:
            append_line(self._file, asdict(verdict))

    def take(self, verdict: PairVerdict) -> None:
        """Add a verdict that is already in the file."""
        self.by_judge.setdefault(verdict.judge, {})[verdict.pair] = verdict


def verdicts_path(results: Path) -> Path:
    """Return the path of the verdicts on an evaluation's results."""
    return results.with_suffix(SUFFIX)


@contextmanager
def verdicts_in(path: Path) -> Iterator[Verdicts]:
    """Open a file of verdicts for reading and appending; it is created if it does not exist.

    Raises RunError when it holds something else or is damaged, SmolvilleError when it cannot be
    written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
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


def _read(path: Path) -> Iterator[PairVerdict]:
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
    reader = TypeAdapter(PairVerdict)
    for line in lines:
        try:
            yield reader.validate_python(line)
        except ValidationError as error:
            message = error.errors(include_url=False)[0]["msg"]
            raise RunError(f"{str(path)!r} is damaged: a verdict has {message}.") from error
