"""Checks example cases of steps in files against the answer types."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from graphs.catalogue import STEPS
from parsers.answer import shape_of
from parsers.sentences import problems_of
from prompts.finding import LintFinding
from prompts.nearest import nearest

HAS = {"case", "answer"}


def wrong_cases(folder: Path) -> Iterator[LintFinding]:
    """Yield the problems of a folder's `<step>.json` files; nothing when there are none."""
    answers = {step.name: step.answer for step in STEPS}
    for path in sorted(folder.glob("*.json")):
        file, step = f"{folder.name}/{path.name}", path.stem
        if step not in answers:
            yield _finding(file, f"there is no step `{step}`{nearest(step, answers)}")
            continue
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            yield _finding(file, "it is not UTF-8 text")
            continue
        except ValueError as error:
            line = error.lineno if isinstance(error, json.JSONDecodeError) else None
            yield _finding(file, f"it is no JSON: {error}", line)
            continue
        if not isinstance(told, list):
            yield _finding(file, "it should be a list of cases, each with `case` and `answer`")
            continue
        for number, each in enumerate(told, 1):
            yield from _wrong_case(file, number, each, answers[step])


def _wrong_case(file: str, number: int, told: Any, answer: Any) -> Iterator[LintFinding]:
    """Yield the problems of one example case."""
    if not isinstance(told, dict) or not told.keys() >= HAS or not isinstance(told["case"], str):
        yield _finding(file, f"case {number} should have `case`, a text, and `answer`")
        return
    if not told["case"].strip():
        yield _finding(file, f"case {number} has no words")
    try:
        answer.model_validate(told["answer"])
    except ValidationError as error:
        for problem in problems_of(error, shape_of(answer)):
            text = f"case {number} is no answer of its step: {problem.message}"
            yield _finding(file, text)


def _finding(file: str, text: str, line: int | None = None) -> LintFinding:
    return LintFinding(severity="error", kind="example", file=file, line=line, text=text)
