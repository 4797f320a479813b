"""The words of a text."""

import tracemalloc

from smolville.graphs.sense.words import words_of


def test_words_are_folded_and_keep_their_apostrophes() -> None:
    assert words_of("Nadia’s scones, half-baked: 2 of them!") == [
        *("nadia's", "scones", "half-baked", "2", "of", "them")
    ]


def test_long_texts_that_are_not_compared_again_take_no_memory() -> None:
    tracemalloc.start()
    for number in range(300):
        assert len(words_of(f"word{number} " * 300)) == 300
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 2_000_000
