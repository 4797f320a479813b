"""Human labels for answers: `labels.jsonl` beside the templates says which answers make sense.

A line `{"moment": ID, "sensible": true}` labels the answer in the run. A line may also have an
`answer` of its own, and it may name a `step` with `inputs` instead of a moment.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from smolville.agents.errors import RunError
from smolville.agents.text_files import read_text
from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.step import AnyStep
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.moments.finding import found_in, moments_at
from smolville.lab.moments.moment import Moment
from smolville.parsers.problem import SENSE_KINDS
from smolville.prompts.folder import nearest

FILE = "labels.jsonl"
"""Name of the file of labels in a folder of templates."""
BY_NAME: Mapping[str, AnyStep] = {step.name: step for step in STEPS}


@dataclass(frozen=True, kw_only=True)
class AnswerLabel:
    """A person's label for one answer."""

    line: int
    """Line number in its file, from 1."""
    is_sensible: bool
    kind: str | None
    """Kind of oddity (`parsers.problem.SENSE_KINDS`); None if it is not given."""
    moment: str = ""
    """The moment's id; empty when the line gives step and inputs instead."""
    step: str = ""
    inputs: Mapping[str, Any] | None = None
    answer: str | None = None
    """The answer as JSON, or the reply as written by a model; None for the answer in the run."""


@dataclass(frozen=True, kw_only=True)
class LabelledAnswer:
    """An answer with its label and its case: the step, and the inputs that were asked about."""

    label: AnswerLabel
    step: AnyStep
    inputs: Any
    answer: str


@dataclass(frozen=True, kw_only=True)
class LabelledSet:
    """All labels of a folder of templates."""

    folder: str
    """The folder as it was typed."""
    answers: tuple[LabelledAnswer, ...]
    absent: int
    """Number of labels whose moment was found neither among the evaluated moments nor in a run."""


def labelled_set(
    folder: Path, name: str, runs_dir: Path, moments: Iterable[Moment]
) -> LabelledSet | None:
    """Return a folder's labelled answers, or None when it has no file of labels.

    Moments are looked up in `moments`, then in the runs. Raises RunError, naming file and line, for
    the first label that cannot be read.
    """
    path = folder / FILE
    if not path.is_file():
        return None
    labels: list[AnswerLabel] = []
    for number, label in read_labels(path):
        if isinstance(label, str):
            raise RunError(f"{str(path)!r}, line {number}: {label}.")
        labels.append(label)
    known = {each.id: each for each in moments}
    known |= _in_runs({each.moment for each in labels} - known.keys() - {""}, runs_dir)
    answers = [
        _with_case(each, known, path) for each in labels if not each.moment or each.moment in known
    ]
    return LabelledSet(folder=name, answers=tuple(answers), absent=len(labels) - len(answers))


def read_labels(path: Path) -> Iterator[tuple[int, AnswerLabel | str]]:
    """Yield each line's number with its label, or with the problem of that line.

    Raises RunError when the file cannot be read.
    """
    try:
        text = read_text(path)
    except OSError as error:
        raise RunError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _label(line, number)


def _label(line: str, number: int) -> AnswerLabel | str:
    """Return the label in a line, or its problem without a full stop."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        return f"it is no JSON: {error.msg[:1].lower()}{error.msg[1:]}, at column {error.colno}"
    except (ValueError, RecursionError):
        return "it is no JSON"
    if not isinstance(row, dict):
        return "it should be a JSON object"
    wrong = _find_label_fault(row)
    if wrong:
        return wrong
    answer = row.get("answer")
    return AnswerLabel(
        line=number,
        is_sensible=row["sensible"],
        kind=row.get("kind"),
        moment=row.get("moment", ""),
        step=row.get("step", ""),
        inputs=row.get("inputs"),
        answer=json.dumps(answer) if isinstance(answer, dict) else answer,
    )


def _find_label_fault(row: Mapping[str, Any]) -> str:
    """Return the problem of a line's object; empty when there is none."""
    if not isinstance(row.get("sensible"), bool):
        return "`sensible` should be true or false"
    kind = row.get("kind")
    if kind is not None and kind not in SENSE_KINDS:
        meant = nearest(str(kind), SENSE_KINDS)
        return f"`kind` {kind!r} is none{meant}; there are: {', '.join(SENSE_KINDS)}"
    if kind is not None and row["sensible"]:
        return "`kind` says in which way an answer is odd, and this one is sensible"
    if not isinstance(row.get("answer"), dict | str | None):
        return "`answer` should be an object, or a reply as a text"
    if "moment" in row:
        is_id = isinstance(row["moment"], str) and "/" in row["moment"]
        return "" if is_id else "`moment` should be an id: `RUN/3f9a1c2e`"
    if row.get("step") not in BY_NAME:
        meant = nearest(str(row.get("step")), BY_NAME)
        return f"it names neither a `moment` nor a `step` that there is{meant}"
    if row.get("answer") is None:
        return "without a `moment` it needs an `answer`"
    return _wrong_inputs(BY_NAME[row["step"]], row.get("inputs"))


def _wrong_inputs(step: AnyStep, inputs: Any) -> str:
    try:
        step.inputs.model_validate(inputs)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(("inputs", *map(str, first["loc"])))
        return f"`{where}`: {first['msg'][:1].lower()}{first['msg'][1:]}"
    return ""


def _in_runs(ids: Iterable[str], runs_dir: Path) -> dict[str, Moment]:
    """Return the moments with these ids, by id; ids not found in a readable run are left out."""
    by_run: dict[str, list[str]] = {}
    for id_ in ids:
        by_run.setdefault(id_.rpartition("/")[0], []).append(id_)
    found: dict[str, Moment] = {}
    for run, run_ids in by_run.items():
        try:
            with RunReader(RunFolder.open(runs_dir, run)) as reader:
                keys = {f"{run}/{each.digits}": each.key for each in found_in(reader)}
                there = [keys[id_] for id_ in run_ids if id_ in keys]
                found |= {each.id: each for each in moments_at(reader, there)}
        except RunError:
            continue
    return found


def _with_case(label: AnswerLabel, known: Mapping[str, Moment], path: Path) -> LabelledAnswer:
    """Return the labelled answer with the step and inputs that it answers.

    Raises RunError when the inputs of the step have changed since.
    """
    if not label.moment:
        step = BY_NAME[label.step]
        inputs = step.inputs.model_validate(label.inputs)
        return LabelledAnswer(label=label, step=step, inputs=inputs, answer=label.answer or "")
    from smolville.lab.prompting.rendering import inputs_of, step_of

    moment = known[label.moment]
    try:
        step = step_of(moment)
        inputs = inputs_of(step, moment.attempts[0].call)
    except RunError as error:
        raise RunError(f"{str(path)!r}, line {label.line}: {error}") from error
    answer = moment.record.answer if label.answer is None else label.answer
    return LabelledAnswer(label=label, step=step, inputs=inputs, answer=answer)
