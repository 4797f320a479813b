"""Problems of a reply: those of the whole reply, and a sentence for each of pydantic's errors."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from smolville.parsers.answer import Shape
from smolville.parsers.clock import sure_clock
from smolville.parsers.instructions import describe_field, format_allowed_count, quoted_list
from smolville.parsers.problem import (
    Kind,
    Problem,
    field_problem,
    missing_problem,
    one_of,
    place_of,
    quote_value,
)
from smolville.parsers.reading.syntax import Fault
from smolville.parsers.reading.turns import THOUGHT, own_words

_FIELD = re.compile(r"\{[^{}]{1,60}:")


def _of_reply(kind: Kind, message: str) -> Problem:
    return Problem("", "", message, kind)


CUT_OFF = _of_reply(
    "cut", "Your answer was cut off before it was complete. Write shorter texts this time."
)
"""The problem of a reply that ends in the middle."""

TWO_ANSWERS = _of_reply(
    "duplicate",
    "Your answer has several JSON objects in it that differ. Write one JSON object only: your own "
    "answer, not the example.",
)
"""The problem of a reply with several answers: drafts, or answers of invented others."""

_ONLY_THOUGHTS = _of_reply(
    "no_json",
    "Your answer has only thoughts in it. Think less, then write one JSON object after them.",
)
_BAD_QUOTES = _of_reply(
    "syntax",
    "Your answer has a quotation mark too many or too few, so it cannot be read. Write "
    'one " before and one " after each text, and no " inside it.',
)
_EMPTY = _of_reply("no_json", "Your answer was empty. Write one JSON object.")
_NO_OBJECT = _of_reply(
    "no_json",
    "Your answer has no JSON object in it. Write one JSON object and nothing else.",
)
_UNREADABLE = _of_reply(
    "syntax",
    "Your answer has a JSON object in it that cannot be read. Write each field as "
    '"name": value, with " around its name and around each text.',
)
NOTHING = _of_reply("no_json", "Your answer has nothing of what was asked. Write it as asked.")
"""The problem of a reply in lines without anything like an answer in it."""
FAULTS: dict[Fault, Problem] = {"cut": CUT_OFF, "quotes": _BAD_QUOTES, "names": _UNREADABLE}
"""The problem for each fault of the syntax."""


def nothing_found(text: str) -> Problem:
    """Return the problem of a reply without anything like an answer in it."""
    if not text.strip():
        return _EMPTY
    spoken, _ = own_words(text)
    if THOUGHT.search(text) and not re.search(r"\w", spoken):
        return _ONLY_THOUGHTS
    return _UNREADABLE if _FIELD.search(spoken) else _NO_OBJECT


Path = tuple[str | int, ...]


def problems_of(error: ValidationError, shape: Shape) -> tuple[Problem, ...]:
    """Return the problems for a validation error."""
    details = error.errors(include_url=False)
    return tuple(problem for detail in details for problem in _problems(detail, shape))


def _problems(detail: ErrorDetails, shape: Shape) -> Iterable[Problem]:
    path = tuple(detail["loc"])
    if detail["type"] == "problems":
        for problem in detail["ctx"]["problems"]:
            yield move_problem(problem, path)
        return
    field = shape.at(path)
    yield sentence_of(detail["type"], format_path(path), field or shape, detail["input"])


def sentence_of(error: str, field: str, shape: Shape, got: Any) -> Problem:
    """Return the sentence for one of pydantic's errors at one field."""
    if not field:
        message = f"Your answer is {quote_value(got)}. Write one JSON object instead."
        return Problem("", quote_value(got), message, "type")
    if error == "missing":
        return missing_problem(field, f"Write {_describe_wanted(shape)}.")
    if shape.kind == "choice":
        return field_problem(field, got, f". {one_of(got, shape.fixed)}", "choice")
    if isinstance(got, str) and shape.kind == "text":
        return _length(field, shape, got)
    return field_problem(field, got, f". Write {_describe_wanted(shape)}.", _kind(shape, got))


def _describe_wanted(shape: Shape) -> str:
    """Return what the field may contain; for objects, also the names of their required fields."""
    item = shape.item if shape.kind == "list" else shape
    if item is None or item.kind != "object":
        return describe_field(shape)
    names = tuple(field.name for field in item.fields.values() if not field.optional)
    each = ", each with" if shape.kind == "list" else " with"
    return f"{describe_field(shape)}{each} {quoted_list(names, last='and')}"


def _kind(shape: Shape, got: Any) -> Kind:
    if isinstance(got, list) and shape.kind == "list":
        return "length"
    if shape.kind == "number" and isinstance(got, int) and not isinstance(got, bool):
        return "range"
    if shape.kind == "clock" and isinstance(got, str) and sure_clock(got) is not None:
        return "range"
    return "type"


def _length(field: str, shape: Shape, got: str) -> Problem:
    length = len(got)
    if shape.most is not None and length > shape.most:
        rest = f", which has {length} characters. Write at most {shape.most} characters."
        return field_problem(field, got, rest, "length")
    if shape.least and len(got.strip()) < shape.least:
        size = format_allowed_count(shape.least, shape.most, "character", "characters")
        return field_problem(field, got, f", which is too short. Write {size}.", "length")
    rest = ", which has characters that cannot be stored. Write plain text."
    return field_problem(field, got, rest)


def format_path(path: Path) -> str:
    """Return the path in writing: names and positions separated by dots."""
    return ".".join(map(str, path))


def move_problem(problem: Problem, path: Path) -> Problem:
    """Return the problem with `path` put before its own path, also in its sentence."""
    if not path:
        return problem
    field = f"{format_path(path)}.{problem.field}" if problem.field else format_path(path)
    rest = f": {problem.message}"
    if problem.field:
        rest = problem.message.removeprefix(place_of(problem.field))
    return replace(problem, field=field, message=f"{place_of(field)}{rest}")
