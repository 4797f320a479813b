"""The problem messages that a model can get about its answer, collected from faulty answers.

The messages are real: a good answer to the step's sample is corrupted in the ways in which small
models fail, and each variant is read by the step's own parser like a model's reply.
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
"""Replacements for a value, by its type."""
_INDEX = re.compile(r"\.\d+\b")


@dataclass(frozen=True, slots=True)
class AnswerFault:
    """A problem that an answer can have."""

    kind: str
    """One of `parsers.problem.KINDS`."""
    field: str
    """Dotted path of the field, without item numbers; empty for the whole reply."""
    sentence: str
    """The message to the model."""


def faults_of(step: AnyStep) -> list[AnswerFault]:
    """Return the problems that a step's answer can have, one for each kind and field."""
    inputs = SAMPLES[step.name]
    context = {**step.context(inputs), "choices": dict(step.choices(inputs))}
    found: dict[tuple[str, str], AnswerFault] = {}
    for reply, is_cut in _replies(step, inputs):
        for problem in step.parser.read(reply, context, cut=is_cut).problems:
            fault = _fault(problem)
            known = found.get((fault.kind, fault.field))
            if known is None or len(fault.sentence) < len(known.sentence):
                found[fault.kind, fault.field] = fault
    return sorted(found.values(), key=lambda each: (KINDS.index(each.kind), each.field))


def _replies(step: AnyStep, inputs: Any) -> Iterator[tuple[str, bool]]:
    """Yield faulty replies, each with a flag whether the server cut it off."""
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
    """Yield copies of an answer with one fault each: every kind of fault at every value."""
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
    """Yield each value in an answer with its path; of a list only the last item is visited."""
    if path:
        yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _places(inner, (*path, name))
    elif isinstance(value, list) and value:
        yield from _places(value[-1], (*path, len(value) - 1))


def _changed(good: Values, path: Path, value: Any, *, is_gone: bool = False) -> Values:
    """Return a copy of an answer in which the value at a path is replaced or removed."""
    spoilt = deepcopy(good)
    holder: Any = spoilt
    for part in path[:-1]:
        holder = holder[part]
    if is_gone:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return spoilt


def _fault(problem: Problem) -> AnswerFault:
    return AnswerFault(problem.kind, _INDEX.sub("[]", f".{problem.field}")[1:], problem.message)
