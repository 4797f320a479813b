"""Answers that somebody has read: `labels.jsonl` beside templates says which of them make sense.

A line is `{"moment": ID, "sensible": true}` about what the run has there, or has an `answer` of its
own, or names no moment but a `step` with its `inputs`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.errors import RunError
from graphs.catalogue import STEPS
from graphs.loop.step import AnyStep
from lab.moments.finding import found_in, moments_at
from lab.moments.moment import Moment
from parsers.problem import SENSE_KINDS
from prompts.nearest import nearest
from world.runs.folder import RunFolder
from world.runs.reader import RunReader

FILE = "labels.jsonl"
"""In a folder of templates."""
BY_NAME: Mapping[str, AnyStep] = {step.name: step for step in STEPS}


@dataclass(frozen=True, kw_only=True)
class Label:
    """What somebody says of one answer."""

    line: int
    """Of its file, from 1."""
    is_sensible: bool
    kind: str | None
    """In which way it is odd (`parsers.problem.SENSE_KINDS`), where that is said."""
    moment: str = ""
    """The moment's id; empty where step and inputs stand in the line."""
    step: str = ""
    inputs: Mapping[str, Any] | None = None
    answer: str | None = None
    """The answer's JSON, or the reply as a model wrote it; None: what the run has."""


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """One answer to one case, and what somebody says of it."""

    label: Label
    step: AnyStep
    inputs: Any
    answer: str


@dataclass(frozen=True, kw_only=True)
class LabelledSet:
    """All labels of a folder."""

    folder: str
    """As it was typed."""
    answers: tuple[Labelled, ...]
    absent: int
    """Labels whose moments are not here: neither asked nor in a run."""


def labelled_set(
    folder: Path, name: str, runs_dir: Path, moments: Iterable[Moment]
) -> LabelledSet | None:
    """Return the labels of a folder with their cases; None where it has no file of them.

    Moments are looked for among `moments`, then in the runs. RunError names file and line of the
    first that cannot be read.
    """
    path = folder / FILE
    if not path.is_file():
        return None
    labels: list[Label] = []
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


def read_labels(path: Path) -> Iterator[tuple[int, Label | str]]:
    """Give each line's number with its label, or with what is wrong with it.

    Raises RunError when the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise RunError(f"{str(path)!r} is not UTF-8 text.") from None
    except OSError as error:
        raise RunError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _label(line, number)


def _label(line: str, number: int) -> Label | str:
    """Return a line's label, or what is wrong with it, without a full stop."""
    try:
        told = json.loads(line)
    except json.JSONDecodeError as error:
        return f"it is no JSON: {error.msg[:1].lower()}{error.msg[1:]}, at column {error.colno}"
    except (ValueError, RecursionError):
        return "it is no JSON"
    if not isinstance(told, dict):
        return "it should be a JSON object"
    wrong = _wrong(told)
    if wrong:
        return wrong
    answer = told.get("answer")
    return Label(
        line=number,
        is_sensible=told["sensible"],
        kind=told.get("kind"),
        moment=told.get("moment", ""),
        step=told.get("step", ""),
        inputs=told.get("inputs"),
        answer=json.dumps(answer) if isinstance(answer, dict) else answer,
    )


def _wrong(told: Mapping[str, Any]) -> str:
    """Return what is wrong with a line's object; empty where nothing is."""
    if not isinstance(told.get("sensible"), bool):
        return "`sensible` should be true or false"
    kind = told.get("kind")
    if kind is not None and kind not in SENSE_KINDS:
        meant = nearest(str(kind), SENSE_KINDS)
        return f"`kind` {kind!r} is none{meant}; there are: {', '.join(SENSE_KINDS)}"
    if kind is not None and told["sensible"]:
        return "`kind` says in which way an answer is odd, and this one is sensible"
    if not isinstance(told.get("answer"), dict | str | None):
        return "`answer` should be an object, or a reply as a text"
    if "moment" in told:
        is_id = isinstance(told["moment"], str) and "/" in told["moment"]
        return "" if is_id else "`moment` should be an id: `RUN/3f9a1c2e`"
    if told.get("step") not in BY_NAME:
        meant = nearest(str(told.get("step")), BY_NAME)
        return f"it names neither a `moment` nor a `step` that there is{meant}"
    if told.get("answer") is None:
        return "without a `moment` it needs an `answer`"
    return _wrong_inputs(BY_NAME[told["step"]], told.get("inputs"))


def _wrong_inputs(step: AnyStep, inputs: Any) -> str:
    try:
        step.inputs.model_validate(inputs)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(("inputs", *map(str, first["loc"])))
        return f"`{where}`: {first['msg'][:1].lower()}{first['msg'][1:]}"
    return ""


def _in_runs(ids: Iterable[str], runs_dir: Path) -> dict[str, Moment]:
    """Return the moments of these ids that are in a run that can be read."""
    by_run: dict[str, list[str]] = {}
    for id_ in ids:
        by_run.setdefault(id_.rpartition("/")[0], []).append(id_)
    found: dict[str, Moment] = {}
    for run, wanted in by_run.items():
        try:
            with RunReader(RunFolder.open(runs_dir, run)) as reader:
                keys = {f"{run}/{each.digits}": each.key for each in found_in(reader)}
                there = [keys[id_] for id_ in wanted if id_ in keys]
                found |= {each.id: each for each in moments_at(reader, there)}
        except RunError:
            continue
    return found


def _with_case(label: Label, known: Mapping[str, Moment], path: Path) -> Labelled:
    """Return a label with its case; RunError where a step has other inputs by now."""
    if not label.moment:
        step = BY_NAME[label.step]
        inputs = step.inputs.model_validate(label.inputs)
        return Labelled(label=label, step=step, inputs=inputs, answer=label.answer or "")
    from lab.prompting.anew import inputs_of, step_of

    moment = known[label.moment]
    try:
        step = step_of(moment)
        inputs = inputs_of(step, moment.attempts[0].call)
    except RunError as error:
        raise RunError(f"{str(path)!r}, line {label.line}: {error}") from error
    answer = moment.record.answer if label.answer is None else label.answer
    return Labelled(label=label, step=step, inputs=inputs, answer=answer)
