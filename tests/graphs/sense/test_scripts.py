"""Letters of another script in a text, and dreams that are too long."""

import pytest

from smolville.parsers.dream import LONGEST, Dream
from tests.graphs.sense.judging import kinds


@pytest.mark.parametrize(
    ("dream", "found"),
    [
        ("I sat in the mill and dreamt of starting a reading evening in 废", ["markup"]),
        ("I sat in the mill and the miller sang мельница all night long.", ["markup"]),
        ("I sat in the café and the naïve miller sang until the œuvre was done.", []),
        ("I counted 3 × 4 = 12 rolls, and each of them was worth 5 € — or less.", []),
    ],
)
def test_letters_that_the_question_does_not_use_are_refused(dream, found):
    assert kinds("dream", {"dream": dream}) == found


def test_letters_that_the_question_uses_are_the_persons_own():
    memory = {"number": 1, "when": "today", "text": "Rosa Marin wrote нет on the wall."}
    answer = {"dream": "I saw the wall of the mill, and it said нет to everybody who came."}
    assert kinds("dream", answer, memories=[memory]) == []


def test_a_dream_told_too_long_keeps_its_first_sentences():
    told = "I flew over the mill with a sack of flour. " * 9
    mended, notes = Dream.mend({"dream": told}, None)
    assert mended["dream"].endswith("flour.") and 100 < len(mended["dream"]) <= LONGEST
    assert notes == ["`dream`: kept the first sentences"]
    assert Dream.mend({"dream": told[:43]}, None) == ({"dream": told[:43]}, [])
    assert Dream.call_schema({})["properties"]["dream"]["maxLength"] > LONGEST
