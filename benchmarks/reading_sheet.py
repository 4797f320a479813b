"""A sheet of steps for a person to read, and the labels that the person gave.

The sheet shows the question and the answer. It shows neither how the answer came about nor what the
program thinks of it. The person writes one word after each `label:`.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import ValidationError

from smolville.agents.chance import draw
from smolville.agents.errors import SmolvilleError
from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.ledger import StepRecord
from smolville.graphs.loop.step import AnyStep
from smolville.history.reader import RunReader
from smolville.history.thoughts import StepView, UseKey
from smolville.lab.evaluation.statistics import Interval, wilson
from smolville.reports.runs import OpenRun

Label = Literal["sensible", "odd", "senseless"]
LABELS: tuple[Label, ...] = get_args(Label)
USUAL = 100
"""Usual number of steps on a sheet."""
_HEAD = re.compile(r"^## \d+ · ([0-9a-f]{12})\s*$")
_LABEL = re.compile(r"^label:(.*)$")
INTRODUCTION = """\
Each entry is one question to the model and what came of it. Write one word behind each `label:`:

- `sensible`: this person could well think, say or do so, now and here;
- `odd`: something in it does not fit, and the day goes on all the same;
- `senseless`: it says nothing, or what it says cannot be.
"""


class SheetError(SmolvilleError):
    """A sheet that cannot be read; the message says where and why."""


@dataclass(frozen=True, kw_only=True)
class Read:
    """One step that a person has labelled."""

    record: StepRecord
    label: Label

    @property
    def mark(self) -> str:
        """The program's mark: `odd`, `fallback` or `unmarked`."""
        if self.record.outcome == "fallback":
            return "fallback"
        return "odd" if self.record.odd_kinds else "unmarked"


@dataclass(frozen=True, kw_only=True)
class Share:
    """A share of the labelled steps, with its 95 % interval (Wilson)."""

    name: str
    part: int
    of: int

    @property
    def interval(self) -> Interval:
        """The bounds between which the true share lies."""
        return wilson(self.part, self.of)


def id_of(key: UseKey) -> str:
    """Return a step's id on a sheet: 12 hex digits that reveal nothing about it."""
    return f"{draw('sheet', *key):016x}"[-12:]


def drawn(reader: RunReader, count: int, until: int) -> list[UseKey]:
    """Return `count` steps of a run, selected by hash, so that equal runs give equal sheets."""
    keys = reader.use_keys(until)
    return sorted(keys, key=lambda key: (draw("drawn for reading", *key), key))[:count]


def sheet(run: OpenRun, count: int = USUAL) -> str:
    """Return the sheet of a run in Markdown."""
    keys = drawn(run.reader, count, run.tick)
    views = [view for key in keys if (view := run.reader.step(key)) is not None]
    parts = [f"# {run.folder.name}: {len(views)} steps to read", INTRODUCTION, "# The people", ""]
    for name in run.reader.agents():
        who = run.persona(name)
        parts.append(f"- {name}, {who.age}: {who.innate}. {who.learned} {who.lifestyle}")
    parts += ["", "# The steps", ""]
    for number, (key, view) in enumerate(zip(keys, views, strict=True), 1):
        parts += [f"## {number} · {id_of(key)}", "", *_entry(run, view), "", "label:", ""]
    return "\n".join(parts)


def _case(step: AnyStep, inputs: str) -> str:
    """Return a step's inputs as one short text; as they are if they are of an earlier version."""
    try:
        return step.case(step.inputs.model_validate_json(inputs))
    except ValidationError:
        return inputs


def _entry(run: OpenRun, view: StepView) -> Iterator[str]:
    """Yield a step's lines: person, time, question and answer."""
    record, step = view.record, {each.name: each for each in STEPS}.get(view.record.step)
    when = run.format_time(record.tick * run.folder.spec.tick_seconds)
    about = f" ({step.about})" if step is not None else ""
    yield f"**{record.agent}**, {when}: {record.step}{about}"
    yield ""
    yield "Asked:"
    yield ""
    inputs = view.attempts[0].call.inputs if view.attempts else "{}"
    asked = _case(step, inputs) if step is not None else inputs
    yield from (f"    {line}" for line in asked.splitlines())
    yield ""
    yield "Answered:"
    yield ""
    yield from (f"    {line}" for line in plain_answer(json.loads(record.answer)))


def plain_answer(answer: Mapping[str, object]) -> Iterator[str]:
    """Yield an answer's fields, one on each line; a list's entries follow below its name."""
    for name, value in answer.items():
        if isinstance(value, list):
            yield f"{name}:"
            yield from (f"  - {_in_a_line(each)}" for each in value)
        else:
            yield f"{name}: {_in_a_line(value)}"


def _in_a_line(value: object) -> str:
    """Return a value on one line."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_in_a_line(each)}" for name, each in value.items())
    if isinstance(value, list):
        return " / ".join(map(_in_a_line, value))
    return " ".join(str(value).split())


def read_labels(text: str, path: Path) -> dict[str, Label]:
    """Return the labels of a filled sheet by id; entries without a label are left out.

    Raises SheetError for a word that is not a label, and for a label that belongs to no entry.
    """
    found: dict[str, Label] = {}
    known: dict[str, Label] = {name: name for name in LABELS}
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEAD.match(line):
            current = head[1]
            continue
        labelled = _LABEL.match(line)
        if labelled is None:
            continue
        word = labelled[1].strip().lower()
        if not current or current in found:
            raise SheetError(f"{path}, line {number}: this label stands under no entry")
        if word and word not in known:
            raise SheetError(
                f"{path}, line {number}: {word!r} is no label; write {', '.join(LABELS)}"
            )
        if word:
            found[current] = known[word]
    if not found:
        raise SheetError(f"{path} has no label; write {', '.join(LABELS)} behind `label:`")
    return found


def labelled(reader: RunReader, labels: Mapping[str, Label]) -> list[Read]:
    """Return the labelled steps; raises SheetError if one is from another run."""
    records = {
        id_of(UseKey(each.owner, each.tick, each.step, each.ordinal)): each
        for each in reader.steps()
    }
    strange = [name for name in labels if name not in records]
    if strange:
        raise SheetError(
            f"{len(strange)} of the labelled steps are not in this run, {strange[0]} first: "
            "the sheet is of another one"
        )
    return [Read(record=records[name], label=label) for name, label in labels.items()]


def kept(reader: RunReader, reads: Sequence[Read], run: str) -> Iterator[str]:
    """Yield the labelled answers as lines of a `labels.jsonl`, each with its case.

    A fallback is left out, because no model wrote it. A step labelled odd counts as not sensible;
    the label itself is stored beside that.
    """
    for each in reads:
        record = each.record
        key = UseKey(record.owner, record.tick, record.step, record.ordinal)
        view = reader.step(key)
        if record.outcome == "fallback" or view is None or not view.attempts:
            continue
        line = {
            "step": record.step,
            "sensible": each.label == "sensible",
            "read": each.label,
            "run": run,
            "inputs": json.loads(view.attempts[0].call.inputs),
            "answer": json.loads(record.answer),
        }
        yield json.dumps(line, ensure_ascii=False)


def shares(reads: Sequence[Read]) -> list[Share]:
    """Return the shares of labels among all steps and repaired steps, and of wrong marks."""
    labels = Counter(each.label for each in reads)
    fixed = [each for each in reads if each.record.outcome == "repaired"]
    sensible = [each for each in reads if each.label == "sensible"]
    unmarked = sum(each.label == "senseless" and each.mark == "unmarked" for each in reads)
    marked = sum(each.mark == "odd" for each in sensible)
    repaired = sum(each.label == "sensible" for each in fixed)
    return [
        *(Share(name=f"read as {label}", part=labels[label], of=len(reads)) for label in LABELS),
        Share(name="repaired ones read as sensible", part=repaired, of=len(fixed)),
        Share(name="senseless and not marked", part=unmarked, of=len(reads)),
        Share(name="sensible ones marked odd", part=marked, of=len(sensible)),
    ]


def crossed(reads: Sequence[Read]) -> list[tuple[str, int, int, int]]:
    """Return for each mark the numbers of steps labelled sensible, odd and senseless."""
    counts = Counter((each.mark, each.label) for each in reads)
    return [
        (mark, counts[mark, "sensible"], counts[mark, "odd"], counts[mark, "senseless"])
        for mark in ("unmarked", "odd", "fallback")
    ]
