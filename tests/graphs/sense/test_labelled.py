"""Answers that a reader has labelled: sensible ones pass, and most senseless ones are caught.

`tests/recordings/read_written/answers.jsonl` holds answers as they were written, before any check:
71 sensible ones, most of a capable writer, and 62 senseless ones of Qwen2.5-Coder 1.5B.
"""

from collections import Counter

import pytest

from benchmarks.checks import ANY, FORM, RECORDED, labelled, tally
from smolville.parsers.say import Utterance
from tests.graphs.sense.judging import verdict

SEEN = Counter[str]


@pytest.fixture(scope="module")
def seen() -> dict[str, SEEN]:
    return tally(labelled(RECORDED / "read_written"))


def test_no_check_objects_to_a_sensible_answer(seen: dict[str, SEEN]) -> None:
    assert set(seen["sensible"]) - {"of", ANY, FORM} == set()
    assert seen["sensible"][FORM] == 0
    assert seen["sensible"]["of"] == 71


def test_most_senseless_answers_are_objected_to(seen: dict[str, SEEN]) -> None:
    assert seen["senseless"]["of"] == 62
    assert seen["senseless"][ANY] >= 43


def test_nearly_all_answers_of_dice_are_objected_to(seen: dict[str, SEEN]) -> None:
    assert seen["dice"][ANY] >= 0.95 * seen["dice"]["of"]


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("say", "Let me know if you need more chairs for tonight."),
        ("say", "I am happy to help you with Theo, you know."),
        ("say", "He will say yes, they all say yes to cake. Milo: you hold the ladder, I climb."),
        ("say", "Ha, Rosa Marin at a reading evening! Fine, I will do it, but I read last."),
        ("say", 'Ida told me: "Rosa, you must hear him play." And so I will.'),
        ("say", "How can I help you? The walnut cake is fresh."),
        ("plan_day", "finishing my crime novel by midnight"),
        ("plan_day", "writing about the morning of 5 January 1987 at 6am"),
        ("plan_day", "reminding everybody that the party starts at 5pm"),
        ("revise_identity", "Rosa is curious about the brass key in Edda Lorne's notice."),
        ("revise_identity", "Rosa wants to read at the Paper Boat Bookshop on Thursday."),
        ("conclude_talk", "Milo knows four dances by heart and comes to the stall at 5 PM."),
        ("conclude_talk", "Milo knows four dances and asks Theo Lindqvist to play the fiddle."),
    ],
)
def test_a_sensible_sentence_is_not_objected_to(step: str, text: str) -> None:
    whole = {
        "say": {"text": text, "ends": False},
        "plan_day": {
            **{"wake": "05:00", "go_to": [1], "dated": [], "morning": "baking cakes for the stall"},
            **{"afternoon": "serving coffee in the café", "evening": text},
        },
        "conclude_talk": {
            **{"summary": text, "keep": [], "agreements": [], "in_confidence": []},
            "feeling": "hopeful",
        },
        "revise_identity": {"currently": text, "requirement": "Rosa opens the café at 7:00."},
    }[step]
    found = verdict(step, whole)
    assert [str(problem) for problem in (*found.refused, *found.odd)] == []


def test_a_sensible_line_is_left_as_it_is() -> None:
    for text in (
        "Good morning, Junko! I am happy to help you with Theo, you know. Coffee first?",
        "Nice to meet you at last, Walter. I'm Nadia. How are you?",
    ):
        context = {"name": "Nadia Farouk", "others": ["Junko Mori"], "said": []}
        assert Utterance.mend({"text": text, "ends": False}, context)[0]["text"] == text
