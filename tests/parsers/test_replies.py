"""Replies as small models write them, recorded by step: what is read, mended, refused and kept.

Each file under `replies/` belongs to one step. A reply has either an `answer` or `problems`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from parsers.answer import Answer
from parsers.reader import AnswerParser

REPLIES = Path(__file__).parent / "replies"
CASES = [
    pytest.param(path.stem, case, id=f"{path.stem}-{number}")
    for path in sorted(REPLIES.glob("*.json"))
    for number, case in enumerate(json.loads(path.read_text(encoding="utf-8")), 1)
]


def context_of(case: dict[str, Any]) -> dict[str, Any] | None:
    """The step's context, with the numbers that JSON has made texts."""
    context = case.get("context")
    if context is None:
        return None
    for name in {"places", "sectors"} & context.keys():
        context = context | {name: {int(key): value for key, value in context[name].items()}}
    return context


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_recorded_reply_is_read_as_reviewed(
    name: str, case: dict[str, Any], answers: dict[str, type[Answer]]
) -> None:
    reading = AnswerParser(answer=answers[name]).read(case["reply"], context_of(case))
    value = None if reading.value is None else reading.value.model_dump(mode="json")
    assert value == case.get("answer")
    assert list(reading.mends) == case.get("mends", [])
    assert list(map(str, reading.problems)) == case.get("problems", [])
    assert [item.model_dump(mode="json") for item in reading.kept] == case.get("kept", [])


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_problem_names_its_field_as_its_sentence_does(
    name: str, case: dict[str, Any], answers: dict[str, type[Answer]]
) -> None:
    reading = AnswerParser(answer=answers[name]).read(case["reply"], context_of(case))
    for problem in reading.problems:
        assert problem.message.startswith(f"`{problem.field}`" if problem.field else "Your answer")


def test_every_step_has_recorded_replies_good_and_bad(answers: dict[str, type[Answer]]) -> None:
    assert len(CASES) >= 70
    for name in answers:
        cases = json.loads((REPLIES / f"{name}.json").read_text(encoding="utf-8"))
        assert {"answer" in case for case in cases} == {True, False}
        assert all(("answer" in case) != ("problems" in case) for case in cases)
