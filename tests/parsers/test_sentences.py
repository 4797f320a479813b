"""Every way in which an answer can be wrong becomes a plain sentence of its own kind."""

import json
from itertools import product
from typing import Any, get_args

import pytest
from pydantic import ValidationError
from pydantic_core import core_schema

from smolville.parsers.answer import Answer, Shape, shape_of
from smolville.parsers.problem import KINDS, TwoValues
from smolville.parsers.reader import AnswerParser
from smolville.parsers.reading.faults import problems_of, sentence_of

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


@pytest.mark.parametrize("got", [None, 5, "x", [1], {}], ids=str)
def test_every_error_that_pydantic_knows_has_a_sentence(got: Any) -> None:
    errors = get_args(core_schema.ErrorType)
    assert len(errors) > 100
    for error, shape in product(errors, one_of_each()):
        problem = sentence_of(error, "items.0.place", shape, got)
        assert problem.message.startswith("`place` of item 1 of `items`"), (error, shape)
        assert problem.message.endswith("."), (error, shape)
        assert problem.kind in KINDS, (error, shape)


def one_of_each() -> list[Shape]:
    """One shape of every kind of value."""
    kinds = ("object", "list", "text", "number", "truth", "clock", "choice")
    text = Shape(kind="text")
    return [
        Shape(
            kind=kind,  # type: ignore[arg-type]
            least=1,
            most=9,
            item=text,
            fixed=("a", "b"),
            fields={"start": text},
        )
        for kind in kinds
    ]


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
