"""Days counted from today become dates, so that a memory of them does not age."""

from datetime import date

import pytest

from graphs.spoken_times import falls_on, is_over, replace_relative_days

MONDAY = date(2024, 5, 6)
PARTY = "The party is on Tuesday, May 7th, 2024, from 5pm to 7pm."


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Come to the soup evening tomorrow.", "Come to the soup evening on Tuesday 7 May."),
        ("Tomorrow evening at 7 I sing.", "On Tuesday 7 May in the evening at 7 I sing."),
        ("I bake until tonight.", "I bake until Monday 6 May in the evening."),
        ("Have you seen today's paper?", "Have you seen Monday 6 May's paper?"),
        ("The day after tomorrow is fine.", "On Wednesday 8 May is fine."),
        ("It rained yesterday.", "It rained yesterday."),
        ("See you tomorrow night, by tomorrow at the latest!",
         "See you on Tuesday 7 May at night, by Tuesday 7 May at the latest!"),
        ("It is today, Monday 6 May, at noon.", "It is today, Monday 6 May, at noon."),
        ("Hello! How are you today?", "Hello! How are you today?"),
        ("Ada, how can I help you today? It rains.", "Ada, how can I help you today? It rains."),
        ("How was it? Is the fair today?", "How was it? Is the fair on Monday 6 May?"),
        ("The fair is on Saturday.", "The fair is on Saturday."),
        ("", ""),
    ],
)  # fmt: skip
def test_a_day_counted_from_today_gets_its_date(said: str, kept: str) -> None:
    assert replace_relative_days(said, MONDAY, 1) == kept


def test_the_date_is_found_on_its_day_and_on_no_other() -> None:
    kept = replace_relative_days("We meet tomorrow at 17:00.", MONDAY, 26)
    assert kept == "We meet on Saturday 1 June at 17:00."
    assert falls_on(kept, "Saturday 1 June") and not falls_on(kept, "Sunday 2 June")


def test_yesterday_has_a_date_from_the_second_day_on() -> None:
    assert replace_relative_days("It rained yesterday.", MONDAY, 2) == "It rained on Monday 6 May."


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
