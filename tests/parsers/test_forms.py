"""Answers in other forms than the one asked for: read where their meaning is not in doubt."""

from typing import Any

import pytest

from smolville.parsers.answer import Answer
from smolville.parsers.ground_block import Grounding
from smolville.parsers.rate_importance import Ratings
from smolville.parsers.react import Reaction
from smolville.parsers.reader import AnswerParser, ParseResult
from smolville.parsers.reflect_insights import Insights
from smolville.parsers.say import Utterance

ASKED = {"numbers": [1, 2, 3]}


def read(
    answer: type[Answer], text: str, context: dict[str, Any] | None = None
) -> ParseResult[Any]:
    """What the reply says."""
    return AnswerParser(answer=answer).read(text, context)


@pytest.mark.parametrize("text", ["[3, 7, 1]", '["3", "7", 1]'])
def test_a_bare_list_answers_the_numbers_asked(text: str) -> None:
    reading = read(Ratings, text, ASKED)
    assert reading.value is not None and reading.mends
    found = {each.number: each.importance for each in reading.value.ratings}
    assert found == {1: 3, 2: 7, 3: 1}


@pytest.mark.parametrize(
    "text",
    [
        "[3, 7]", "[3, 7, 1, 1]", "[1, 2, 3]", "[3, 7, true]", "[3, 7, [1]]",
        "[[1, 3], [2, 7], [3, 1]]", "I rate MEMORIES [1, 2, 3] so: [3, 7, 1]",
    ],
)  # fmt: skip
def test_a_list_in_doubt_is_asked_again(text: str) -> None:
    assert read(Ratings, text, ASKED).value is None


def test_a_bare_list_of_items_with_several_fields_says_nothing() -> None:
    assert read(Insights, "[3, 7, 1]", {"memories": [1, 2, 3]}).value is None


PLACES = {
    1: "Oak Cottage: bathroom",
    2: "Oak Cottage: bedroom",
    3: "Willow Park: pond walk",
    4: "Oak Cottage: kitchen",
}
TASKS = {"places": PLACES, "tasks": ["A", "B"]}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("[1, 3]", {"A": 1, "B": 3}),
        ('["bathroom", "the kitchen"]', {"A": 1, "B": 4}),
        ('[{"A": 1}, {"B": 0}]', {"A": 1, "B": 0}),
        ('{"tasks": [{"task": "B", "place": 2}, {"task": "A", "place": 1}]}', {"A": 1, "B": 2}),
        ('{"1": 2, "2": 0}', {"A": 2, "B": 0}),
        ('{"a": 2, "task_b": "elsewhere"}', {"A": 2, "B": 0}),
        ('{"A": {"place": 2}, "B": "B2"}', {"A": 2, "B": 2}),
        ('{"A": "2 = Oak Cottage: bedroom", "B": "3. the pond walk"}', {"A": 2, "B": 3}),
        ('{"A": 1, "B": "4 = Oak Cottage: kitchen (your home)"}', {"A": 1, "B": 4}),
        ('{"A": 1, "B": 2, "C": 1}', {"A": 1, "B": 2}),
    ],
)
def test_a_place_is_read_however_it_is_told(text: str, numbers: dict[str, int]) -> None:
    reading = read(Grounding, text, TASKS)
    assert reading.value is not None, reading.problems
    assert (reading.value.model_dump(), bool(reading.mends)) == (numbers, True)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('{"A": 7, "B": 1}', "A"),
        ('{"A": "Oak Cottage", "B": 1}', "A"),
        ('{"A": "kitchen or bedroom", "B": 1}', "A"),
        ('{"A": 1, "B": "Willow House"}', "B"),
        ('{"A": 1, "B": null}', "B"),
        ('{"A": 1}', "B"),
        ('{"A": -1, "B": 1}', "A"),
    ],
)
def test_a_place_in_doubt_is_asked_again_with_the_list(text: str, field: str) -> None:
    reading = read(Grounding, text, TASKS)
    assert reading.value is None
    assert [problem.field for problem in reading.problems] == [field]
    assert "(Oak Cottage: " in str(reading.problems[0])


def test_a_choice_that_stands_in_the_reply_is_offered_first() -> None:
    choices = {"choices": {"choice": ["continue", "wait", "other", "talk"]}}
    reading = read(Reaction, '{"reason": "so", "choice": "talk to Ida Lund"}', choices)
    (problem, *_) = [each for each in reading.problems if each.field == "choice"]
    assert "Write one of: 'talk', " in problem.message


A = '{"text": "Hi.", "ends": false}'
B = '{"text": "Go away.", "ends": true}'
ESCAPED = A.replace('"', '\\"')


def called(text: str) -> str:
    """The call of a tool with this answer."""
    return f'{{"name": "answer", "arguments": {text}}}'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"<think>{A} or {B}</think>", "several JSON objects in it that differ"),
        (f"<think>{A}\n\n{B}", "several JSON objects in it that differ"),
        (f"<think>Maybe {A}</think>", "only thoughts"),
        (f"<think>{A} Wait, that is rude.</think>", "only thoughts"),
        ('<think>{"text": "Hi', "only thoughts"),
        (f"<think>{A}</think>Hello there.", "no JSON object in it"),
        (f'<think>{A}</think>{{"text": 3, "ends": true}}', "`text`: got 3"),
        (f"[TOOL_CALLS][{called(A)}, {called(B)}]", "two values"),
        (f'{{"draft": {A}, "final": {B}}}', "two values"),
        ('<tool_call>{"name": "answer", "arguments": {"text": "Hi.", "en', "cut off"),
        (ESCAPED[:16], "cut off"),
        ('{\\"text\\": \\"He said "hi"\\", \\"ends\\": false}', "quotation mark"),
    ],
)
def test_a_wrapped_answer_in_doubt_is_asked_again(text: str, problem: str) -> None:
    reading = read(Utterance, text)
    assert reading.value is None
    assert problem in str(reading.problems[0])


@pytest.mark.parametrize(
    "text", [A, f"<think>{A}\n{A}</think>", f"<think>{B}</think>{A}", f"[{called(A)}, {called(A)}]"]
)
def test_an_answer_that_is_said_twice_or_decided_on_is_no_doubt(text: str) -> None:
    assert read(Utterance, text).value == Utterance(text="Hi.", ends=False)


@pytest.mark.parametrize("mark", ["“好”，然后：", "＂好＂、｛｝", "a\u200b\u200db"])
def test_full_width_and_invisible_characters_stay_in_texts(mark: str) -> None:
    reading = read(Utterance, f'{{"text"："他说{mark}走。"，"ends"：false}}')
    assert reading.value == Utterance(text=f"他说{mark}走。", ends=False)
    assert reading.mends == ("mended its syntax",)
