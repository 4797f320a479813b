"""The numbers that decide what "better" means, against tables, sums by hand, and other formulas."""

from fractions import Fraction
from itertools import product
from math import comb, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.lab.evaluation.statistics import (
    clustered_interval,
    effective,
    format_p,
    holm,
    paired_interval,
    sign_flip,
    wilson,
)

SMALL = st.lists(st.integers(-4, 4), max_size=9)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (1, 10, 0.0179, 0.4042),
        (5, 10, 0.2366, 0.7634),
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
    assert clustered_interval([], []) == (0.0, 1.0)


def test_more_confidence_is_a_wider_interval() -> None:
    sure, less = wilson(30, 50, 0.99), wilson(30, 50, 0.8)
    assert sure.low < less.low < 0.6 < less.high < sure.high


@given(st.integers(1, 400), st.data())
def test_wilson_solves_its_own_equation(n: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, n))
    share, z = successes / n, 1.959963984540054
    for bound in wilson(successes, n):
        off = abs(bound - share)
        assert off == pytest.approx(z * sqrt(bound * (1 - bound) / n), abs=1e-9)


def test_turns_that_always_end_alike_count_once() -> None:
    good = [5, 0, 5, 5, 0, 5, 0, 5, 5, 5]
    assert effective(good, [5] * 10) == 10
    assert clustered_interval(good, [5] * 10) == pytest.approx(wilson(7, 10))


def test_turns_that_differ_as_coins_do_count_nearly_each() -> None:
    good = [2, 3, 1, 4, 2, 3, 3, 2, 1, 4]
    assert effective(good, [5] * 10) > 40


def test_where_nothing_varied_every_moment_counts_once() -> None:
    assert clustered_interval([5] * 10, [5] * 10) == wilson(10, 10)
    assert clustered_interval([0] * 10, [5] * 10) == wilson(0, 10)


def test_asked_once_the_interval_is_plain_wilson() -> None:
    assert clustered_interval([1, 0, 1, 1], [1] * 4) == wilson(3, 4)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=30))
def test_questions_are_worth_at_most_themselves_and_at_least_their_moments(
    told: list[tuple[int, int]],
) -> None:
    asked = [of for _, of in told]
    good = [min(count, of) for count, of in told]
    assert len(asked) <= effective(good, asked) <= sum(asked)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 5))
def test_with_one_turn_the_test_is_mcnemars(better: int, worse: int, same: int) -> None:
    n, least = better + worse, min(better, worse)
    tail = Fraction(sum(comb(n, k) for k in range(least + 1)), 2**n)
    differences = [1] * better + [0] * same + [-1] * worse
    assert sign_flip(differences) == pytest.approx(float(min(2 * tail, Fraction(1))))


def test_mcnemars_test_by_hand() -> None:
    """Five of five one way: 2 / 2^5. Eight against one: 2 (1 + 9) / 2^9."""
    assert sign_flip([1] * 5) == pytest.approx(0.0625)
    assert sign_flip([1] * 8 + [-1]) == pytest.approx(20 / 512)


@given(SMALL)
def test_every_signing_is_counted(differences: list[int]) -> None:
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * each for sign, each in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    assert sign_flip(differences) == pytest.approx(sum(s >= observed for s in sums) / len(sums))


@given(SMALL)
def test_which_variant_is_named_first_changes_no_p_value(differences: list[int]) -> None:
    assert sign_flip([-each for each in differences]) == sign_flip(differences)


def test_turns_of_one_moment_are_no_more_evidence_than_the_moment() -> None:
    """Three moments, five turns each, all better: p is that of three moments, not of fifteen."""
    assert sign_flip([5, 5, 5]) == pytest.approx(0.25)


def test_thousands_of_moments_are_no_matter() -> None:
    assert 0 <= sign_flip([1, -1, 2, 0, 3] * 400) < 1e-9


def test_holm_holds_p_values_to_all_comparisons() -> None:
    assert holm({1: 0.01, 2: 0.04, 3: 0.03}) == pytest.approx({1: 0.03, 3: 0.06, 2: 0.06})
    assert holm({1: 0.2}) == {1: 0.2}
    assert holm({}) == {}


def test_a_p_value_is_never_told_as_none() -> None:
    assert format_p(0.0) == "p < 0.001"
    assert [format_p(each) for each in (0.0341, 0.34, 1.0)] == ["p = 0.034", "p = 0.34", "p = 1.00"]


def test_the_interval_of_a_paired_difference_is_newcombes() -> None:
    """By hand from a table of 50 pairs: 36 both, 12 only one, 2 only the other."""
    one, two = [1] * 36 + [1] * 12 + [0] * 2, [1] * 36 + [0] * 12 + [1] * 2
    (low_one, high_one), (low_two, high_two) = wilson(48, 50), wilson(38, 50)
    phi = (36 * 0 - 12 * 2) / sqrt(48 * 2 * 38 * 12)
    down, up = (
        sqrt(a * a + b * b - 2 * phi * a * b)
        for a, b in ((0.76 - low_two, high_one - 0.96), (high_two - 0.76, 0.96 - low_one))
    )
    found = paired_interval(one, two, [1] * 50)
    assert found.low == pytest.approx(-0.2 - down)
    assert found.high == pytest.approx(-0.2 + up)
    turned = paired_interval(two, one, [1] * 50)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))


def test_the_interval_of_a_paired_difference_is_wide_where_little_was_asked() -> None:
    assert paired_interval([], [], []) == (-1, 1)
    low, high = paired_interval([2, 2], [2, 2], [2, 2])
    assert low < -0.3
    assert high > 0.3
    alike, apart = ([1, 0] * 10, [1] * 20), ([1, 0] * 10, [0, 1] * 10)
    assert paired_interval(*alike[:1], alike[0], alike[1]) == pytest.approx((0, 0))
    assert paired_interval(*apart, [1] * 20).high > 0.3
