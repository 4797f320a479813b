"""Dates in plain sentences are found on their day, and known to be past after it."""

import pytest

from smolville.graphs.standin.spoken_times import falls_on, is_over

PARTY = "The party is on Tuesday, May 7th, 2024, from 5pm to 7pm."


def test_a_date_is_found_on_its_day_and_on_no_other() -> None:
    text = "We meet on Saturday 1 June at 17:00."
    assert falls_on(text, "Saturday 1 June") and not falls_on(text, "Sunday 2 June")


@pytest.mark.parametrize(
    ("text", "now", "over"),
    [
        (PARTY, "Tuesday 7 May, 18:59", False),
        (PARTY, "Tuesday 7 May, 19:00", True),
        (PARTY, "Monday 6 May, 20:00", False),
        (
            PARTY,
            "Wednesday 8 May, 01:00",
            True,
        ),
        ("We meet on 7 May at 17:00.", "Tuesday 7 May, 18:59", False),
        ("We meet on 7 May at 17:00.", "Tuesday 7 May, 19:00", True),
        ("The fair is on 7 May.", "Tuesday 7 May, 23:59", False),
        ("It was on 7 May, and comes back on 9 May.", "Wednesday 8 May, 12:00", False),
        ("The ball is on 1 January.", "Tuesday 31 December, 12:00", False),
        ("The ball was on 31 December.", "Wednesday 1 January, 12:00", True),
        ("The fair is on Saturday.", "Sunday 12 May, 12:00", False),
    ],
)
def test_what_is_past_is_known_by_its_date(text: str, now: str, over: bool) -> None:
    assert is_over(text, now) == over
