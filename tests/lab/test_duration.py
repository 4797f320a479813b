"""What is left of a run is counted in calls, not in hours of sleep."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.lab.doctor.estimate import BUDGETS, calls_an_agent_day
from smolville.lab.duration import (
    Estimate,
    busy_seconds,
    calls_for_whispers,
    in_words,
    midnights,
    time_left,
)

DAY = 86_400


def test_nights_do_not_count() -> None:
    assert busy_seconds(0, 6 * 3600) == 0
    assert busy_seconds(20 * 3600, DAY + 6 * 3600) == 0


def test_an_hour_of_the_morning_counts_as_two_of_the_afternoon() -> None:
    assert busy_seconds(8 * 3600, 9 * 3600) == busy_seconds(14 * 3600, 16 * 3600) == 7200
    assert busy_seconds(23 * 3600, DAY + 7 * 3600) == 7200
    assert busy_seconds(9 * 3600, 11 * 3600) == 3 * 3600
    assert busy_seconds(0, 2 * DAY) == 2 * 18 * 3600


def test_each_day_begins_once() -> None:
    assert midnights(0, DAY) == 1
    assert midnights(10, DAY) == 0
    assert midnights(10, 2 * DAY) == 1


def test_the_bar_moves_while_everybody_plans_at_the_first_midnight() -> None:
    estimate = Estimate(agents=3, start=0, goal=DAY, extra=18)
    before = estimate.fraction()
    for _ in range(10):
        estimate.count_call(served=False)
    assert before == 0
    assert 0.01 < estimate.fraction() < 0.1


def test_repairs_are_expected_as_often_as_they_were() -> None:
    estimate = Estimate(agents=3, start=0, goal=DAY, extra=18)
    before = estimate.calls_left()
    for _ in range(5):
        estimate.count_call(served=False)
        estimate.count_call(served=False, is_repair=True)
    assert estimate.calls_left() == pytest.approx(2 * (before - 5))


def test_what_is_waited_for_is_never_left_out() -> None:
    estimate = Estimate(agents=1, start=0, goal=3600, extra=0)
    for _ in range(50):
        estimate.count_call(served=False)
    assert estimate.calls_left() == 0
    estimate.open = 2
    assert estimate.calls_left() == 2


def test_what_the_doctor_measured_tells_the_time_before_the_first_call() -> None:
    estimate = Estimate(agents=3, start=0, goal=DAY, extra=18, a_call=20.0)
    expected = estimate.calls_left() * 20
    assert estimate.seconds_left(0) == pytest.approx(expected)
    assert estimate.seconds_left(200) == pytest.approx(3 * expected), "a long wait makes it grow"
    for _ in range(40):
        estimate.count_call(served=False)
    quick = estimate.seconds_left(80)
    assert quick is not None
    assert quick < expected / 4, "what is measured outweighs what was foreseen"


def test_the_budget_of_a_day_tells_how_many_calls_an_hour_has() -> None:
    few, many = BUDGETS
    assert calls_an_agent_day(3) == few.calls
    assert calls_an_agent_day(25) == calls_an_agent_day(100) == many.calls
    assert few.calls < calls_an_agent_day(10) < many.calls
    day = Estimate(agents=3, start=0, goal=DAY)
    assert day.calls_left() == pytest.approx(3 * few.calls)


def test_a_whisper_in_the_listeners_own_words_costs_no_call() -> None:
    own, other = "I am planning a party.", "You are planning a party."
    assert calls_for_whispers([own]) == 0
    assert calls_for_whispers([own, other, own, other, "I know you."]) == 3


def test_nothing_is_promised_before_enough_calls_were_made() -> None:
    estimate = Estimate(agents=3, start=0, goal=DAY)
    assert estimate.seconds_left(60) is None
    for _ in range(20):
        estimate.count_call(served=False)
    assert estimate.seconds_left(60) is not None


def test_calls_from_the_journal_cost_no_time() -> None:
    estimate = Estimate(agents=3, start=0, goal=DAY)
    for _ in range(100):
        estimate.count_call(served=True)
    assert estimate.seconds_left(60) is None


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20_000)), max_size=30))
def test_the_bar_never_goes_back_and_never_beyond_its_end(
    ticks: list[tuple[int, int]],
) -> None:
    estimate = Estimate(agents=3, start=0, goal=2 * DAY, extra=5)
    shown, at = 0.0, 0
    for calls, seconds in ticks:
        for _ in range(calls):
            estimate.count_call(served=False)
        at = min(2 * DAY, at + seconds)
        estimate.note_time(at)
        assert shown <= estimate.fraction() <= 1
        shown = estimate.fraction()


def test_a_wait_is_said_as_people_say_it() -> None:
    assert in_words(None) == ""
    assert in_words(12) == "under a minute left"
    assert in_words(150) == "2 min left"
    assert in_words(4000) == "1 h 07 min left"


def test_the_rest_of_equal_parts_is_told_once_one_is_done() -> None:
    assert time_left(0, 42, 90) == ""
    assert time_left(2, 42, 90) == "30 min left"
    assert time_left(42, 42, 90) == ""
