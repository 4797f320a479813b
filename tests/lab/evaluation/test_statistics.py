"""The numbers that decide what "better" means, against tables, sums by hand, and other formulas."""

from fractions import Fraction
from itertools import product
from math import comb, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.lab.evaluation.statistics import format_p, holm, share_of, sign_flip, wilson

SMALL = st.lists(st.integers(-4, 4), max_size=9)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_intervals_of_published_tables(
    successes: int, n: int, low: float, high: float
) -> None:
    """The last three are those of Newcombe 1998, table I, method 3."""
    assert wilson(successes, n) == pytest.approx((low, high), abs=6e-5)


def test_of_nothing_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert share_of([]).interval == share_of([[], []]).interval == (0.0, 1.0)


@given(st.integers(1, 400), st.data())
def test_wilson_solves_its_own_equation(n: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, n))
    share, z = successes / n, 1.959963984540054
    for bound in wilson(successes, n):
        off = abs(bound - share)
        assert off == pytest.approx(z * sqrt(bound * (1 - bound) / n), abs=1e-9)


def test_turns_of_a_moment_count_once() -> None:
    found = share_of([[True, False], [True, True], [False, False]])
    assert (found.count, found.of) == (3, 6)
    assert found.interval == wilson(1.5, 3)
    assert share_of([[True], [False], [True], [True]]).interval == wilson(3, 4)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 5))
def test_with_one_turn_the_test_is_mcnemars(better: int, worse: int, same: int) -> None:
    n, least = better + worse, min(better, worse)
    tail = Fraction(sum(comb(n, k) for k in range(least + 1)), 2**n)
    differences = [1] * better + [0] * same + [-1] * worse
    assert sign_flip(differences) == pytest.approx(float(min(2 * tail, Fraction(1))))


@given(SMALL)
def test_every_signing_is_counted(differences: list[int]) -> None:
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * each for sign, each in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    assert sign_flip(differences) == pytest.approx(sum(s >= observed for s in sums) / len(sums))


def test_thousands_of_moments_are_no_matter() -> None:
    assert 0 <= sign_flip([1, -1, 2, 0, 3] * 400) < 1e-9


def test_holm_holds_p_values_to_all_comparisons() -> None:
    assert holm({1: 0.01, 2: 0.04, 3: 0.03}) == pytest.approx({1: 0.03, 3: 0.06, 2: 0.06})
    assert holm({1: 0.2}) == {1: 0.2}
    assert holm({}) == {}


def test_a_p_value_is_never_told_as_none() -> None:
    assert format_p(0.0) == "p < 0.001"
    assert [format_p(each) for each in (0.0341, 0.34, 1.0)] == ["p = 0.034", "p = 0.34", "p = 1.00"]
