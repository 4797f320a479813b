"""Word salad is told from English by the order of its words."""

import pytest

from smolville.graphs.sense.word_order import LEAST, score

GIVEN = "Nadia Farouk runs the Copper Kettle Cafe near the closed post office counter."


def mean(text: str) -> float:
    total, count = score(text, GIVEN)
    assert count >= LEAST
    return total / count


@pytest.mark.parametrize(
    "text",
    [
        "I sat by the river and told her everything.",
        "walking home past the closed post office counter",
        "What did you bring me from the market?",
        "The soup smells good, and the bread is still warm.",
    ],
)
def test_english_is_likelier_than_chance(text: str) -> None:
    assert mean(text) > 0


@pytest.mark.parametrize(
    "text",
    [
        "the of her when Kettle is",
        "Farouk counter to the you and closed",
        "Write no is JSON about from Cafe their",
        "and were on the brings she a of",
    ],
)
def test_words_without_an_order_are_less_likely(text: str) -> None:
    assert mean(text) < -0.4


def test_words_that_stand_together_in_the_case_are_english() -> None:
    plain, _ = score("the closed post office counter", "")
    known, _ = score("the closed post office counter", GIVEN)
    assert known > plain


def test_a_question_may_begin_with_its_verb() -> None:
    assert mean("Will Junko Mori's crates and map bring back Walter's year?") > -0.4
