"""Times of day as small models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from smolville.parsers.clock import Clock, clock_text, halves_of


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("07:40", "07:40"), ("7:40", "07:40"), ("7am", "07:00"), ("7:00 am", "07:00"),
        ("7", "07:00"), ("7:30 PM", "19:30"), ("12am", "00:00"), ("12:15 p.m.", "12:15"),
        ("13:30 pm", "13:30"), ("noon", "12:00"), ("Midnight", "00:00"), ("7.30 pm", "19:30"),
        ("8 o'clock", "08:00"), ("08:00:00", "08:00"), ("around 9:15", "09:15"), ("0", "00:00"),
        ("2023-02-13 06:45", "06:45"), ("7:00 a.m.", "07:00"), ("7 a. m.", "07:00"),
        ("19.30", "19:30"), ("1930", "19:30"), ("19:30 Uhr", "19:30"), ("07h30", "07:30"),
        ("12 noon", "12:00"), ("24:00", "00:00"),
    ],
)  # fmt: skip
def test_a_time_is_read_in_many_forms(text: str, clock: str) -> None:
    assert clock in [clock_text(minute) for minute in halves_of(text)]


@pytest.mark.parametrize(
    "text",
    [
        "", "24:30", "25:00", "7:60", "0 pm", "15am", "soon", "7 or 8", "730", "-1", "7:4",
        "half past seven", "7 hours", "13 am", "6:30 - 7 pm", "07:00 - 08:00", "twelve", "3 noon",
    ],
)  # fmt: skip
def test_a_time_in_doubt_is_not_read(text: str) -> None:
    assert halves_of(text) == ()


@given(st.integers(0, 1439))
def test_every_minute_is_written_and_read_again(minute: int) -> None:
    clock = TypeAdapter(Clock)
    assert clock.validate_python(clock.dump_python(minute)) == minute
    assert clock.validate_python(minute) == minute


@pytest.mark.parametrize("value", [-1, 1440, True, 7.5, None, "later"])
def test_what_is_no_time_of_day_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Clock).validate_python(value)
