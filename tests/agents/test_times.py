"""Town time, as counted and as written."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.times import (
    at_of,
    date_text,
    day_of,
    long_text,
    minute_of,
    moment,
    read_moment,
)

START = date(2024, 5, 6)


@given(st.integers(1, 400), st.integers(0, 1439))
def test_a_minute_of_a_day_is_found_again(day, minute):
    at = at_of(day, minute)
    assert (day_of(at), minute_of(at)) == (day, minute)
    assert (day_of(at + 59), minute_of(at + 59)) == (day, minute)


@given(st.integers(0, 400 * 86_400))
def test_a_moment_is_read_as_it_was_written(at):
    assert read_moment(moment(at)) == at


@pytest.mark.parametrize(
    ("text", "at"),
    [("1 00:00", 0), ("2 12:00", 129_600), (" day 1  7:05 ", 25_500), ("Day 3 0:00:10", 172_810)],
)
def test_a_moment_is_read_in_the_ways_people_write_it(text, at):
    assert read_moment(text) == at


@pytest.mark.parametrize(
    "text",
    ["", "12:00", "2", "two 12:00", "0 12:00", "1 24:01", "1 24:00:30", "1 25:00", "1 12:60",
     "1 12:00:60", "1 12:00 pm", "-1 12:00"],
)  # fmt: skip
def test_what_is_no_moment_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match="is not a town time") as caught:
        read_moment(text)
    assert repr(text) in str(caught.value)


def test_dates_read_as_people_write_them():
    assert date_text(START, 1) == "Monday 6 May"
    assert date_text(START, 27) == "Saturday 1 June"
    assert long_text(START, at_of(2, 460)) == "Tuesday 7 May, 07:40"
