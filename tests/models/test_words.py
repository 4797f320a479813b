"""The built-in embedder: whole numbers, the same everywhere, near when words are shared."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.models.embedding.words import LENGTH, HashedWords, stem, stems_of

TEXTS = st.text(max_size=300)
VOCABULARY = [
    "isabella",
    "party",
    "valentine",
    "coffee",
    "garden",
    "walks",
    "talked",
    "library",
    "paints",
]
SENTENCES = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=12).map(" ".join)
embed = HashedWords().embed


@given(st.lists(TEXTS, max_size=5))
def test_rows_are_small_whole_numbers(texts: list[str]) -> None:
    rows = embed(texts)
    assert rows.shape == (len(texts), HashedWords.dimension)
    assert rows.dtype == np.float32
    assert (rows == np.round(rows)).all()
    assert (np.abs(rows) <= LENGTH).all()


@given(st.permutations(VOCABULARY), st.integers(0, 383))
def test_inner_products_are_exact_in_any_order(words: list[str], turn: int) -> None:
    first, second = embed([" ".join(words), " ".join(words[:4])])
    exact = int(first.astype(np.int64) @ second.astype(np.int64))
    assert float(first @ second) == exact
    assert float(np.roll(first, turn) @ np.roll(second, turn)) == exact


def test_shared_words_bring_texts_near() -> None:
    asked, near, far = embed(
        [
            "Isabella is planning a Valentine's Day party",
            "the party that Isabella planned for Valentine's day",
            "Tom complains about the mayor's election",
        ]
    )
    assert asked @ near > 0.8 * LENGTH**2
    assert abs(asked @ far) < 0.3 * LENGTH**2


def test_the_vectors_are_those_of_every_other_machine() -> None:
    row = embed(["Isabella Rodriguez is excited to be planning a Valentine's Day party"])[0]
    digest = hashlib.sha256(row.astype("<f4").tobytes()).hexdigest()
    assert digest[:16] == "a05c229e4f84892e"


@pytest.mark.parametrize(
    "words",
    [
        "walk walks walked walking",
        "bake bakes baked baking",
        "party parties",
        "study studies studied studying",
        "stop stops stopped stopping",
        "box boxes",
        "happy happiness",
        "quick quickly",
    ],
)
def test_forms_of_a_word_share_a_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


def test_accents_case_and_possessives_do_not_matter() -> None:
    assert stems_of("Café's CAFÉ’s cafe") == [stem("cafe")] * 3
