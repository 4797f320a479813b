"""The keywords of a text: by rule, in order, with names whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.keywords import keywords_of


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        (
            "Isabella Rodriguez is planning a party at Hobbs Cafe with Maria Lopez.",
            "Isabella Rodriguez, planning, party, Hobbs Cafe, Maria Lopez",
        ),
        (
            "I have a fear of dogs since getting bitten as a child",
            "fear, dog, bitten, child",
        ),
        (
            "Making food for people when they visit is a great joy",
            "making, food, people, visit, great, joy",
        ),
        (
            "Walter's letters and the boxes from Žofie Nováková arrived. Nadia said: Tom O'Hara!",
            "Walter, letter, box, Žofie Nováková, arrived, Nadia, Tom O'Hara",
        ),
        ("Rosa bakes bread. Klaus, Maria and Rosa met.", "Rosa, bake, bread, Klaus, Maria, met"),
        ("Ah, Walter! Oh Rosa, hello. Hey, Tom O'Hara.", "Walter, Rosa, Tom O'Hara"),
        (
            "Thanks, Nadia. Morning, Ben! Great Hall opens. Dear, Rosa has bread.",
            "thank, Nadia, morning, Ben, Great Hall, open, dear, Rosa, bread",
        ),
        ("Klaus, Rosa and Hi-Ho came. I like Ah Long.", "Klaus, Rosa, Ho, Long"),
        ("the and of 12 it", ""),
        ("", ""),
    ],
)
def test_names_stay_whole_and_small_words_go(text: str, keywords: str) -> None:
    assert ", ".join(keywords_of(text)) == keywords


@given(st.text(max_size=200))
def test_no_keyword_comes_twice_and_each_is_in_the_text(text: str) -> None:
    found = keywords_of(text)
    assert len({each.casefold() for each in found}) == len(found)
    assert all(each.strip() == each and "," not in each for each in found)
