"""Replies that parse, but do not mean what their values seem to say; and respelt choices."""

import json
import re
import string
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from smolville.parsers.answer import Answer
from smolville.parsers.answer_interview import InterviewAnswer
from smolville.parsers.conclude_talk import TalkConclusion
from smolville.parsers.decompose import Subtasks
from smolville.parsers.plan_day import DayOutline
from smolville.parsers.plan_hours import HourlyPlan
from smolville.parsers.rate_importance import Ratings
from smolville.parsers.react import Reaction
from smolville.parsers.reader import AnswerParser, ParseResult
from smolville.parsers.reading.naming import find_number
from smolville.parsers.reading.scalars import named_choice, read_listed
from smolville.parsers.reflect_questions import Questions
from smolville.parsers.say import Utterance


def read(
    answer: type[Answer], data: object, context: dict[str, Any] | None = None
) -> ParseResult[Any]:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return AnswerParser(answer=answer).read(text, context)


def steps(*minutes: int, last: str = "wiping the table") -> dict[str, Any]:
    names = ["washing up", "kneading dough", "baking loaves", "resting"][: len(minutes) - 1]
    named = zip([*names, last], minutes, strict=True)
    return {"subtasks": [{"activity": name, "minutes": each} for name, each in named]}


@pytest.mark.parametrize(
    ("data", "block", "read_as"),
    [
        (steps(30, 75, 90), 90, [30, 45, 15]), (steps(10, 20, 30), 90, [15, 30, 45]),
        (steps(30, 60, 60), 60, [10, 25, 25]), (steps(30, 60, 90, last="Total"), 90, [30, 60]),
        (steps(60, 60, 60, 180, last="Total: 180 minutes"), 180, [60, 60, 60]),
        (steps(30, 60, 90, 90, last="Total time (1h 30m)"), 90, [30, 30, 30]),
        (steps(20, 40, 30, last="totalling the till"), 90, [20, 40, 30]),
    ],
)  # fmt: skip
def test_a_total_is_no_step_and_running_totals_are_no_lengths(
    data: dict[str, Any], block: int, read_as: list[int]
) -> None:
    reading = read(Subtasks, data, {"minutes": block})
    assert reading.value is not None, reading.problems
    assert [each.minutes for each in reading.value.subtasks] == read_as
    was_left_as_it_is = read_as in ([15, 30, 45], [10, 25, 25], [20, 40, 30])
    assert any("total" in mend for mend in reading.mends) is not was_left_as_it_is


def test_a_total_that_does_not_fit_is_asked_again() -> None:
    reading = read(Subtasks, steps(30, 50, 70, last="Total"), {"minutes": 90})
    assert reading.value is None
    assert "got 'Total', which is no step. Leave it out." in str(reading.problems[0])


@given(st.lists(st.integers(5, 60), min_size=2, max_size=4))
def test_running_totals_mean_the_lengths_they_are_sums_of(lengths: list[int]) -> None:
    ends = [sum(lengths[: at + 1]) for at in range(len(lengths))]
    reading = read(Subtasks, steps(*ends), {"minutes": sum(lengths)})
    assert reading.value is not None
    assert [each.minutes for each in reading.value.subtasks] == lengths


RATED = {"ratings": [{"number": 1, "importance": 3}, {"number": 2, "importance": 7}]}


def test_two_ratings_of_one_memory_are_asked_again_unless_they_are_the_same() -> None:
    again = {"number": 1, "importance": 3, "why": "dull"}
    reading = read(Ratings, {"ratings": [*RATED["ratings"], again]}, {"numbers": [1, 2]})
    assert reading.value is not None and reading.mends
    other = {"number": 1, "importance": 8}
    reading = read(Ratings, {"ratings": [*RATED["ratings"], other]}, {"numbers": [1, 2]})
    assert reading.value is None
    assert [each.kind for each in reading.problems] == ["duplicate"]
    assert [each.number for each in reading.kept] == [2]


DAY = {
    **{"wake": "06:30", "go_to": [], "dated": [], "morning": "baking"},
    **{"afternoon": "reading", "evening": "rest"},
}


@pytest.mark.parametrize("dots", ["...", "…", "[...]", "….."])
@pytest.mark.parametrize(
    ("answer", "data", "field"),
    [
        (Utterance, {"text": "X", "ends": False}, "text"),
        (DayOutline, DAY | {"morning": "X"}, "morning"),
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


def test_an_ellipsis_at_the_end_of_a_list_of_texts_or_numbers_is_left_out() -> None:
    plan = read(HourlyPlan, {"A": ["reading a novel", "…"]})
    assert plan.value is not None and plan.value.A == ["reading a novel"] and plan.mends
    kept = TALK | {"keep": [2, "..."]}
    talk = read(TalkConclusion, kept, {"numbers": [1, 2]})
    assert talk.value is not None and talk.value.keep == [2] and talk.mends
    assert read(TalkConclusion, TALK | {"keep": [1, "...", 3]}).value is None
    assert read(Subtasks, {"subtasks": [*steps(30, 30)["subtasks"], "..."]}).value is None


TALK = {
    **{"summary": "They talked.", "keep": [], "agreements": []},
    **{"in_confidence": [], "feeling": "calm"},
}


@pytest.mark.parametrize(
    ("answer", "data", "field"),
    [(DayOutline, DAY, "go_to"), (TalkConclusion, TALK, "keep")],
)
@pytest.mark.parametrize("said", [[1], ["promise 1"], "None", None, 2, [1, 2]])
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


TALKERS = {"name": "Rosa Marin", "others": ["Ben Hollis"]}


@pytest.mark.parametrize(
    "text",
    ['Rosa Marin said, "Come in, Ben."', "Rosa says: Come in, Ben.", "“Come in, Ben,” Rosa says."],
)
def test_ones_own_words_are_taken_out_of_a_script_or_story(text: str) -> None:
    reading = read(Utterance, {"text": text, "ends": False}, TALKERS)
    assert reading.value is not None and reading.value.text == "Come in, Ben."
    assert reading.mends


@pytest.mark.parametrize("text", ["Ben: Good day, Rosa.", 'Ben says: "Good day, Rosa."'])
def test_a_name_in_anothers_turn_stays(text: str) -> None:
    reading = read(Utterance, {"text": text, "ends": False}, TALKERS)
    assert reading.value is not None and reading.value.text == text


QUESTIONS = ["What does Anna want?", "What does Ben want?", "What is Ada like?"]
NUMBERED = "\n".join(f"{at}. {each}" for at, each in enumerate(QUESTIONS, 1))


@pytest.mark.parametrize(
    "data",
    [
        QUESTIONS, NUMBERED, {"questions": NUMBERED}, {"questions": NUMBERED.split("\n")},
        {"questions": {"value": QUESTIONS}}, {"value": QUESTIONS},
        {"questions": [{"question": each} for each in QUESTIONS]},
        {"questions": [*QUESTIONS, "..."]},
    ],
)  # fmt: skip
def test_a_list_is_read_in_whatever_it_is_put(data: object) -> None:
    reading = read(Questions, data)
    assert reading.value is not None and reading.value.questions == QUESTIONS
    assert reading.mends


@pytest.mark.parametrize("opening", ["", "My plan:\n"])
def test_numbered_lines_fill_the_only_gap_that_was_asked(opening: str) -> None:
    lines = f"{opening}1. reading a novel\n2. walking home"
    reading = read(HourlyPlan, lines, {"letters": {"C": 2}})
    assert reading.value is not None and reading.value.C == ["reading a novel", "walking home"]
    assert read(HourlyPlan, lines, {"letters": {"A": 2, "B": 2}}).value is None
    assert read(HourlyPlan, lines.replace("2.", "3."), {"letters": {"C": 2}}).value is None


@pytest.mark.parametrize(
    ("said", "importance"),
    [
        ("7/10", 7), ("importance: 7", 7), ({"value": 7}, 7), ({"importance": "7 points"}, 7),
        ({"minutes": 7}, None), ({"value": [7, 8]}, None), ("memory 7", None), ("7/8", None),
    ],
)  # fmt: skip
def test_a_number_may_have_its_scale_its_field_or_a_wrapper(
    said: object, importance: int | None
) -> None:
    reading = read(Ratings, {"ratings": [{"number": "memory 1", "importance": said}]})
    assert (reading.value and reading.value.ratings[0].importance) == importance


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
PHRASES = ["I would {}", "my choice is {}", "the {}", "{} (for now)", "choice: {}", "2. {}", "{}."]


@st.composite
def respelt(draw: st.DrawFn) -> tuple[list[str], str, str]:
    """Choices, one of them, and how it might be written by one of the rules."""
    names = draw(NAMES)
    name = draw(st.sampled_from(names))
    at = draw(st.integers(1, max(1, len(name) - 1)))
    letter = draw(st.sampled_from(string.ascii_lowercase))
    ways = [
        name.upper(),
        name.title(),
        name.replace(" ", draw(st.sampled_from(["-", "_", "", "/", ", "]))),
        name[:at] + draw(st.sampled_from(["-", " ", "'", "."])) + name[at:],
        name[:at] + name[at + 1 :],
        name[:at] + letter + name[at:],
        name[:at] + letter + name[at + 1 :] if name[at : at + 1].isalpha() else name,
        name[:at] + name[at : at + 2][::-1] + name[at + 2 :],
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
    labels = dict(enumerate(names, 1))
    assert find_number(text, labels) in (names.index(name) + 1, None)


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("waitt", ["wait", "waits"]), ("power-cut", ["power cut", "powercut"]),
        ("I will talk", ["talk", "will"]), ("I cant come", ["I can come"]),
        ("bedroom 2", ["bedroom 3"]), ("bedroom 12", ["bedroom 1 2"]),
    ],
)  # fmt: skip
def test_what_fits_two_or_says_the_opposite_stays_in_doubt(text: str, choices: list[str]) -> None:
    assert named_choice(text, choices, "choice") is None
    assert find_number(text, dict(enumerate(choices, 1))) is None
