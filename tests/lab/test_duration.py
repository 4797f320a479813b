"""How long a run takes: calls that are left, times the measured seconds of one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.lab.duration import (
    CALLS_A_DAY,
    Estimate,
    calls_of_day,
    in_words,
    time_left,
)

DAY, HOUR = 86_400, 3600


def test_a_day_has_the_calls_that_were_counted_and_they_fall_into_waking_hours() -> None:
    for agents, calls in CALLS_A_DAY.items():
        assert calls_of_day(agents) == pytest.approx(agents * calls)
    assert 3 * 47 < calls_of_day(10) / 10 * 3 < 3 * 87
    assert calls_of_day(3, 20 * HOUR, DAY) == 0, "nights have no calls"
    assert calls_of_day(3, 0, 6 * HOUR) == 9, "a day begins with a plan"
    assert calls_of_day(3, goal=3 * DAY) == pytest.approx(3 * calls_of_day(3))
    parts = calls_of_day(3, 0, 13 * HOUR) + calls_of_day(3, 13 * HOUR, DAY)
    assert parts == pytest.approx(calls_of_day(3))


def test_the_seconds_of_a_call_are_the_runs_own() -> None:
    estimate = Estimate(agents=3, goal=DAY)
    assert estimate.seconds_left(0) is None
    for _ in range(10):
        estimate.count_call(served=False)
    assert estimate.seconds_left(10) == pytest.approx(3 * 47)
    unknown = Estimate(agents=3, goal=DAY)
    for _ in range(100):
        unknown.count_call(served=True)
    assert unknown.seconds_left(60) is None, "calls from the journal tell no time"


def test_what_is_waited_for_is_never_left_out() -> None:
    estimate = Estimate(agents=1, at=21 * HOUR, goal=22 * HOUR)
    assert estimate.calls_left() == 0
    estimate.open = 2
    assert estimate.calls_left() == 2


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20_000)), max_size=30))
def test_the_bar_never_goes_back_and_never_beyond_its_end(ticks: list[tuple[int, int]]) -> None:
    estimate = Estimate(agents=3, goal=2 * DAY)
    shown = 0.0
    for calls, seconds in ticks:
        for _ in range(calls):
            estimate.count_call(served=False)
        estimate.at = min(2 * DAY, estimate.at + seconds)
        assert shown <= estimate.fraction() <= 1
        shown = estimate.fraction()


def test_a_wait_is_said_as_people_say_it() -> None:
    said = {None: "", 12: "under a minute left", 150: "2 min left", 4000: "1 h 07 min left"}
    assert {seconds: in_words(seconds) for seconds in said} == said
    assert [time_left(done, 42, 90) for done in (0, 2, 42)] == ["", "30 min left", ""]
