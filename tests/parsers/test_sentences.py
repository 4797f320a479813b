"""Every way in which an answer can be wrong becomes a plain sentence of its own kind."""

import json
from typing import Any

from pydantic import ValidationError

from smolville.parsers.answer import Answer, shape_of
from smolville.parsers.problem import KINDS, TwoValues
from smolville.parsers.reader import AnswerParser
from smolville.parsers.reading.faults import problems_of

WRONG: list[Any] = [
    None, True, -1, 0, 10**30, 1.5, float("nan"), "", "x", "x" * 5000, "\ud800", [], [None] * 99,
    ["x"], {}, {"x": 1}, TwoValues(1, 2), TwoValues("a", {"b": []}),
]  # fmt: skip
"""Values of every type, too small, too large and of no use."""


def spoilt(value: Any) -> list[Any]:
    """The value with each of its parts, however deep, replaced by each wrong value."""
    if isinstance(value, dict):
        return [
            *WRONG,
            *({k: v for k, v in value.items() if k != name} for name in value),
            *(value | {name: other} for name in value for other in spoilt(value[name])),
        ]
    if isinstance(value, list) and value:
        return [*WRONG, *([other, *value[1:]] for other in spoilt(value[0]))]
    return WRONG


def test_no_sentence_is_pydantics_own_or_empty(answer: type[Answer]) -> None:
    kinds = set()
    for data in spoilt(answer.example().model_dump(mode="json")):
        try:
            answer.model_validate(data)
        except ValidationError as error:
            raw = [detail["msg"] for detail in error.errors()]
            problems = problems_of(error, shape_of(answer))
            assert problems
            for problem in problems:
                assert problem.message.endswith(".")
                assert not any(each in problem.message for each in raw)
                assert problem.kind in KINDS
                kinds.add(problem.kind)
    always = {"type", "duplicate"}
    has_needed = any(field.is_required() for field in answer.model_fields.values())
    assert always | ({"missing"} if has_needed else set()) <= kinds


def test_two_values_for_one_field_are_told_apart(answers: Any) -> None:
    reading = AnswerParser(answer=answers["say"]).read(
        '{"text": "Hi", "ends": true, "ends": false}'
    )
    assert [problem.kind for problem in reading.problems] == ["duplicate"]
    assert str(reading.problems[0]).startswith("`ends`: got two values, true and false.")


def test_problems_are_short(answer: type[Answer]) -> None:
    text = json.dumps(dict.fromkeys(shape_of(answer).fields, "z" * 4000))
    for problem in AnswerParser(answer=answer).read(text).problems:
        assert len(problem.message) < 240
