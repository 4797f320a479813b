"""What small models say twice, of somebody else, or in place of an answer: what is made of it."""

import json
import re
from typing import Any

import pytest

from smolville.parsers.answer import Answer
from smolville.parsers.conclude_talk import LONGEST, TalkConclusion
from smolville.parsers.plan_hours import HourlyPlan
from smolville.parsers.reader import AnswerParser, ParseResult
from smolville.parsers.reflect_insights import Insights
from smolville.parsers.say import Utterance

SAID = [
    "I have the flour for your bread. Do you know who mends roofs?",
    "Jonas mends them. Will you come to the fair on Saturday?",
]


def read(answer: type[Answer], data: object, context: dict[str, Any]) -> ParseResult[Answer]:
    return AnswerParser(answer=answer).read(json.dumps(data), context)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Yes, gladly. Do you know who mends roofs?", "Yes, gladly. Do you know who mends roofs?"),
        (
            "I will come to it on Saturday, and bring my mother. Do you know who mends roofs?",
            "I will come to it on Saturday, and bring my mother.",
        ),
        ("Yes, I can ask. Do you know who mends roofs?", None),
        ("Thank you. I will ask Jonas about the roof.", None),
    ],
)
def test_a_sentence_that_was_said_before_is_left_out_where_others_are_left(
    text: str, left: str | None
) -> None:
    reading = read(Utterance, {"text": text, "ends": False}, {"said": SAID})
    assert isinstance(reading.value, Utterance)
    assert reading.value.text == (left or text)
    is_mended = reading.value.text != text
    assert any("said before" in mend for mend in reading.mends) is is_mended


TEXTS = ["Ben Hollis buys bread every day.", "I want to invite everybody to the fair."]


@pytest.mark.parametrize(
    ("insight", "kept"),
    [
        (
            "Ben Hollis buys bread every day. He may be lonely since spring.",
            "Ben Hollis buys bread every day. He may be lonely since spring.",
        ),
        ("You like how Ben thanks you.", "You like how Ben thanks you."),
        (
            "Ben would like to be asked, " + "and asked again by somebody else, " * 8 + "by Ada",
            "Ben would like to be asked" + ", and asked again by somebody else" * 6 + "…",
        ),
    ],
)
def test_an_insight_is_kept_as_it_is_and_cut_at_its_limit(insight: str, kept: str) -> None:
    item = {"because": [1, 2], "insight": insight, "importance": 5}
    reading = read(Insights, {"insights": [item]}, {"numbers": [1, 2], "texts": TEXTS})
    assert isinstance(reading.value, Insights)
    assert [each.insight for each in reading.value.insights] == [kept]


def test_an_insight_that_says_an_earlier_one_again_is_left_out() -> None:
    first = "Walter is still angry with Vivian because the counter was closed."
    again = "Walter is still angry with Vivian: the counter was closed."
    other = "Walter would like somebody to read his memoirs."
    items = [
        {"because": [1, 2], "insight": insight, "importance": 5}
        for insight in (first, again, other)
    ]
    reading = read(Insights, {"insights": items}, {"numbers": [1, 2], "texts": TEXTS})
    assert isinstance(reading.value, Insights)
    assert [each.insight for each in reading.value.insights] == [first, other]


DAY = {
    "letters": {"A": 2, "B": 1},
    "meals": ["lunch"],
    "stands": ["writing in the library", "having lunch"],
}


def test_what_stands_in_a_day_is_left_out_if_something_else_is_left() -> None:
    data = {
        "A": ["writing in the library and meeting Ben", "reading a novel"],
        "B": ["having lunch"],
    }
    reading = read(HourlyPlan, data, DAY)
    assert isinstance(reading.value, HourlyPlan)
    assert (reading.value.A, reading.value.B) == (["reading a novel"], ["having lunch"])
    assert "`A`: left out 'writing in the library and meeting Ben', which is given" in reading.mends


@pytest.mark.parametrize(
    ("summary", "kept"),
    [
        ("Ben told Ada of the fair, of bread and of " + "flour and salt and " * 12, "Ben told Ada"),
    ],
)
def test_a_summary_that_runs_on_ends_with_a_whole_word(summary: str, kept: str) -> None:
    data = {"summary": summary, "keep": [], "agreements": [], "feeling": "calm"}
    reading = read(TalkConclusion, data, {"numbers": [1], "others": ["Ben Hollis"]})
    assert isinstance(reading.value, TalkConclusion)
    short = reading.value.summary
    assert short.startswith(kept) and len(short) <= LONGEST
    assert short.endswith((".", "…")) and short.rstrip(".…").split()[-1] in re.findall(
        r"\w+", summary
    )
    assert "`summary`: kept what fits into one sentence" in reading.mends


AGREED: dict[str, Any] = {
    "numbers": [1, 3],
    "others": ["Ben Hollis"],
    "speakers": {1: "Ben Hollis", 2: "Ada Brook", 3: "Ben Hollis"},
    "dates": ["Monday 6 May", "Tuesday 7 May", "Wednesday 8 May", "Thursday 9 May"],
    "places": ["Copper Kettle: counter room", "Willow Park: lawn", "Willow Park: lawn: bench"],
    "minute": 610,
}


def agreed(**more: Any) -> Any:
    made = {"who": ["Ada Brook"], "what": "baking bread", "line": 2, "day": "today"}
    data = {"summary": "They talked.", "keep": [], "in_confidence": [], "feeling": "calm"}
    item = made | {"time": "17:00", "place": None} | more
    return read(TalkConclusion, data | {"agreements": [item]}, AGREED)


@pytest.mark.parametrize(
    ("more", "meant"),
    [
        ({"who": ["Ada", "Ben"]}, {"who": ["Ada Brook", "Ben Hollis"]}),
        ({"day": "Thursday"}, {"day": "Thursday 9 May"}),
        ({"day": "tonight"}, {"day": "today"}),
        ({"time": "5"}, {"time": 1020}),
        ({"time": "05:00"}, {"time": 1020}),
        ({"time": "10", "day": "tomorrow"}, {"time": 600}),
        ({"time": "5", "day": "tomorrow"}, {"time": 1020}),
        ({"place": "Willow Park"}, {"place": "Willow Park: lawn"}),
        ({"place": "the moon"}, {"place": None}),
    ],
)
def test_an_agreement_is_spelt_as_it_was_offered(more: dict[str, Any], meant: Any) -> None:
    reading = agreed(**more)
    assert isinstance(reading.value, TalkConclusion), reading.problems
    (item,) = reading.value.agreements
    assert {name: getattr(item, name) for name in meant} == meant


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"line": 1}, "which Ben Hollis says. Write the line in which Ada Brook agrees"),
        ({"line": 9}, "which is no line of TALK"),
        ({"time": "09:00"}, "which is past: it is 10:10"),
        ({"day": "Sunday 12 May"}, "Write one of: "),
        ({"who": ["Cora Vance"]}, "Write one of: "),
        ({"what": "go"}, "too short"),
    ],
)
def test_a_wrong_agreement_is_told_and_the_rest_is_right(more: dict[str, Any], told: str) -> None:
    facts = AGREED | {
        "choices": {
            "agreements[].who[]": ["Ada Brook", "Ben Hollis"],
            "agreements[].day": ["today", "tomorrow", "Wednesday 8 May", "Thursday 9 May"],
        }
    }
    made = {"who": ["Ada Brook"], "what": "baking bread", "line": 2, "day": "today", "time": None}
    data = {"summary": "They talked.", "keep": [], "in_confidence": [], "feeling": "calm"}
    items = [made, made | {"what": "singing"} | more]
    reading = read(TalkConclusion, data | {"agreements": items}, facts)
    assert reading.value is None and any(told in str(each) for each in reading.problems)
    assert reading.rest is not None and len(reading.rest.agreements) == 1
