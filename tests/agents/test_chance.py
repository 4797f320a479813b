"""Random choices depend on their key alone, today and in any other version."""

from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.chance import draw, fraction, pick, shuffle_items

KEY = st.tuples(st.integers(), st.text(max_size=8), st.integers())


def test_the_values_are_frozen():
    assert draw(7, "Ada Brook", 360, "react", 0, 0) == 3_295_611_344_097_081_358
    assert draw() == 8_238_016_292_129_134_938
    assert fraction(7, "Ada Brook", 0) == 0.291729248299391
    assert shuffle_items(["a", "b", "c", "d", "e"], 7, 12, "resolve") == list("ceabd")
    assert pick(["a", "b", "c"], 7, "bed") == "c"


def test_each_part_of_a_key_counts_and_so_does_its_place():
    keys = [(1, 2, 3), (1, 2, 4), (2, 1, 3), (12, 3), (1, 23), ("", 1, 2, 3)]
    assert len({draw(*key) for key in keys}) == len(keys)


@given(st.permutations(["Ada", "Ben", "Cora", "Dan", "Eve"]), KEY)
def test_a_shuffle_depends_on_who_is_there_not_on_how_they_came(order, key):
    assert shuffle_items(order, *key) == shuffle_items(sorted(order), *key)


@given(KEY)
def test_who_leaves_changes_nothing_for_the_others(key):
    whole = shuffle_items(["Ada", "Ben", "Cora", "Dan"], *key)
    assert shuffle_items(["Ada", "Ben", "Dan"], *key) == [each for each in whole if each != "Cora"]


def test_fractions_are_spread_evenly():
    found = [fraction(7, n) for n in range(4000)]
    tenths = [sum(n / 10 <= each < (n + 1) / 10 for each in found) for n in range(10)]
    assert min(tenths) > 330 and max(tenths) < 470
