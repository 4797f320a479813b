"""The numbers that decide what "better" means, against tables, sums by hand, and other formulas."""

from fractions import Fraction
from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.lab.evaluation.statistics import (
    format_p,
    holm,
    moments_to_settle,
    share_of,
    sign_flip,
    wilson,
)

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
    assert share_of([]).interval == share_of([[[], []], []]).interval == (0.0, 1.0)


@given(st.integers(1, 400), st.data())
def test_wilson_solves_its_own_equation(n: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, n))
    share, z = successes / n, 1.959963984540054
    for bound in wilson(successes, n):
        off = abs(bound - share)
        assert off == pytest.approx(z * sqrt(bound * (1 - bound) / n), abs=1e-9)


def test_turns_of_a_moment_count_once() -> None:
    found = share_of([[[True, False]], [[True, True]], [[False, False]]])
    assert (found.count, found.of) == (3, 6)
    assert found.interval == wilson(1.5, 3)
    assert share_of([[[True]], [[False]], [[True]], [[True]]]).interval == wilson(3, 4)


def person(*answers: float) -> list[list[float]]:
    """The moments of one person, each asked once."""
    return [[answer] for answer in answers]


def test_people_who_all_differ_count_as_many_questions_as_there_are_people() -> None:
    split = share_of([person(*[each % 2] * 5) for each in range(12)])
    assert (split.count, split.of) == (30, 60)
    assert split.interval == pytest.approx(wilson(6, 12))
    alike = share_of([person(1, 0, 1, 0, 1)] * 6 + [person(0, 1, 0, 1, 0)] * 6)
    assert alike.interval == pytest.approx(wilson(30 * 9 / 11, 60 * 9 / 11))
    assert share_of([person(*[1] * 40)]).interval == wilson(1, 1)


@pytest.mark.parametrize("count", [3, 6, 12, 30])
@pytest.mark.parametrize("likeness", [0.0, 0.1, 0.3])
def test_an_interval_of_sixty_moments_covers_the_truth_whosoever_they_are(
    count: int, likeness: float
) -> None:
    dice, truth = np.random.default_rng(1), 0.8
    covered = 0
    for _ in range(300):
        shares = np.full(count, truth)
        if likeness:
            more = 1 / likeness - 1
            shares = dice.beta(truth * more, (1 - truth) * more, count)
        units = [person(*(dice.random(60 // count) < share)) for share in shares]
        low, high = share_of(units).interval
        covered += low <= truth <= high
    assert covered / 300 > 0.91


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


def test_fractions_are_flipped_as_their_hundredths_are() -> None:
    assert sign_flip([0.25, 0.5, -0.1]) == sign_flip([25, 50, -10])


def test_more_moments_are_told_only_where_they_would_help() -> None:
    assert moments_to_settle([1, -1, 2, -2], 40) is None
    assert moments_to_settle([1] * 5, 40) == 30
    assert moments_to_settle([1] * 100 + [-1] * 99, 199) is None
    more = moments_to_settle([1, 0, 0, 1, -1, 0, 0, 0], 40)
    assert more == 910


def test_what_is_said_to_settle_a_difference_mostly_does() -> None:
    dice, settled = np.random.default_rng(2), 0
    chances = [0.2, 0.5, 0.3]
    gains = [-1] * 2 + [0] * 5 + [1] * 3
    more = moments_to_settle(gains, 10)
    assert more is not None
    for _ in range(200):
        settled += sign_flip([*map(int, dice.choice([-1, 0, 1], 10 + more, p=chances))]) < 0.05
    assert settled == pytest.approx(160, abs=30)
    chances = [0.25, 0.5, 0.25]
    equal = [[*map(int, dice.choice([-1, 0, 1], 60, p=chances))] for _ in range(400)]
    assert sum(sign_flip(each) < 0.05 for each in equal) <= 20


def test_holm_holds_p_values_to_all_comparisons() -> None:
    assert holm({1: 0.01, 2: 0.04, 3: 0.03}) == pytest.approx({1: 0.03, 3: 0.06, 2: 0.06})
    assert holm({1: 0.2}) == {1: 0.2}
    assert holm({}) == {}


def test_a_p_value_is_never_told_as_none() -> None:
    assert format_p(0.0) == "p < 0.001"
    assert [format_p(each) for each in (0.0341, 0.34, 1.0)] == ["p = 0.034", "p = 0.34", "p = 1.00"]
