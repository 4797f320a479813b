"""What holds for every answer and for every text."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from smolville.parsers.answer import Answer, shape_of
from smolville.parsers.problem import KINDS, Unreadable
from smolville.parsers.reader import AnswerParser, ParseResult
from tests.fixtures.respelling import (
    CARELESS,
    EXACT,
    SPOKEN,
    TALK,
    WRAPPINGS,
    hostile,
    settled,
    values,
)

RAW_WORDS = (
    "input should",
    "validation error",
    "jsondecode",
    "extra data",
    "pydantic",
    "traceback",
)

ON_PURPOSE = {
    "reflect_insights": ('wrote "I" for "you"',),
    "plan_hours": ("left out times", "which is given"),
}
"""By step, the mends of texts that are read otherwise than they are written."""


@settings(max_examples=30)
@given(data=st.data())
def test_every_answer_reads_as_itself(step: str, answers: Any, data: st.DataObject) -> None:
    answer: type[Answer] = answers[step]
    drawn = settled(data.draw(values(shape_of(answer))))
    try:
        value = answer.model_validate(drawn)
    except ValidationError:
        assume(False)
    reading = AnswerParser(answer=answer).read(value.model_dump_json())
    if any(each in mend for each in ON_PURPOSE.get(step, ()) for mend in reading.mends):
        assert reading.value is not None
        return
    assert reading.value == value
    assert AnswerParser(answer=answer).parse(value.model_dump_json(indent=2)) == value


@settings(max_examples=40)
@given(data=st.data(), cut=st.booleans())
def test_no_hostile_text_raises(step: str, answers: Any, data: st.DataObject, cut: bool) -> None:
    text = data.draw(hostile(answers[step].example().model_dump_json()))
    reading = AnswerParser(answer=answers[step]).read(text, {"minutes": 60, "wake": 390}, cut=cut)
    assert (reading.value is None) == bool(reading.problems)
    assert reading.value is None or not cut
    for problem in reading.problems:
        assert_plain(problem.message)
        assert problem.kind in KINDS
    try:
        AnswerParser(answer=answers[step]).parse(text)
    except Unreadable as error:
        assert error.problems


def rewritten(
    answer: type[Answer], data: st.DataObject, texts: Any, ways: Mapping[str, Any]
) -> tuple[Answer, ParseResult[Answer]]:
    """An answer, and what is read of it when it is written in one of these ways."""
    drawn = settled(data.draw(values(shape_of(answer), texts)))
    try:
        meant = answer.model_validate(drawn)
    except ValidationError:
        assume(False)
    assume('"..."' not in meant.model_dump_json() and '"…"' not in meant.model_dump_json())
    way = data.draw(st.sampled_from(sorted(ways)))
    return meant, AnswerParser(answer=answer).read(ways[way](meant.model_dump(mode="json")))


@settings(max_examples=15)
@given(data=st.data())
def test_an_answer_written_otherwise_is_read_as_meant(
    step: str, answers: Any, data: st.DataObject
) -> None:
    meant, reading = rewritten(answers[step], data, TALK, EXACT)
    assert reading.value == meant, reading.problems


@settings(max_examples=15)
@given(data=st.data(), way=st.sampled_from(sorted(WRAPPINGS)))
def test_a_wrapping_around_an_answer_changes_nothing(
    step: str, answers: Any, data: st.DataObject, way: str
) -> None:
    wrapped = {way: lambda data: WRAPPINGS[way](json.dumps(data))}
    meant, reading = rewritten(answers[step], data, TALK, wrapped)
    assert reading.value == meant, reading.problems
    assert reading.mends, "it is not clean"


@settings(max_examples=10)
@given(data=st.data())
def test_an_answer_written_carelessly_is_read_as_meant_or_not_at_all(
    step: str, answers: Any, data: st.DataObject
) -> None:
    meant, reading = rewritten(answers[step], data, SPOKEN, CARELESS)
    assert reading.value in (None, meant)


def test_an_answer_cut_anywhere_is_never_accepted(answer: type[Answer]) -> None:
    text = answer.example().model_dump_json()
    whole = answer.example().model_dump()
    for end in range(0, len(text), 3):
        reading = AnswerParser(answer=answer).read(text[:end])
        assert reading.value is None or _says_no_other(reading.value.model_dump(), whole)


def _says_no_other(part: Any, whole: Any) -> bool:
    """Whether every value of an answer that was closed for the model is one that it wrote."""
    if isinstance(whole, dict) and part is not None:
        return all(_says_no_other(part.get(name), whole[name]) for name in whole)
    if isinstance(whole, list) and part is not None:
        return all(map(_says_no_other, part, whole))
    return part is None or part == whole


def assert_plain(message: str) -> None:
    """The message is a sentence without a word of pydantic's or of a JSON reader."""
    assert message.strip().endswith((".", "…"))
    assert not any(word in message.lower() for word in RAW_WORDS)
    message.encode("utf-8")


@pytest.mark.parametrize(
    "text",
    ["[" * 5000, '{"a":' * 5000, '{"text": ' + "9" * 6000 + "}", "{'" * 9000, '"' * 9999],
)
def test_an_endless_text_is_refused(text: str, answers: Any) -> None:
    assert AnswerParser(answer=answers["say"]).read(text).value is None


def test_a_mend_neither_makes_a_text_too_short_nor_takes_a_control_character_for_a_time(
    answers: Any,
) -> None:
    insight = {"because": [1], "insight": "YOU:zzzz", "importance": 3}
    read = AnswerParser(answer=answers["reflect_insights"]).read(
        json.dumps({"insights": [insight]})
    )
    assert read.value is not None and read.value.insights[0].insight == "YOU:zzzz"
    plan = AnswerParser(answer=answers["plan_hours"]).read(json.dumps({"A": ["\x1f000"]}))
    assert plan.value is not None and plan.value.of("A") == ["\x1f000"] and not plan.mends
