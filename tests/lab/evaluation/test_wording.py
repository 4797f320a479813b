"""How answers are worded: how long, how varied, how often the very same again."""

from typing import Any

import pytest

from smolville.lab.evaluation.counts import collect_free_texts, wording_of
from smolville.lab.evaluation.results import Result, StoredMoment


def stored(**inputs: Any) -> StoredMoment:
    answer = {"text": "Yes.", "ends": False}
    return StoredMoment(
        id="r/0", step="say", agent="Rosa", time="1 07:00", outcome="clean", answer=answer,
        inputs=inputs,
    )  # fmt: skip


def result(moment: str = "r/0", text: str = "Yes, of course.", outcome: Any = "clean") -> Result:
    answer = {"text": text, "ends": False}
    return Result(moment=moment, variant=0, turn=0, outcome=outcome, answer=answer)


def test_free_texts_of_a_models_answer_are_what_was_said() -> None:
    assert collect_free_texts(stored(), result()) == ("Yes, of course.",)
    assert collect_free_texts(stored(), result(outcome="fallback")) == ()
    assert collect_free_texts(stored(names=["Yes, of course."]), result()) == (), (
        "a name that was offered"
    )


def test_words_are_counted_and_what_is_said_again_elsewhere() -> None:
    texts = [("r/0", "Good day."), ("r/1", "Good day."), ("r/2", "I bake bread today.")]
    found = wording_of((result(moment, text), (text,)) for moment, text in texts)
    assert found.words == pytest.approx(8 / 3)
    assert found.different == pytest.approx(6 / 8)
    assert found.again == {("Good day.",)}


def test_marks_and_capitals_make_no_other_words() -> None:
    texts = [("r/0", "Good day, Ida!"), ("r/1", "good day Ida"), ("r/2", "🙂"), ("r/3", "🙃")]
    found = wording_of((result(moment, text), (text,)) for moment, text in texts)
    assert found.again == {("Good day, Ida!",), ("good day Ida",)}


def test_another_turn_of_the_same_moment_is_no_repetition() -> None:
    found = wording_of([(result(), ("Good day.",))] * 2)
    assert found.again == frozenset()


def test_without_words_nothing_is_told() -> None:
    found = wording_of([(result(outcome="fallback"), ())])
    assert (found.words, found.different, found.again) == (None, None, frozenset())
