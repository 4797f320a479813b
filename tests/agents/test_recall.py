"""Recall is exact: equal to scoring every memory by hand, in plain Python."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smolville.agents.memory import Memory
from smolville.agents.persona import Weights
from smolville.agents.stream import MemoryStream, top

DIMENSION = 4
HOUR = 3600
EQUAL = Weights(recency=1, importance=1, relevance=1)

VECTORS = st.tuples(*[st.integers(-3, 3)] * DIMENSION)
PARTS = st.floats(0, 3).map(lambda x: round(x, 2))
WEIGHTS = st.builds(Weights, recency=PARTS, importance=PARTS, relevance=PARTS)


def _memory(n, kind="event", at=0, **more):
    return Memory(id=f"a/{n:03d}", agent="Ada Brook", kind=kind, text=f"text {n}", created=at,
                  tick=at // 10, **({"accessed": at} | more))  # fmt: skip


@st.composite
def streams(draw):
    """Memories with vectors, of every kind, rated or not, some of them expired."""
    made = []
    for n in range(draw(st.integers(0, 16))):
        at = draw(st.integers(0, 72)) * 1800
        memory = _memory(
            n,
            kind=draw(st.sampled_from(["event", "thought", "talk", "dream"])),
            at=at,
            importance=draw(st.none() | st.integers(1, 10)),
            accessed=at + draw(st.integers(0, 20)) * 600,
            expires=draw(st.none() | st.integers(0, 60).map(lambda h: h * HOUR)),
        )
        made.append((memory, draw(VECTORS)))
    order = draw(st.permutations(made))
    return list(order)


def _filled(made):
    stream = MemoryStream("Ada Brook", DIMENSION)
    for memory, vector in made:
        stream.add(memory, np.array(vector, np.float32))
    return stream


def _scaled(values):
    low, high = min(values), max(values)
    return [0.5 if low == high else (value - low) / (high - low) for value in values]


def _cosine(one, other):
    lengths = sqrt(sum(x * x for x in one)) * sqrt(sum(x * x for x in other))
    return sum(x * y for x, y in zip(one, other, strict=True)) / lengths if lengths else 0.0


PROVISIONAL = {"event": 3, "thought": 5, "talk": 5, "dream": 3}


def _by_hand(made, query, at, weights, decay):
    """Every memory's (score, id, recency, importance, relevance), best first."""
    live = [(m, v) for m, v in made if m.expires is None or m.expires > at]
    if not live:
        return []
    recency = _scaled([round(decay ** ((at - m.accessed) / HOUR), 5) for m, _ in live])
    rated = [PROVISIONAL[m.kind] if m.importance is None else m.importance for m, _ in live]
    importance = _scaled([float(each) for each in rated])
    relevance = _scaled([round(_cosine(v, query), 5) for _, v in live])
    rows = [
        (round(weights.recency * r + weights.importance * i + weights.relevance * v, 5), m.id,
         r, i, v)
        for (m, _), r, i, v in zip(live, recency, importance, relevance, strict=True)
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (-row[0], row[1]))


@settings(max_examples=50)
@given(streams(), VECTORS, st.integers(1, 20), WEIGHTS, st.sampled_from([0.995, 0.9, 1.0]))
def test_recall_is_equal_to_scoring_every_memory(made, query, count, weights, decay):
    at = 50 * HOUR
    stream = _filled(made)
    found = stream.recall(np.array(query, np.float32), at, count, weights, decay)
    expected = _by_hand(made, query, at, weights, decay)[:count]
    assert [(each.score, each.memory.id) for each in found] == [row[:2] for row in expected]
    for each, row in zip(found, expected, strict=True):
        assert (each.recency, each.importance, each.relevance) == pytest.approx(row[2:], abs=1e-9)


@settings(max_examples=20)
@given(streams(), VECTORS, WEIGHTS)
def test_every_score_is_explained_as_the_sum_it_is(made, query, weights):
    found = _filled(made).recall(np.array(query, np.float32), 50 * HOUR, 9, weights, 0.995)
    for each in found:
        parts = (
            weights.recency * each.recency,
            weights.importance * each.importance,
            weights.relevance * each.relevance,
        )
        assert sum(parts) == pytest.approx(each.score, abs=6e-6)
        assert all(0 <= part <= 1 for part in (each.recency, each.importance, each.relevance))
        told = each.explain(weights)
        assert told.startswith(f"{each.score:.3f} = recency {weights.recency:g} x ")
        assert f"relevance {weights.relevance:g} x {each.relevance:.3f}" in told


def test_what_has_expired_is_not_recalled_from_that_second_on():
    stream = _filled([(_memory(0, expires=7200), [1, 0, 0, 0])])
    query = np.array([1, 0, 0, 0], np.float32)
    assert len(stream.recall(query, 7199, 5, EQUAL, 0.995)) == 1
    assert stream.recall(query, 7200, 5, EQUAL, 0.995) == []


def test_equal_scores_stand_by_their_ids_however_they_came():
    made = [(_memory(n), [1, 0, 0, 0]) for n in (4, 1, 3, 0, 2)]
    query = np.array([1, 0, 0, 0], np.float32)
    found = _filled(made).recall(query, 20, 3, EQUAL, 0.995)
    assert [each.memory.id for each in found] == ["a/000", "a/001", "a/002"]
    assert {each.score for each in found} == {1.5}


@given(st.lists(st.integers(0, 4), max_size=40), st.integers(1, 45))
def test_the_best_are_the_same_as_those_of_a_full_sort(values, count):
    scores = np.array(values, np.float64)
    ids = [f"{7 * n % 41:02d}" for n in range(len(values))]
    whole = sorted(range(len(values)), key=lambda n: (-values[n], ids[n]))
    assert top(scores, lambda places: [ids[at] for at in places], count) == whole[:count]
