"""The reader as LangChain and the step loop see it."""

import json

import pytest
from langchain_core.exceptions import OutputParserException

from smolville.parsers.answer import Answer
from smolville.parsers.problem import Unreadable
from smolville.parsers.rate_importance import Ratings
from smolville.parsers.reader import AnswerParser
from smolville.parsers.reflect_insights import Insights
from smolville.parsers.say import Utterance

SAY = AnswerParser(answer=Utterance)


def test_a_good_reply_is_clean(answer: type[Answer]) -> None:
    reading = AnswerParser(answer=answer).read(answer.example().model_dump_json(indent=1))
    assert reading.value == answer.example()
    assert (reading.mends, reading.problems, reading.kept) == ((), (), ())


def test_what_was_not_asked_is_left_out_and_the_reply_is_not_clean() -> None:
    reading = SAY.read('{"mood": "glad", "text": "Hi", "ends": false, "next": "Ben"}')
    assert reading.value == Utterance(text="Hi", ends=False)
    assert reading.mends == ("left out what was not asked: 'mood', 'next'",)
    rows = [{**each.model_dump(), "hue": 1} for each in Ratings.example().ratings]
    listed = AnswerParser(answer=Ratings).read(json.dumps({"ratings": rows}))
    assert listed.value is not None
    assert listed.mends == ("left out what was not asked: 'hue'",), "once for all items"


def test_parse_raises_the_problems_with_the_reply() -> None:
    with pytest.raises(Unreadable) as caught:
        SAY.parse('{"text": "Hi"}')
    assert isinstance(caught.value, OutputParserException)
    assert [problem.field for problem in caught.value.problems] == ["ends"]
    assert caught.value.llm_output == '{"text": "Hi"}'
    assert str(caught.value) == "`ends` is missing. Write either true or false."


def test_a_cut_list_keeps_its_whole_items() -> None:
    text = Ratings.example().model_dump_json()
    assert AnswerParser(answer=Ratings).read(text, cut=True).kept == tuple(
        Ratings.example().ratings
    )
    cut = AnswerParser(answer=Ratings).read(text[:-20], {"numbers": [1, 2]}, cut=True)
    assert [item.model_dump()["number"] for item in cut.kept] == [1]


def test_an_item_outside_this_calls_choices_is_not_kept() -> None:
    context = {"choices": {"ratings[].importance": [1, 3]}}
    reply = (
        '{"ratings": [{"number": 1, "reason": "", "importance": 7},'
        ' {"number": 2, "reason": "", "importance": 3}]}'
    )
    reading = AnswerParser(answer=Ratings).read(reply, context)
    assert [problem.field for problem in reading.problems] == ["ratings.0.importance"]
    assert [item.model_dump()["number"] for item in reading.kept] == [2]


def test_an_insight_that_counts_from_nought_is_asked_again() -> None:
    reply = Insights.example().model_dump_json().replace("[1,4]", "[0,3]")
    context = {"numbers": [1, 2, 3, 4], "choices": {"insights[].because[]": [1, 2, 3, 4]}}
    assert AnswerParser(answer=Insights).read(reply, context).value is None


def test_an_item_is_named_by_the_number_it_answers() -> None:
    reply = Ratings.example().model_dump_json().replace('"importance":7', '"importance":70')
    reading = AnswerParser(answer=Ratings).read(reply, {"numbers": [1, 2]})
    assert [str(problem) for problem in reading.problems] == [
        "`importance` of the item with `number` 2: got 70. Write a whole number from 1 to 10."
    ]
    assert [problem.field for problem in reading.problems] == ["ratings.1.importance"]


def test_true_is_not_the_number_one() -> None:
    reply = '{"ratings": [{"number": true, "reason": "", "importance": 1}]}'
    reading = AnswerParser(answer=Ratings).read(reply, {"choices": {"ratings[].number": [1]}})
    assert [problem.got for problem in reading.problems] == ["true"]
