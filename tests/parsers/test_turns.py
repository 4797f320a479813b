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
ON_LINES = [*GOES_ON.values(), *(text for text in SPEAKERS.values() if text[0] == "\n")]
"""All but a name on the same line, which after a bracket reads as the name of a field."""
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


@settings(max_examples=15, deadline=None)
@given(data=st.data(), way=st.sampled_from(sorted(GOES_ON)))
def test_the_answer_before_a_role_marker_is_read_and_none_after_it(
    step: str, answers: Any, data: st.DataObject, way: str
) -> None:
    own, invented = drawn(answers[step], data), drawn(answers[step], data)
    reply = own.model_dump_json() + GOES_ON[way] + invented.model_dump_json()
    assert AnswerParser(answer=answers[step]).read(reply).value == own


@settings(max_examples=15, deadline=None)
@given(data=st.data(), way=st.sampled_from(sorted(SPEAKERS)))
def test_an_answer_after_a_speakers_name_is_the_same_or_refused(
    step: str, answers: Any, data: st.DataObject, way: str
) -> None:
    own, other = drawn(answers[step], data), drawn(answers[step], data)
    reply = own.model_dump_json() + SPEAKERS[way] + other.model_dump_json()
    assert AnswerParser(answer=answers[step]).read(reply).value == (own if own == other else None)


@settings(max_examples=15, deadline=None)
@given(data=st.data(), between=st.sampled_from(ON_LINES), python=st.booleans())
def test_an_answer_that_a_marker_cuts_is_never_finished_by_another(
    step: str, answers: Any, data: st.DataObject, between: str, python: bool
) -> None:
    whole, invented = answers[step].example(), drawn(answers[step], data)
    text = repr(whole.model_dump(mode="json")) if python else whole.model_dump_json()
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    written = repr(invented.model_dump(mode="json")) if python else invented.model_dump_json()
    parser = AnswerParser(answer=answers[step])
    reading = parser.read(cut + between + written)
    assert reading.value in (None, parser.read(cut).value, parser.read(cut + "\n").value)


@pytest.mark.parametrize("way", sorted(OPENS))
def test_a_marker_before_the_answer_is_passed_over(answer: type[Answer], way: str) -> None:
    reading = AnswerParser(answer=answer).read(OPENS[way] + answer.example().model_dump_json())
    assert reading.value == answer.example()
    assert reading.mends, "it is not clean"


@pytest.mark.parametrize("between", [*GOES_ON.values(), *SPEAKERS.values()])
@pytest.mark.parametrize(
    "own", ['{"text": 3, "ends": false}', '{"mood": "glad"}', '{"text": [}', "{'text': 'Hello th"]
)
def test_an_answer_that_is_wrong_is_not_replaced_by_the_next_one(own: str, between: str) -> None:
    assert read(own + between + INVENTED).value is None


@pytest.mark.parametrize("between", GOES_ON.values())
def test_words_without_an_answer_are_not_replaced_by_the_next_one(between: str) -> None:
    reading = read("Good morning, Milo." + between.removeprefix(" ") + INVENTED)
    if between.startswith((" ", "<|im_end|>\n<|im_start|>assistant\nHm.")):
        return
    assert reading.value is None
    assert "before somebody else's turn begins" in reading.problems[0].message


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


def test_a_text_that_is_open_at_a_marker_is_cut() -> None:
    for way, between in (GOES_ON | SPEAKERS).items():
        reading = read('{"text": "Good mor' + between + INVENTED)
        by_name = way in SPEAKERS or way.endswith("same line")
        kinds = [problem.kind for problem in reading.problems]
        assert kinds in ([["cut"], ["duplicate"]] if by_name else [["cut"]]), way


@pytest.mark.parametrize(
    "chatter",
    [
        "\nActually, here's a better one: ",
        "\nFinal answer: ",
        "\n**Corrected Version:** ",
        "\n\nHere is a shorter one:\n",
        " ",
    ],
)
def test_of_several_answers_by_one_speaker_the_last_one_counts(chatter: str) -> None:
    assert read(OWN + chatter + INVENTED).value == Y


def test_a_name_before_the_only_answer_is_left_out() -> None:
    assert read(f"Nadia Farouk: {OWN}").value == X


def test_markers_within_a_thought_are_thoughts() -> None:
    thought = "<think>\nUser: hi<|im_end|>\nAssistant: " + INVENTED + "</think>\n"
    assert read(thought + OWN).value == X
    assert read("It says\nUser: hi\n" + INVENTED + "</think>" + OWN).value == X
    assert read(thought + OWN + "<|im_end|>\n<|im_start|>user\n" + INVENTED).value == X


def test_an_answer_within_the_question_is_not_the_models_own() -> None:
    assert read(f"<|im_start|>user\nAs {INVENTED}<|im_end|>\n<|im_start|>assistant\n").value is None
    assert read(f"User: {INVENTED}\nAssistant: {OWN}").value is None
