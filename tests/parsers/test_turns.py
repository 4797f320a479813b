"""A reply ends with its own turn: what a model invents for the next one is never its answer."""

import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from smolville.parsers.answer import Answer, shape_of
from smolville.parsers.reader import AnswerParser, ParseResult
from smolville.parsers.say import Utterance
from tests.fixtures.respelling import TALK, settled, values
from tests.fixtures.role_markers import GOES_ON, OPENS, SPEAKERS

X = Utterance(text="Good morning.", ends=False)
Y = Utterance(text="I am invented!", ends=True)
WORDS = TALK.map(lambda text: f"I {text}")
"""Texts full of marks, none of them blank."""
OWN, INVENTED = X.model_dump_json(), Y.model_dump_json()


def read(text: str) -> ParseResult[Utterance]:
    """What is read of a reply of the step `say`."""
    return AnswerParser(answer=Utterance).read(text)


def drawn(answer: type[Answer], data: st.DataObject) -> Answer:
    """A valid answer, with texts full of marks."""
    try:
        return answer.model_validate(settled(data.draw(values(shape_of(answer), WORDS))))
    except ValidationError:
        assume(False)
        raise


STEPS = ("say", "decompose", "plan_hours")


@settings(max_examples=20, deadline=None)
@given(data=st.data(), step=st.sampled_from(STEPS), way=st.sampled_from(sorted(GOES_ON)))
def test_the_answer_before_a_role_marker_is_read_and_none_after_it(
    answers: Any, data: st.DataObject, step: str, way: str
) -> None:
    own, invented = drawn(answers[step], data), drawn(answers[step], data)
    reply = own.model_dump_json() + GOES_ON[way] + invented.model_dump_json()
    assert AnswerParser(answer=answers[step]).read(reply).value == own


@settings(max_examples=20, deadline=None)
@given(data=st.data(), step=st.sampled_from(STEPS), way=st.sampled_from(sorted(SPEAKERS)))
def test_an_answer_after_a_speakers_name_is_the_same_or_refused(
    answers: Any, data: st.DataObject, step: str, way: str
) -> None:
    own, other = drawn(answers[step], data), drawn(answers[step], data)
    reply = own.model_dump_json() + SPEAKERS[way] + other.model_dump_json()
    assert AnswerParser(answer=answers[step]).read(reply).value == (own if own == other else None)


@settings(max_examples=20, deadline=None)
@given(
    data=st.data(), step=st.sampled_from(STEPS), between=st.sampled_from(sorted(GOES_ON.values()))
)
def test_an_answer_that_a_marker_cuts_is_never_finished_by_another(
    answers: Any, data: st.DataObject, step: str, between: str
) -> None:
    text = answers[step].example().model_dump_json()
    invented = drawn(answers[step], data).model_dump_json()
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    parser = AnswerParser(answer=answers[step])
    reading = parser.read(cut + between + invented)
    assert reading.value in (None, parser.read(cut).value, parser.read(cut + "\n").value)


@pytest.mark.parametrize("way", sorted(OPENS))
def test_a_marker_before_the_answer_is_passed_over(answer: type[Answer], way: str) -> None:
    reading = AnswerParser(answer=answer).read(OPENS[way] + answer.example().model_dump_json())
    assert reading.value == answer.example()
    assert reading.mends, "it is not clean"


@pytest.mark.parametrize("between", [*GOES_ON.values(), *SPEAKERS.values()])
@pytest.mark.parametrize("own", ['{"text": 3, "ends": false}', '{"text": [}', "{'text': 'Hello th"])
def test_an_answer_that_is_wrong_is_not_replaced_by_the_next_one(own: str, between: str) -> None:
    assert read(own + between + INVENTED).value is None


@pytest.mark.parametrize("between", [*GOES_ON.values(), *SPEAKERS.values()])
def test_the_same_answer_twice_is_that_answer(between: str) -> None:
    assert read(OWN + between + OWN).value == X


@pytest.mark.parametrize("marker", ["<|im_end|>", "[INST]", "</s>", "\\nUser: hi\\nAssistant: {"])
def test_a_marker_within_a_text_is_text(marker: str) -> None:
    text = f"He wrote {marker} on it."
    reading = read(f'{{"text": "{text}", "ends": false}}')
    assert reading.value == Utterance(text=json.loads(f'"{text}"'), ends=False)
    assert reading.mends == ()
    assert read(f'{{"text": "{text}", "ends": false}}<|im_end|>{INVENTED}').value == reading.value


@pytest.mark.parametrize("chatter", ["\nActually, here's a better one: ", "\nFinal answer: ", " "])
def test_of_answers_that_differ_none_is_taken(chatter: str) -> None:
    reading = read(OWN + chatter + INVENTED)
    assert reading.value is None and [each.kind for each in reading.problems] == ["duplicate"]


def test_markers_within_a_thought_are_thoughts() -> None:
    thought = "<think>\nUser: hi<|im_end|>\nAssistant: " + INVENTED + "</think>\n"
    assert read(thought + OWN).value == X
    assert read("It says\nUser: hi\n" + INVENTED + "</think>" + OWN).value == X
    assert read(thought + OWN + "<|im_end|>\n<|im_start|>user\n" + INVENTED).value == X


def test_an_answer_within_the_question_or_a_thought_is_not_the_models_own() -> None:
    assert read(f"<|im_start|>user\nAs {INVENTED}<|im_end|>\n<|im_start|>assistant\n").value is None
    assert read(f"User: {INVENTED}\nAssistant: {OWN}").value == X
    reading = read(f"<think>Maybe {OWN}</think>")
    assert reading.value is None and "only thoughts" in str(reading.problems[0])
