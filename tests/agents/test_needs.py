"""Needs rise with time, fall by what meets them, and are a function of both."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from smolville.agents.needs import (
    AGAIN,
    MOST,
    NEEDS,
    NeedLevels,
    Needs,
    advanced,
    first_levels,
    is_high,
    is_urgent,
    urgent_at,
    urgent_needs,
)

USUAL = Needs()
HOUR = 3600


def _levels(at=0, **levels):
    return NeedLevels(at=at, levels=levels)


@given(
    start=st.floats(0, 100), cut=st.integers(0, 9 * HOUR), fall=st.sampled_from([0.0, 30.0, 200.0])
)
def test_levels_do_not_depend_on_how_often_they_are_computed_and_stay_in_bounds(start, cut, fall):
    old, end, falls = _levels(hunger=start), 9 * HOUR, {"hunger": fall} if fall else {}
    at_once = advanced(old, USUAL, end, falls, is_asleep=False)
    half = advanced(old, USUAL, cut, falls, is_asleep=False)
    in_two = advanced(half, USUAL, end, falls, is_asleep=False)
    assert in_two.levels["hunger"] == pytest.approx(at_once.levels["hunger"], abs=0.001)
    assert all(0 <= level <= MOST for level in in_two.levels.values())


def test_a_need_is_told_before_it_is_urgent():
    rates = USUAL.hunger
    assert not is_high(59, rates) and is_high(60, rates) and not is_urgent(79, rates)
    assert is_urgent(80, rates)


def test_the_moment_at_which_a_need_is_urgent_is_known_beforehand():
    levels = _levels(hunger=72.0, rest=0.0, hygiene=0.0, social=0.0, fun=0.0)
    at = urgent_at(levels, USUAL, {})
    assert at == HOUR
    then = advanced(levels, USUAL, at, {}, is_asleep=False)
    assert urgent_needs(then, USUAL) == ("hunger",)
    assert urgent_at(levels, USUAL, {"hunger": 200}) > 10 * HOUR


def test_a_need_that_was_considered_waits_before_it_is_considered_again():
    levels = NeedLevels(at=HOUR, levels={"hunger": 90.0}, asked={"hunger": HOUR})
    assert urgent_needs(levels, USUAL) == ()
    assert urgent_at(levels, USUAL, {}) == HOUR + AGAIN
    later = NeedLevels(at=HOUR + AGAIN, levels={"hunger": 90.0}, asked={"hunger": HOUR})
    assert urgent_needs(later, USUAL) == ("hunger",)


def test_a_bladder_is_had_where_it_is_wanted():
    assert USUAL.had() == NEEDS[:-1]
    wanted = Needs.model_validate({"bladder": 12})
    assert wanted.had() == NEEDS and (wanted.bladder.awake, wanted.bladder.asleep) == (
        12,
        pytest.approx(4.8),
    )
    assert "bladder" in first_levels(wanted, 0).levels
    assert Needs.model_validate({"fun": 0}).had() == ("hunger", "rest", "hygiene", "social")


def test_a_rate_alone_is_that_of_a_waking_hour_and_a_table_is_completed():
    alone = Needs.model_validate({"hunger": 4}).hunger
    assert (alone.awake, alone.asleep, alone.bound) == (4, 1, 80)
    table = Needs.model_validate({"rest": {"bound": 70}}).rest
    assert (table.awake, table.asleep, table.bound) == (4.5, 4.5, 70)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"hunger": -1}, {"hunger": 400}, {"hunger": float("nan")}, {"hunger": "much"}),
        *({"rest": {"bound": 5}}, {"rest": {"asleep": -3}}, {"thirst": 3}),
    ],
)
def test_an_impossible_rate_is_refused_once(wrong):
    with pytest.raises(ValidationError) as refused:
        Needs.model_validate(wrong)
    assert refused.value.error_count() == 1
