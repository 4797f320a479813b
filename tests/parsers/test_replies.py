"""Replies as small models write them, recorded by step: what is read, mended, refused and kept.

Each file under `tests/recordings/` belongs to one step. A reply has either an `answer` or
`problems`, each with its kind. To accept new wording, set SMOLVILLE_UPDATE_GOLDEN=1, run this
file, and review the difference.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from smolville.parsers.answer import Answer
from smolville.parsers.problem import KINDS
from smolville.parsers.reader import AnswerParser

RECORDINGS = Path(__file__).parents[1] / "recordings"
UPDATES = os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1"
FILES = sorted(RECORDINGS.glob("*.json"))
CASES = [
    pytest.param(path.stem, case, id=f"{path.stem}-{number}")
    for path in FILES
    for number, case in enumerate(json.loads(path.read_text(encoding="utf-8")), 1)
]


def context_of(case: dict[str, Any]) -> dict[str, Any] | None:
    """The step's context, with the numbers that JSON has made texts."""
    context = case.get("context")
    if context is None:
        return None
    for name in {"sectors", "rooms", "promises", "places"} & context.keys():
        context = context | {name: {int(key): value for key, value in context[name].items()}}
    return context


def outcome(case: dict[str, Any], answer: type[Answer]) -> dict[str, Any]:
    """What comes of reading the case's reply, as its recording says it."""
    reading = AnswerParser(answer=answer).read(
        case["reply"], context_of(case), cut=case.get("cut", False)
    )
    value = None if reading.value is None else reading.value.model_dump(mode="json")
    found = {
        "answer": value,
        "mends": list(reading.mends),
        "problems": [str(problem) for problem in reading.problems],
        "kinds": [problem.kind for problem in reading.problems],
        "kept": [item.model_dump(mode="json") for item in reading.kept],
    }
    return {name: told for name, told in found.items() if told not in (None, [])}


def written_anew(name: str, case: dict[str, Any], answer: type[Answer]) -> dict[str, Any]:
    """The case as it is recorded now, kept in its file when that is asked for."""
    given = {key: case[key] for key in ("reply", "context", "cut") if key in case}
    fresh = given | outcome(case, answer)
    if UPDATES:
        path = RECORDINGS / f"{name}.json"
        cases = json.loads(path.read_text(encoding="utf-8"))
        cases[cases.index(case)] = fresh
        path.write_text(json.dumps(cases, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return fresh


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_recorded_reply_is_read_as_reviewed(
    name: str, case: dict[str, Any], answers: dict[str, type[Answer]]
) -> None:
    fresh = written_anew(name, case, answers[name])
    assert UPDATES or fresh == case
    reading = AnswerParser(answer=answers[name]).read(case["reply"], context_of(case))
    for problem in reading.problems:
        names = [part for part in problem.field.split(".") if part and not part.isdigit()]
        assert names or problem.message.startswith("Your answer")
        assert all(f"`{name}`" in problem.message for name in names[-1:])
        assert not re.search(r"`\w+\.\d", problem.message), "a path that counts from 0"
        assert problem.kind in KINDS


def test_recorded_replies_belong_to_steps_and_are_good_and_bad(
    answers: dict[str, type[Answer]],
) -> None:
    assert len(CASES) >= 160
    assert {path.stem for path in FILES} <= set(answers)
    for path in FILES:
        cases = json.loads(path.read_text(encoding="utf-8"))
        assert len(cases) >= 9, path.stem
        assert {"answer" in case for case in cases} == {True, False}
        assert all(("answer" in case) != ("problems" in case) for case in cases)
