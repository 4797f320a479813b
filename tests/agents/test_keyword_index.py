"""The keyword channel of recall: exact, about the same things, and shown."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.keywords import keywords_of
from smolville.agents.memory import Memory
from smolville.agents.persona import Weights
from smolville.agents.stream import KeywordIndex, MemoryStream, WordVectors
from smolville.history.folder import SMALL_SAMPLE, RunFolder, sample_folder
from smolville.history.reader import RunReader
from smolville.models.embedding.embedder import open_embedder, words_embedder_spec

WORDS = ("bread", "dog", "lamp", "river", "soup", "stone")
VECTORS = {word: [n + 1, 3 - n, (n * n) % 5] for n, word in enumerate(WORDS)}
EQUAL = Weights(recency=0, importance=0, relevance=1)


def _embed(texts):
    return np.array([VECTORS[each] for each in texts], np.float32)


def _topic(words):
    return [sum(VECTORS[word][axis] for word in words) for axis in range(3)]


def _cosine(one, other):
    lengths = sqrt(sum(x * x for x in one)) * sqrt(sum(x * x for x in other))
    return sum(x * y for x, y in zip(one, other, strict=True)) / lengths if lengths else 0.0


SETS = st.lists(st.lists(st.sampled_from(WORDS), max_size=4, unique=True), min_size=1, max_size=80)


@given(SETS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True))
def test_each_memory_has_the_cosine_of_its_topic(memories, asked):
    index = KeywordIndex("Ada Brook", WordVectors(_embed))
    for words in memories:
        index.add(words)
    found = index.similarities(" ".join(asked))
    if not any(memories):
        assert found is None
        return
    # The query's topic is rounded to whole numbers, as the vectors are.
    query = np.mean([VECTORS[word] for word in asked], axis=0).round().tolist()
    assert found.tolist() == pytest.approx([_cosine(_topic(words), query) for words in memories])


def test_a_word_is_what_its_owner_first_wrote_whoever_else_writes_it_otherwise():
    spelled = {"rose": [1, 0, 0], "Rose": [0, 1, 0], "ROSE": [0, 0, 1]}
    words = WordVectors(lambda texts: np.array([spelled[each] for each in texts], np.float32))
    alone = KeywordIndex("Ada Brook", WordVectors(words.embed))
    for others in ((), ("ROSE", "Rose"), ("Rose",)):
        beside, index = KeywordIndex("Bo Lind", words), KeywordIndex("Ada Brook", words)
        beside.add(others)
        for each in (alone, index):
            each.add(["rose"])
            each.add(["Rose"])
        assert index.similarities("rose").tolist() == [1.0, 1.0]
        assert alone.similarities("rose").tolist()[:2] == [1.0, 1.0]


def _day(embedder, remembered):
    """A stream of what three people remember of a day, but for dogs, and one memory more."""
    folder = sample_folder(SMALL_SAMPLE)
    with RunReader(RunFolder.open(folder.parent, folder.name)) as reader:
        texts = {each.text for name in reader.agents() for each in reader.memories(name)}
        day = sorted(text for text in texts if "dog" not in text.casefold())
    words = open_embedder(words_embedder_spec())
    if words.name != "wordllama":
        pytest.skip("the package wordllama is not installed")
    stream = MemoryStream("Ada Brook", embedder.dimension, WordVectors(words.embed))
    texts = [*day, remembered]
    for n, (text, vector) in enumerate(zip(texts, embedder.embed(texts), strict=True)):
        keywords = keywords_of(text)
        stream.add(
            Memory(id=f"Ada Brook/{n}/past/0/0", agent="Ada Brook", kind="event", text=text,
                   created=0, tick=0, accessed=0, keywords=keywords), vector)  # fmt: skip
    return stream


def _ranks(embedder, said, remembered):
    """The place of a memory, by sentences alone and by both channels; and its scores."""
    stream = _day(embedder, remembered)
    (query,) = embedder.embed([said])
    orders = [
        stream.recall(query, 0, len(stream), EQUAL, 0.995, said, channels)
        for channels in (("sentence",), ("sentence", "keywords"))
    ]
    places = [[each.memory.text for each in order].index(remembered) for order in orders]
    return *(place + 1 for place in places), orders[1][places[1]]


PET = "I am headed to the pet store to pick out a new pet"
DOG = "I have a fear of dogs since getting bitten as a child."
VISIT = "Making food for people when they visit is a great joy"
COOKING = "I love cooking, especially for friends and family."


@pytest.mark.parametrize(("said", "remembered"), [(PET, DOG), (VISIT, COOKING)])
def test_both_cases_of_a_forerunner_come_first_with_the_default_vectors(said, remembered):
    alone, both, _ = _ranks(open_embedder("wordllama"), said, remembered)
    assert (alone, both) == (1, 1)


def test_keywords_bring_back_the_dog_bite_where_sentences_share_no_word():
    """Simulacra's own acceptance case, with sentence vectors that know no meaning."""
    alone, both, found = _ranks(open_embedder("words"), PET, DOG)
    assert alone > 50
    # Several people choose something in a shop on that day, which the keywords bring first.
    assert both <= 15
    assert found.keywords > 0.8 > found.sentence
    assert found.relevance == pytest.approx((found.sentence + found.keywords) / 2)
    assert f"(sentence {found.sentence:.3f}, keywords {found.keywords:.3f})" in found.explain(EQUAL)
