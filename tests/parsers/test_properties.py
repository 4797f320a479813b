"""What holds for every answer and for every text."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from parsers.answer import Answer, shape_of
from parsers.clock import clock_text
from parsers.problem import Unreadable
from parsers.reader import AnswerParser
from parsers.shape import Shape

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
RAW_WORDS = (
    "input should",
    "validation error",
    "jsondecode",
    "extra data",
    "pydantic",
    "traceback",
)
JUNK = st.text(
    st.sampled_from(list("{}[]\",:'`\\/ \n0123456789.-truefalsn“”‘’<>#😀\ud800")), max_size=60
)


def values(shape: Shape) -> st.SearchStrategy[Any]:
    """JSON values of a shape."""
    plain = _plain(shape)
    return st.none() | plain if shape.nullable else plain


def _plain(shape: Shape) -> st.SearchStrategy[Any]:
    """JSON values of a shape other than null."""
    least, most = shape.least or 0, shape.most
    match shape.kind:
        case "object":
            return st.fixed_dictionaries({k: values(v) for k, v in shape.fields.items()})
        case "list":
            assert shape.item is not None
            return st.lists(values(shape.item), min_size=least, max_size=most)
        case "clock":
            assert most is not None
            return st.integers(least, most).map(clock_text)
        case "choice":
            return st.sampled_from(shape.fixed)
        case "truth":
            return st.booleans()
        case "number":
            return st.integers(least, 1000 if most is None else most)
    texts = TEXT | st.just('"' + "say hello " * 3 + '"')
    if shape.name.endswith("emoji"):
        return st.sampled_from(["🍳", "🏊‍♀️", "👍🏽🎉", "🇩🇪", "1️⃣☕"])
    return texts.map(lambda text: text[:most].ljust(least, "z"))


def settled(data: dict[str, Any]) -> dict[str, Any]:
    """The data with its lists in the order, and with the one item for each key, that they need."""
    for field, items in data.items():
        if isinstance(items, list) and items and isinstance(items[0], dict):
            for key in {"start", "number", "task"} & items[0].keys():
                items = list({item[key]: item for item in items}.values())
                items.sort(key=lambda item: item[key])
            data = data | {field: items}
    return data


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_answer_reads_as_itself(step: str, answers: Any, data: st.DataObject) -> None:
    answer: type[Answer] = answers[step]
    drawn = settled(data.draw(values(shape_of(answer))))
    if step == "plan_day":
        drawn["wake"] = "04:00"
        drawn["strokes"] = [s for s in drawn["strokes"] if s["start"] > "04:00"]
    try:
        value = answer.model_validate(drawn)
    except ValidationError:
        assume(False)
    reading = AnswerParser(answer=answer).read(value.model_dump_json())
    assert reading.value == value
    assert AnswerParser(answer=answer).parse(value.model_dump_json(indent=2)) == value


@settings(max_examples=120, deadline=None)
@given(text=st.text(max_size=80) | JUNK, cut=st.booleans())
def test_no_text_raises_and_every_refusal_says_why(
    step: str, answers: Any, text: str, cut: bool
) -> None:
    parser = AnswerParser(answer=answers[step])
    reading = parser.read(text, {"choices": {}, "minutes": 60, "wake": 420}, cut=cut)
    assert (reading.value is None) == bool(reading.problems)
    for problem in reading.problems:
        assert_plain(problem.message)
    try:
        parser.parse(text)
    except Unreadable as error:
        assert error.problems


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_a_broken_answer_never_raises(step: str, answers: Any, data: st.DataObject) -> None:
    text = answers[step].example().model_dump_json()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    broken = text[:start] + data.draw(JUNK) + text[end:]
    for problem in AnswerParser(answer=answers[step]).read(broken).problems:
        assert_plain(problem.message)


def test_an_answer_cut_anywhere_is_never_accepted(answer: type[Answer]) -> None:
    text = answer.example().model_dump_json()
    whole = answer.example().model_dump()
    for end in range(len(text)):
        reading = AnswerParser(answer=answer).read(text[:end])
        assert reading.value is None or _says_no_other(reading.value.model_dump(), whole)


def _says_no_other(part: Any, whole: Any) -> bool:
    """Whether every value of an answer that was closed for the model is one that it wrote."""
    if isinstance(whole, dict) and part is not None:
        return all(_says_no_other(part[name], whole[name]) for name in whole)
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
    [
        "[" * 5000,
        '{"a":' * 5000,
        "9" * 6000,
        '{"text": ' + "9" * 6000 + "}",
        "{'" * 9000,
        '"' * 9999,
    ],
)
def test_an_endless_text_is_refused(text: str, answers: Any) -> None:
    assert AnswerParser(answer=answers["say"]).read(text).value is None
