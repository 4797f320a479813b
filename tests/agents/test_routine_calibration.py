"""An embedder's least similarity is measured on labelled pairs; faults in them are told by line."""

from pathlib import Path

import numpy as np
import pytest

from smolville.agents.errors import RunError
from smolville.agents.routine_calibration import PRECISE, LabelledPair, calibrate, read_pairs
from smolville.agents.routines import ALMOST, names_in, persona_key, without_names
from smolville.models.embedding.embedder import open_embedder
from tests.graphs.minds import ADA, BEN

AXES = {"a": (1.0, 0.0), "b": (0.8, 0.6), "c": (0.0, 1.0), "d": (0.6, 0.8), "e": (0.96, 0.28)}


def _embed(texts):
    return np.array([AXES[text] for text in texts])


def _pair(one, other, is_same):
    return LabelledPair(one=one, other=other, is_same=is_same)


def test_the_similarity_that_finds_most_with_enough_precision_is_chosen():
    pairs = (_pair("a", "e", True), _pair("a", "b", True), _pair("a", "d", False))
    found = calibrate(_embed, pairs)
    chosen = found.chosen
    assert (chosen.similarity, chosen.precision, chosen.recall) == (0.8, 1.0, 1.0)
    loose = found.at(0.5)
    assert (loose.reused, loose.right) == (3, 2)
    assert found.at(0.97).recall == 0.0


def test_where_nothing_is_precise_only_the_same_words_are_reused():
    pairs = (_pair("a", "b", True), _pair("a", "e", False))
    assert calibrate(_embed, pairs).chosen.similarity == 1.0


def test_an_embedder_that_tells_nothing_apart_reuses_only_the_same_words():
    blind = calibrate(lambda texts: [[1.0, 0.0]] * len(texts), read_pairs())
    assert blind.chosen.similarity == 1.0
    assert blind.at(ALMOST).precision < PRECISE


@pytest.mark.parametrize("embedder", ["wordllama", "words"])
def test_the_shipped_pairs_give_the_built_in_embedders_a_threshold(embedder):
    pairs = read_pairs()
    assert sum(pair.is_same for pair in pairs) >= 50 < sum(not pair.is_same for pair in pairs)
    chosen = calibrate(open_embedder(embedder).embed, pairs).chosen
    assert chosen.precision >= PRECISE and chosen.recall > 0.3
    assert 0.7 < chosen.similarity < 0.97


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("other\ta\tb\n", "no pair labelled `same`"),
        ("same\ta\tb\n", "no pair labelled `other`"),
        ("# a note\nsame\ta\n", "line 2: write `same` or `other`"),
        ("same\ta\tb\nalike\ta\tb\n", "line 2: write `same` or `other`"),
    ],
)
def test_faulty_pairs_are_refused_with_their_line(tmp_path: Path, text, sentence):
    (tmp_path / "pairs.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=sentence):
        read_pairs(tmp_path / "pairs.tsv")
    with pytest.raises(RunError, match="cannot be read"):
        read_pairs(tmp_path / "none.tsv")


def test_names_and_numbers_are_compared_apart_from_the_rest():
    activity = "having lunch with Maria at 12:30"
    assert names_in(activity) == {"Maria", "12:30"}
    assert without_names(activity) == "having lunch with at"
    assert names_in("Having lunch") == frozenset()
    assert without_names("at Maria") == "at"


def test_routines_belong_to_a_way_of_life_and_not_to_a_name():
    assert persona_key(ADA) == persona_key(BEN.model_copy(update={"currently": "Something else."}))
    assert persona_key(ADA) != persona_key(ADA.model_copy(update={"age": 35}))
    assert persona_key(ADA) != persona_key(ADA.model_copy(update={"work": ""}))
