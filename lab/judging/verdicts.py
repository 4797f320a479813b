"""Verdicts of people and models, saved one per line as they are given."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from pydantic import TypeAdapter, ValidationError

from smolville.agents.errors import RunError
from smolville.lab.safe_files import Log, append_line, open_log

LOG = Log("verdicts", 1, "remove it to judge again")
SAME, BAD, NONE = "same", "both bad", "no verdict"
"""Values of `prefers` without a preferred variant: both equally good, both senseless, no answer."""


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

    def keep(self, verdict: PairVerdict, *, is_new: bool = True) -> None:
        """Add a verdict; a new one is written to the file at once."""
        self.by_judge.setdefault(verdict.judge, {})[verdict.pair] = verdict
        if is_new and self._file is not None:
            append_line(self._file, asdict(verdict))


@contextmanager
def verdicts_in(path: Path) -> Iterator[Verdicts]:
    """Open a file of verdicts for reading and appending; it is created if it does not exist.

    Raises RunError when it holds something else or is damaged, SmolvilleError when it cannot be
    written.
    """
    reader = TypeAdapter(PairVerdict)
    with open_log(path, LOG) as (file, _, lines):
        verdicts = Verdicts(file)
        for line in lines:
            try:
                verdicts.keep(reader.validate_python(line), is_new=False)
            except ValidationError as error:
                message = error.errors(include_url=False)[0]["msg"]
                raise RunError(f"{str(path)!r} is damaged: a verdict has {message}.") from error
        yield verdicts
