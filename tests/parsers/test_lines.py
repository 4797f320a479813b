"""Answers written in lines or as plain text, read by the same reader as JSON."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smolville.graphs import conclude_talk, decompose, rate_importance, react, say
from smolville.parsers.answer import Answer
from smolville.parsers.reader import AnswerParser
from tests.fixtures.respelling import hostile

SAY, DECOMPOSE = say.STEP.parser, decompose.STEP.parser
RATE, REACT = rate_importance.STEP.parser, react.STEP.parser


def test_every_answer_reads_as_itself_in_each_of_its_formats(answer: type[Answer]) -> None:
    parser, example = AnswerParser(answer=answer), answer.example()
    for form in parser.formats:
        written = parser.write(example.model_dump_json(), form)
        reading = parser.read(written, form=form)
        assert (reading.value, reading.mends) == (example, ()), form
        assert parser.get_format_instructions(form).endswith(f"\n{written}")


def test_which_formats_an_answer_has() -> None:
    assert SAY.formats == ("json", "lines", "text")
    assert DECOMPOSE.formats == ("json", "lines")
    assert conclude_talk.STEP.parser.formats == ("json",), "it has lists inside of lists"


@pytest.mark.parametrize(
    ("reply", "text", "ends"),
    [
        ("Hello, Ben.", "Hello, Ben.", False),
        ("Bye, Ben.\nends: yes", "Bye, Ben.", True),
        ("Bye, Ben.\n\nEnds: true", "Bye, Ben.", True),
        ('Ada: "Hello, Ben."', "Hello, Ben.", False),
        ("text: Hello, Ben.\nends: no", "Hello, Ben.", False),
        ("```\nHello.\nHow are you?\n```", "Hello. How are you?", False),
        ('{"text": "Hello, Ben.", "ends": true}', "Hello, Ben.", True),
        ("<think>Who is he?</think>Hello, Ben.", "Hello, Ben.", False),
    ],
)
def test_a_line_of_a_talk_as_plain_text(reply: str, text: str, ends: bool) -> None:
    read = SAY.read(reply, {"name": "Ada Brook"}, form="text").value
    assert read is not None
    assert (read.text, read.ends) == (text, ends)


@pytest.mark.parametrize(
    "reply",
    [
        "weighing flour | 20\nbaking bread | 40",
        "| activity | minutes |\n|---|---|\n| weighing flour | 20 |\n| baking bread | 40 minutes |",
        "Here are the steps:\n\n1. weighing flour - 20 minutes\n2. baking bread (40 min)\n\nDone!",
        "subtasks:\n- weighing flour | minutes: 20\n- baking bread: 40",
        "20 minutes: weighing flour\n40 minutes: baking bread",
        '[{"activity": "weighing flour", "minutes": 20}, {"task": "baking bread", "minutes": 40}]',
    ],
)
def test_steps_in_lines(reply: str) -> None:
    read = DECOMPOSE.read(reply, {"minutes": 60}, form="lines").value
    assert read is not None
    steps = [(each.activity, each.minutes) for each in read.subtasks]
    assert steps == [("weighing flour", 20), ("baking bread", 40)]


def test_lines_are_mended_and_refused_as_json_is() -> None:
    told = DECOMPOSE.read("weighing flour\nbaking bread", {"minutes": 60}, form="lines").problems
    assert told[0].message == (
        "`minutes` of item 1 of `subtasks` is missing. Write a whole number from 1 to 60."
    )
    asked = {"numbers": [3, 5]}
    assert [each.importance for each in RATE.read("3 | 8\n5 | 99", asked, form="lines").kept] == [8]
    reply = "reason: He waves.\nchoice: Talk\nperson: Ben Hollis\nminutes: none\nactivity: -"
    read = REACT.read(reply, {"choices": {"person": ["Ben Hollis"]}}, form="lines").value
    assert read is not None
    assert (read.choice, read.person, read.minutes) == ("talk", "Ben Hollis", None)


def test_an_empty_reply_and_a_cut_one_are_problems() -> None:
    assert "nothing of what was asked" in str(SAY.read(" ", form="text").problems[0])
    assert SAY.read("Hello, I", form="text", cut=True).problems[0].kind == "cut"


@settings(max_examples=30)
@given(data=st.data())
def test_no_hostile_text_raises(step: str, answers: Any, data: st.DataObject) -> None:
    parser = AnswerParser(answer=answers[step])
    form = data.draw(st.sampled_from(parser.formats))
    text = data.draw(hostile(parser.write(answers[step].example().model_dump_json(), form)))
    reading = parser.read(text, {"minutes": 60, "wake": 390}, form=form)
    assert (reading.value is None) == bool(reading.problems)
