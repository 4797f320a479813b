"""The results of an evaluation, saved one per line as they arrive, so that it can be resumed.

The first line of their file holds the evaluation's specification.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from pydantic import TypeAdapter, ValidationError

from smolville.agents.errors import RunError
from smolville.graphs.loop.ledger import StepOutcome
from smolville.lab.safe_files import Line, Log, append_line, open_log, read_log

KEPT = Log("evaluation", 1, "start over with --overwrite, or write elsewhere: --out FILE")
"""The kind of file in which results are kept."""
HIDDEN = ".evals"
"""Folder inside the runs folder, for results of evaluations without a file of their own."""
SUFFIX = ".jsonl"
JUDGED = ".judged.jsonl"
"""Suffix of the file of verdicts beside an evaluation's results."""
SOURCE = "moments_from"
"""Key in the first line: where the moments were taken from."""
MOMENTS = "moments"
"""Key in the first line: step, person and digits of the question of each moment, by its id."""
SETS = "sets"
"""Key in the first line: the template sets as plain data."""
SCORE = "score"
"""Key in a line of scores: the scorer's name."""
ELAPSED = "elapsed"
"""Key in a result's line: seconds that the evaluation had taken by then."""


@dataclass(frozen=True, kw_only=True)
class VariantName:
    """The name of a template set and a model, for display."""

    prompts: str
    """The folder of the templates as it was typed; `shipped` for the shipped ones."""
    model: str
    """The model's spec."""

    @property
    def label(self) -> str:
        """The whole name on one line: `mine · ollama:qwen2.5:3b`."""
        return f"{self.prompts} · {self.model}"


@dataclass(frozen=True, kw_only=True)
class Result:
    """The result of asking one moment once with one variant."""

    moment: str
    """The moment's id."""
    variant: int
    """Index among the evaluation's variants."""
    turn: int
    """Number of the turn, from 0 to `turns` - 1."""
    outcome: StepOutcome | None
    """The outcome; None if the prompt does not fit the model's context."""
    answer: Mapping[str, Any] = field(default_factory=dict)
    """The accepted answer, or the fallback when there was none."""
    reply: str = ""
    """The first reply as the model wrote it."""
    problems: tuple[str, ...] = ()
    """The problems of the first reply."""
    kinds: tuple[str, ...] = ()
    """The kind of each problem (`parsers.problem.KINDS`)."""
    odd: tuple[str, ...] = ()
    """What makes no sense in the accepted answer, one sentence each."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each entry of `odd` (`parsers.problem.SENSE_KINDS`), in the same order."""
    attempts: int = 0
    prompt_tokens: int | None = None
    """Number of prompt tokens over all calls; None if the server does not count."""
    completion_tokens: int | None = None
    milliseconds: float = 0.0
    """Time of all calls together, without the time spent waiting for a slot."""

    @property
    def key(self) -> tuple[str, int, int]:
        """Moment id, variant and turn: the question that was asked."""
        return self.moment, self.variant, self.turn

    @property
    def is_first_valid(self) -> bool:
        """True when the first answer was accepted, unchanged or mended in code."""
        return self.outcome in ("clean", "mended")

    @property
    def is_valid(self) -> bool:
        """True when an answer was finally accepted, including after repairs."""
        return self.outcome is not None and self.outcome != "fallback"

    @property
    def is_objected_to(self) -> bool:
        """True when no answer was accepted, or a check objects to the one that was."""
        return not self.is_valid or bool(self.odd)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """All results of an evaluation; some are missing when it was interrupted."""

    variants: tuple[VariantName, ...]
    """The variants. Each is compared with the first variant on the same model; that one is compared
    with the very first variant."""
    moments: Mapping[str, str]
    """The step of each moment that is asked, by the moment's id."""
    people: Mapping[str, str]
    """The person in a run whose moment it is, by the moment's id: the unit of sampling."""
    turns: int
    """How often each moment was asked with each variant."""
    results: Sequence[Result]
    repairs: int
    """Number of repairs before a step falls back."""
    seconds: float = 0.0

    def by_variant(self) -> list[list[Result]]:
        """Return each variant's results, in the order of moments and turns."""
        places = {id_: place for place, id_ in enumerate(self.moments)}
        ordered = sorted(self.results, key=lambda each: (places[each.moment], each.turn))
        return [
            [each for each in ordered if each.variant == variant]
            for variant in range(len(self.variants))
        ]


class ResultStore:
    """The results of one evaluation, in memory and optionally in a file."""

    def __init__(self, file: TextIO | None = None) -> None:
        self.results: dict[tuple[str, int, int], Result] = {}
        """Results by moment id, variant index and turn."""
        self.scores: dict[str, dict[tuple[str, int, int], float]] = {}
        """What scorers gave the results, by the scorer's name."""
        self.seconds = 0.0
        """Seconds that the evaluation has taken so far."""
        self._file = file

    def keep(self, result: Result, seconds: float) -> None:
        """Add a result that arrived `seconds` after the evaluation began."""
        self.results[result.key] = result
        self.seconds = round(seconds, 3)
        if self._file is not None:
            append_line(self._file, {**asdict(result), ELAPSED: self.seconds})

    def keep_scores(self, scores: Mapping[str, Mapping[tuple[str, int, int], float]]) -> None:
        """Add what scorers gave the results, by name, unless they gave the same before."""
        for name, values in scores.items():
            if self.scores.get(name) != values:
                self.scores[name] = dict(values)
                if self._file is not None:
                    rows = [[*key, value] for key, value in values.items()]
                    append_line(self._file, {SCORE: name, "values": rows})

    def take(self, lines: Iterable[Line], path: Path) -> None:
        """Add results that are in the file already; RunError for a damaged one."""
        for line in lines:
            if SCORE in line:
                rows = line["values"]
                self.scores[line[SCORE]] = {(id_, *at): value for id_, *at, value in rows}
                continue
            self.seconds = max(self.seconds, float(line.pop(ELAPSED, 0.0)))
            try:
                result = _results().validate_python(line)
            except ValidationError as error:
                message = error.errors(include_url=False)[0]["msg"]
                raise RunError(f"{str(path)!r} is damaged: a result has {message}.") from error
            self.results[result.key] = result


@contextmanager
def kept_in(
    path: Path,
    asked: Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
    *,
    overwrite: bool = False,
) -> Iterator[ResultStore]:
    """Open a results file with the results that are in it, unless it is to be overwritten.

    `asked` is the specification; `more` is what else its first line tells. Raises RunError when the
    file holds the results of another evaluation, or something else.
    """
    first = {**(more or {}), "asked": dict(asked)}
    with open_log(path, KEPT, first, overwrite=overwrite) as (file, head, lines):
        other = [name for name, value in asked.items() if head["asked"].get(name) != value]
        if other:
            raise RunError(
                f"{str(path)!r} holds another evaluation, with other {', '.join(other)}; "
                f"{KEPT.remedy}."
            )
        kept = ResultStore(file)
        kept.take(lines, path)
        yield kept


def read_results(path: Path) -> tuple[Mapping[str, Any], ResultStore]:
    """Return a file's first line, which holds the specification, and its results.

    Raises RunError when the file holds no evaluation, is from a later Smolville, or is damaged.
    """
    head, lines = read_log(path, KEPT)
    kept = ResultStore()
    kept.take(lines, path)
    return head, kept


def kept_files(runs: Path) -> list[Path]:
    """Return the results files of all evaluations without a file of their own, latest first."""
    found = [each for each in (runs / HIDDEN).glob(f"*{SUFFIX}") if not each.match(f"*{JUDGED}")]
    return sorted(found, key=lambda each: (each.stat().st_mtime, each.name), reverse=True)


def read_head(path: Path) -> Mapping[str, Any]:
    """Return a results file's first line; RunError when it holds no evaluation."""
    return read_log(path, KEPT)[0]


@cache
def _results() -> TypeAdapter[Result]:
    return TypeAdapter(Result)
