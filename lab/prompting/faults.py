"""What a model can be told about its answer: read from faulty answers by the step's own reader.

Nothing is made up: a good answer to the step's sample is spoilt in the ways in which small models
spoil theirs, and each is read as a model's reply would be.
"""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from graphs.loop.step import AnyStep
from graphs.samples import SAMPLES
from parsers.problem import KINDS, Problem

Values = dict[str, Any]
Path = tuple[str | int, ...]

LONG = "and so on, " * 100
WORDS = "I am not sure what to write here"
WRONG: dict[type, tuple[Any, ...]] = {
    bool: ("maybe",),
    int: (99, 0, -5, WORDS),
    str: ("", LONG, "25:00", WORDS, {}),
    list: ([], WORDS),
    type(None): (WORDS, 99),
}
"""What is put in place of a value, by its type."""
_INDEX = re.compile(r"\.\d+\b")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that can be wrong with an answer."""

    kind: str
    """One of `parsers.problem.KINDS`."""
    field: str
    """Dotted path, without the numbers of items; empty for the whole reply."""
    sentence: str
    """What the model is told."""


def faults_of(step: AnyStep) -> list[Fault]:
    """Return what a model can be told about its answer at a step, one of each kind and field."""
    inputs = SAMPLES[step.name]
    context = {**step.context(inputs), "choices": dict(step.choices(inputs))}
    found: dict[tuple[str, str], Fault] = {}
    for reply, is_cut in _replies(step, inputs):
        for problem in step.parser.read(reply, context, cut=is_cut).problems:
            fault = _fault(problem)
            known = found.get((fault.kind, fault.field))
            if known is None or len(fault.sentence) < len(known.sentence):
                found[fault.kind, fault.field] = fault
    return sorted(found.values(), key=lambda each: (KINDS.index(each.kind), each.field))


def _replies(step: AnyStep, inputs: Any) -> Iterator[tuple[str, bool]]:
    """Yield faulty replies, each with whether the server cut it."""
    good: Values = json.loads(step.fallback(inputs).model_dump_json())
    text = json.dumps(good, ensure_ascii=False)
    yield WORDS, False
    yield text[: len(text) // 2], True
    yield f'{text[:-1]} "{WORDS}', False
    for base in (good, json.loads(step.answer.example().model_dump_json())):
        yield json.dumps(base), False
        for spoilt in _spoilt(base):
            yield json.dumps(spoilt), False


def _spoilt(good: Values) -> Iterator[Values]:
    """Yield an answer with one thing in it spoilt, in turn each thing in each way."""
    for path, value in _places(good):
        if isinstance(path[-1], str):
            yield _changed(good, path, None, is_gone=True)
        for wrong in WRONG.get(type(value), ()):
            yield _changed(good, path, wrong)
        if isinstance(value, list) and value:
            yield _changed(good, path, value[:1])
            yield _changed(good, path, [*value, value[0]])
            yield _changed(good, path, value[::-1])
            yield _changed(good, path, value * 20)


def _places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield each value in an answer with its path; of a list's items the last one's only."""
    if path:
        yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _places(inner, (*path, name))
    elif isinstance(value, list) and value:
        yield from _places(value[-1], (*path, len(value) - 1))


def _changed(good: Values, path: Path, value: Any, *, is_gone: bool = False) -> Values:
    """Return a copy of an answer with another value at a path, or without it."""
    spoilt = deepcopy(good)
    holder: Any = spoilt
    for part in path[:-1]:
        holder = holder[part]
    if is_gone:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return spoilt


def _fault(problem: Problem) -> Fault:
    return Fault(problem.kind, _INDEX.sub("[]", f".{problem.field}")[1:], problem.message)
