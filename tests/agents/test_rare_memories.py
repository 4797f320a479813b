"""Rare memories come up as often as those of every day, and nothing but their key decides which."""

from collections import Counter
from math import dist, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.chance import fraction
from smolville.agents.stream import cluster_sizes, draw_rare

ROWS = st.lists(
    st.tuples(*[st.integers(-3, 3)] * 3).filter(any), min_size=1, max_size=16
)  # fmt: skip


def _by_hand(rows, alike):
    """Sizes of what is connected by steps between vectors that are alike."""
    lengths = [sqrt(sum(x * x for x in row)) for row in rows]
    units = [[x / length for x in row] for row, length in zip(rows, lengths, strict=True)]
    groups = [{at} for at in range(len(units))]
    for one in range(len(units)):
        for other in range(one):
            if dist(units[one], units[other]) <= sqrt(2 - 2 * alike):
                first = next(g for g in groups if one in g)
                second = next(g for g in groups if other in g)
                if first is not second:
                    groups.remove(second)
                    first |= second
    return [len(next(g for g in groups if at in g)) for at in range(len(units))], len(groups)


@given(ROWS, st.sampled_from([0.7, 0.85, 0.95]))
def test_clusters_are_what_is_connected_by_steps_between_alike_memories(rows, alike):
    sizes, clusters = cluster_sizes(np.array(rows, np.float32), alike)
    assert (sizes.tolist(), clusters) == _by_hand(rows, alike)


def test_a_cluster_is_drawn_as_often_as_a_memory_that_stands_alone():
    sizes = [50] * 50 + [1, 1]
    first = Counter(
        draw_rare(sizes, 1, lambda at, seed=seed: fraction(seed, at))[0] for seed in range(600)
    )
    every_day = sum(count for at, count in first.items() if at < 50)
    assert every_day == pytest.approx(200, abs=40)
    assert first[50] == pytest.approx(200, abs=40)
