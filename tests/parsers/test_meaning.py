"""What values of a reply mean: read where that is not in doubt, and else asked again."""

import json
import re
import string
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from smolville.parsers.answer import Answer, Shape
from smolville.parsers.answer_interview import InterviewAnswer
from smolville.parsers.conclude_talk import TalkConclusion
from smolville.parsers.decompose import Subtasks
from smolville.parsers.ground_block import Grounding
from smolville.parsers.plan_day import DayOutline
from smolville.parsers.plan_hours import HourlyPlan
from smolville.parsers.rate_importance import Ratings
from smolville.parsers.react import Reaction
from smolville.parsers.reader import AnswerParser, ParseResult
from smolville.parsers.reading.values import (
    find_number,
    named_choice,
    read_duration,
    read_listed,
    read_rating,
    rename_fields,
)
from smolville.parsers.reflect_questions import Questions
from smolville.parsers.say import Utterance


def read(
    answer: type[Answer], data: object, context: dict[str, Any] | None = None
) -> ParseResult[Any]:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return AnswerParser(answer=answer).read(text, context)


PLACES = {
    0: "elsewhere",
    1: "Oak Cottage: kitchen",
    2: "Oak Cottage: bedroom 2",
    3: "Rose Cottage: kitchen",
    4: "Johnson Park",
}
CHOICES = ("continue", "talk", "wait", "other")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7/10", 7), ("8 out of 10", 8), ("#4", 4), ("8.0", 8), ("5 (out of 10)", 5),
        ("8 (very important)", 8), ("8: a friend", 8), ("8 points", 8), ("about 6", 6), ("-3", -3),
        ("7/20", None), ("8 (or 9)", None), ("8.5", None), ("7-8", None), ("1. very", None),
        ("8 - two", None), ("8 not 9", None), ("", None), ("1e1", None), ("٧", None),
    ],
)  # fmt: skip
def test_a_rating_is_read_only_when_it_is_plain(text: str, number: int | None) -> None:
    assert read_rating(text, 10) == number


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("1h 30", 90), ("1h30m", 90), ("90 minutes", 90), ("1.5 hours", 90), ("an hour", 60),
        ("1 hour and 15 minutes", 75), ("2 hrs", 120), ("15", None), ("1:30", None),
        ("5-10 minutes", None), ("1h 90", None), ("1.5h 20", None), ("10 minutes each", None),
    ],
)  # fmt: skip
def test_a_duration_is_read_only_when_it_is_plain(text: str, minutes: int | None) -> None:
    assert read_duration(text) == minutes


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4", 4), ("#4", 4), ("place 4", 4), ("the johnson park", 4), ("4. Johnson Park", 4),
        ("Oak Cottage: kitchen", 1), ("1: kitchen", 1), ("Oak Cottage: kitchen: stove", 1),
        ("bedroom 2", 2), ("elsewhere", 0), ("JohnsonPark", 4), ("Oak Cottage > bedroom 2", 2),
        ("4 = Johnson Park", 4), ("1 = Oak Cottage", 1),
        ("kitchen", None), ("Oak Cottage", None), ("1. Johnson Park", None), ("4 (kitchen)", None),
        ("1 or 2", None), ("1. or 2", None), ("park", None), ("", None), ("bedroom 3", None),
    ],
)  # fmt: skip
def test_a_listed_place_is_found_when_it_is_unmistakable(text: str, number: int | None) -> None:
    assert find_number(text, PLACES) == number


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("Talk", "talk"), ('"talk".', "talk"), ("2. talk", "talk"), ("choice: talk", "talk"),
        ("talk (he is free)", "talk"), ("wait - he is busy", "wait"), ("the other", "other"),
        ("Con-tinue", "continue"), ("talk or wait", None), ("talk, then wait", None),
        ("talk? no", None), ("not talk", None), ("talk (not now)", None), ("talking", None),
        ("continue (no talking)", None), ("", None), ("mother", None), ("talk/wait", None),
    ],
)  # fmt: skip
def test_a_choice_is_taken_only_when_no_other_is_named(text: str, choice: str | None) -> None:
    assert named_choice(text, CHOICES, "choice") == choice


@pytest.mark.parametrize(
    ("fields", "taken"),
    [
        ({"Importance": 3}, 3), ({"score": 3}, 3), ({"score": 3, "rating": 3}, 3),
        ({"importence": 3}, None), ({"score": [1, 2]}, None),
    ],
)  # fmt: skip
def test_a_field_is_found_under_another_name(fields: dict[str, Any], taken: int | None) -> None:
    number = Shape(kind="number", name="importance", aliases=("score", "rating"))
    found = dict(fields)
    notes = rename_fields(Shape(kind="object", fields={"importance": number}), found, "")
    assert found.get("importance") == taken
    assert len(notes) == (taken is not None)


ALIKE = (
    "talk;talks;wait;waits;now;nows;later;other;the other;Ada Lund;Ida Lund;Ana Lund;will;"
    "bedroom 2;bedroom 3;not now;I can come;I can't come;Oak Cottage;Oak Cottages;power cut;"
    "powercut;Ödön"
)
NAMES = st.lists(
    st.sampled_from(ALIKE.split(";"))
    | st.text(string.ascii_letters + " -'", min_size=2, max_size=12),
    min_size=1,
    max_size=7,
    unique=True,
)
PHRASES = ["I would {}", "the {}", "{} (for now)", "choice: {}", "2. {}", "{}."]


@st.composite
def respelt(draw: st.DrawFn) -> tuple[list[str], str, str]:
    """Choices, one of them, and how it might be written by one of the rules."""
    names = draw(NAMES)
    name = draw(st.sampled_from(names))
    at = draw(st.integers(1, max(1, len(name) - 1)))
    letter = draw(st.sampled_from(string.ascii_lowercase))
    ways = [
        name.upper(),
        name.replace(" ", draw(st.sampled_from(["-", "_", "", "/", ", "]))),
        name[:at] + draw(st.sampled_from(["-", " ", "'", "."])) + name[at:],
        name[:at] + name[at + 1 :],
        name[:at] + letter + name[at:],
        draw(st.sampled_from(PHRASES)).format(name),
    ]
    return names, name, draw(st.sampled_from(ways))


def _joined(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


@given(respelt())
def test_a_respelt_choice_is_never_read_as_another_one(drawn: tuple[list[str], str, str]) -> None:
    names, name, text = drawn
    others = {_joined(each) for each in names if each != name}
    assume(not {_joined(text), _joined(text).removeprefix("the")} & others)
    assert named_choice(text, names, "choice") in (name, None)
    assume(read_listed(text) is None)
    assert find_number(text, dict(enumerate(names, 1))) in (names.index(name) + 1, None)


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("waitt", ["wait", "waits"]), ("power-cut", ["power cut", "powercut"]),
        ("I cant come", ["I can come"]), ("bedroom 12", ["bedroom 1 2"]),
    ],
)  # fmt: skip
def test_what_fits_two_or_says_the_opposite_stays_in_doubt(text: str, choices: list[str]) -> None:
    assert named_choice(text, choices, "choice") is None
    assert find_number(text, dict(enumerate(choices, 1))) is None


TASKS = {"places": {n: place for n, place in PLACES.items() if n}, "tasks": ["A", "B"]}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ('{"1": 2, "2": 0}', {"A": 2, "B": 0}),
        ('{"a": 2, "task_b": "elsewhere"}', {"A": 2, "B": 0}),
        ('{"A": 1, "B": "4 = Johnson Park"}', {"A": 1, "B": 4}),
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
        ('{"A": 1, "B": "Willow House"}', "B"),
        ('{"A": 1, "B": null}', "B"),
        ('{"A": -1, "B": 1}', "A"),
    ],
)
def test_a_place_in_doubt_is_asked_again_with_the_list(text: str, field: str) -> None:
    reading = read(Grounding, text, TASKS)
    assert reading.value is None
    assert [problem.field for problem in reading.problems] == [field]
    assert "(Oak Cottage: " in str(reading.problems[0])


QUESTIONS = ["What does Anna want?", "What does Ben want?", "What is Ada like?"]


@pytest.mark.parametrize(
    "data",
    [
        QUESTIONS, {"value": QUESTIONS}, {"answer": {"output": {"questions": QUESTIONS}}},
        {"questions": [f"{at}. {each}" for at, each in enumerate(QUESTIONS, 1)]},
    ],
)  # fmt: skip
def test_a_list_is_read_in_whatever_it_is_put(data: object) -> None:
    reading = read(Questions, data)
    assert reading.value is not None and reading.value.questions == QUESTIONS
    assert reading.mends


A = '{"text": "Hi.", "ends": false}'
B = '{"text": "Go away.", "ends": true}'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"<think>{A}</think>Hello there.", "no JSON object in it"),
        (f'<think>{A}</think>{{"text": 3, "ends": true}}', "`text`: got 3"),
        (f'{{"draft": {A}, "final": {B}}}', "two values"),
        ('<tool_call>{"name": "answer", "arguments": {"text": "Hi.", "en', "cut off"),
    ],
)
def test_a_wrapped_answer_in_doubt_is_asked_again(text: str, problem: str) -> None:
    reading = read(Utterance, text)
    assert reading.value is None
    assert problem in str(reading.problems[0])


@pytest.mark.parametrize("text", [f"<think>{B}</think>{A}", f"{A}\n{A}", f'{{"a": {A}, "b": {A}}}'])
def test_an_answer_that_is_said_twice_or_decided_on_is_no_doubt(text: str) -> None:
    assert read(Utterance, text).value == Utterance(text="Hi.", ends=False)


RATED = {"ratings": [{"number": 1, "importance": 3}, {"number": 2, "importance": 7}]}


@pytest.mark.parametrize(
    "text",
    [
        '{"1": 3, "2": 7}',
        '{"1": {"importance": 3}, "2": {"importance": 7}}',
        '{"number": 1, "importance": 3}\n{"number": 2, "importance": 7}',
        json.dumps(RATED["ratings"]),
        json.dumps({"ratings": [*RATED["ratings"], {"number": 9, "importance": 1}]}),
    ],
)
def test_ratings_are_read_as_a_map_in_a_row_and_beyond_what_was_asked(text: str) -> None:
    reading = read(Ratings, text, {"numbers": [1, 2]})
    assert reading.value == Ratings.model_validate(RATED) and reading.mends


@pytest.mark.parametrize("numbers", [(0, 1), (1, 1), (1, 3)])
def test_ratings_of_other_numbers_are_asked_again(numbers: tuple[int, int]) -> None:
    items = [{"number": number, "importance": at + 2} for at, number in enumerate(numbers)]
    reading = read(Ratings, {"ratings": items}, {"numbers": [1, 2]})
    assert reading.value is None
    assert [each.number for each in reading.kept] == ([1] if numbers == (1, 3) else [])


def test_two_ratings_of_one_memory_are_asked_again_unless_they_are_the_same() -> None:
    again = {"number": 1, "importance": 3, "why": "dull"}
    reading = read(Ratings, {"ratings": [*RATED["ratings"], again]}, {"numbers": [1, 2]})
    assert reading.value is not None and reading.mends
    other = {"number": 1, "importance": 8}
    reading = read(Ratings, {"ratings": [*RATED["ratings"], other]}, {"numbers": [1, 2]})
    assert reading.value is None
    assert [each.kind for each in reading.problems] == ["duplicate"]
    assert [each.number for each in reading.kept] == [2]


def steps(*minutes: int, last: str = "wiping the table") -> dict[str, Any]:
    names = ["washing up", "kneading dough", "baking loaves", "resting"][: len(minutes) - 1]
    named = zip([*names, last], minutes, strict=True)
    return {"subtasks": [{"activity": name, "minutes": each} for name, each in named]}


@pytest.mark.parametrize(
    ("data", "block", "read_as"),
    [
        (steps(30, 75, 90), 90, [30, 45, 15]), (steps(10, 20, 30), 90, [15, 30, 45]),
        (steps(30, 60, 90, last="Total"), 90, [30, 60]),
        (steps(60, 60, 60, 180, last="Total: 180 minutes"), 180, [60, 60, 60]),
        (steps(20, 40, 30, last="totalling the till"), 90, [20, 40, 30]),
    ],
)  # fmt: skip
def test_a_total_is_no_step_and_running_totals_are_no_lengths(
    data: dict[str, Any], block: int, read_as: list[int]
) -> None:
    reading = read(Subtasks, data, {"minutes": block})
    assert reading.value is not None, reading.problems
    assert [each.minutes for each in reading.value.subtasks] == read_as
    was_left_as_it_is = read_as in ([15, 30, 45], [20, 40, 30])
    assert any("total" in mend for mend in reading.mends) is not was_left_as_it_is


def test_a_total_that_does_not_fit_is_asked_again() -> None:
    reading = read(Subtasks, steps(30, 50, 70, last="Total"), {"minutes": 90})
    assert reading.value is None
    assert "got 'Total', which is no step. Leave it out." in str(reading.problems[0])


DAY = {
    **{"wake": "06:30", "go_to": [], "dated": [], "morning": "baking"},
    **{"afternoon": "reading", "evening": "rest"},
}
TALK = {
    **{"summary": "They talked.", "keep": [], "agreements": []},
    **{"in_confidence": [], "feeling": "calm"},
}


@pytest.mark.parametrize("dots", ["...", "…", "[...]"])
@pytest.mark.parametrize(
    ("answer", "data", "field"),
    [
        (Utterance, {"text": "X", "ends": False}, "text"),
        (HourlyPlan, {"A": ["X", "reading a novel"]}, "A.0"),
        (InterviewAnswer, {"answer": "X"}, "answer"),
        (Subtasks, steps(30, 60, last="X"), "subtasks.1.activity"),
    ],
)
def test_an_ellipsis_says_nothing(
    answer: type[Answer], data: dict[str, Any], field: str, dots: str
) -> None:
    reading = read(answer, json.dumps(data, ensure_ascii=False).replace('"X"', f'"{dots}"'))
    assert reading.value is None
    assert [each.field for each in reading.problems] == [field]
    assert "says nothing" in str(reading.problems[0])


@pytest.mark.parametrize(
    ("answer", "data", "field"),
    [(DayOutline, DAY, "go_to"), (TalkConclusion, TALK, "keep")],
)
@pytest.mark.parametrize("said", [[1], "None", None, 2])
def test_a_number_of_an_empty_list_is_left_out(
    answer: type[Answer], data: dict[str, Any], field: str, said: object
) -> None:
    offered: dict[str, Any] = {"choices": {f"{field}[]": []}, "numbers": [], "promises": {}}
    reading = read(answer, data | {field: said}, offered)
    assert reading.value is not None and getattr(reading.value, field) == []
    assert bool(reading.mends) is (said is not None)
    absent = read(answer, {name: each for name, each in data.items() if name != field}, offered)
    assert absent.value == reading.value and not absent.mends
    assert field not in answer.call_schema(offered["choices"])["required"]


def test_nobody_is_named_where_nobody_is_there() -> None:
    said = {"reason": "so", "choice": "continue", "person": "Ida Lund"}
    reading = read(Reaction, said, {"names": []})
    assert reading.value is not None and reading.value.person is None and reading.mends
    talk = read(Reaction, said | {"choice": "talk"}, {"names": []})
    assert talk.value is None and "Nobody is there" in str(talk.problems[0])


@pytest.mark.parametrize(
    ("said", "spoken"),
    [
        ("*smiles* Good to see you!", "Good to see you!"),
        ("Well (laughs quietly), come in.", "Well, come in."),
        ("Rosa Marin (you): Come in.", "Come in."),
        ('Rosa Marin said, "Come in, Ben."', "Come in, Ben."),
        ("“Come in, Ben,” Rosa says.", "Come in, Ben."),
        ("I baked all morning. " * 20, " ".join(["I baked all morning."] * 11)),
    ],
)
def test_only_words_that_are_spoken_are_kept(said: str, spoken: str) -> None:
    reading = read(Utterance, {"text": said, "ends": False}, {"name": "Rosa Marin"})
    assert reading.value is not None and reading.value.text == spoken
    assert reading.mends


def test_a_sentence_without_an_end_is_asked_again() -> None:
    reading = read(Utterance, {"text": "and so on " * 40, "ends": False})
    assert reading.value is None and [each.kind for each in reading.problems] == ["length"]
