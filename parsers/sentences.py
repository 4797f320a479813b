"""Turn what validation found into problems: one plain sentence for each."""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from parsers.problem import Problem, field_problem, item_place, missing_problem, one_of, shown
from parsers.shape import Shape
from parsers.wording import allowed, counted

Path = tuple[str | int, ...]


def problems_of(error: ValidationError, shape: Shape, start: Path = ()) -> tuple[Problem, ...]:
    """The problems a validation error means; paths count from `start`."""
    details = error.errors(include_url=False)
    return tuple(problem for detail in details for problem in _problems(detail, shape, start))


def _problems(detail: ErrorDetails, shape: Shape, start: Path) -> Iterable[Problem]:
    """The problems that one of pydantic's errors means."""
    path = start + tuple(detail["loc"])
    if detail["type"] == "problems":
        for problem in detail["ctx"]["problems"]:
            yield moved(problem, path)
        return
    field = shape.at(tuple(detail["loc"]))
    yield _sentence(detail["type"], dotted(path), field or shape, detail["input"])


def _sentence(kind: str, field: str, shape: Shape, got: Any) -> Problem:
    """The sentence for one kind of error at one field."""
    if not field:
        message = f"Your answer is {shown(got)}. Write one JSON object instead."
        return Problem("", shown(got), message)
    if kind == "missing":
        return missing_problem(field, f"Write {allowed(shape)}.")
    if shape.kind == "choice":
        return field_problem(field, got, f". {one_of(got, shape.fixed)}")
    if isinstance(got, str) and shape.kind == "text":
        return field_problem(field, got, f", which {_length(shape, got)}")
    if isinstance(got, list) and shape.kind == "list":
        return field_problem(field, got, f". Write {allowed(shape)}.")
    return field_problem(field, got, f". Write {allowed(shape)}.")


def _length(shape: Shape, got: str) -> str:
    """What is wrong with a text, and what is allowed."""
    length = len(got)
    if shape.most is not None and length > shape.most:
        return f"has {length} characters. Write at most {shape.most} characters."
    if shape.least and len(got.strip()) < shape.least:
        size = counted(shape.least, shape.most, "character", "characters")
        return f"is too short. Write {size}."
    return "has characters that cannot be stored. Write plain text."


def dotted(path: Path) -> str:
    """The path as it is written: names and positions with dots between."""
    return ".".join(map(str, path))


def moved(problem: Problem, path: Path) -> Problem:
    """The problem seen from further out: its path, and the one in its sentence, made longer."""
    if not path:
        return problem
    field = f"{dotted(path)}.{problem.field}" if problem.field else dotted(path)
    if not problem.field:
        return Problem(field, problem.got, f"`{field}`{item_place(field)}: {problem.message}")
    rest = problem.message.removeprefix(f"`{problem.field}`{item_place(problem.field)}")
    return Problem(field, problem.got, f"`{field}`{item_place(field)}{rest}")
