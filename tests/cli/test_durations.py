"""How long, and until when."""

import pytest

from smolville.agents.errors import RunError
from smolville.cli.run.settings import goal_of, read_span


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("1d", 86_400),
        ("6h", 21_600),
        ("90m", 5_400),
        ("1d 6h", 108_000),
        ("1.5h", 5_400),
        ("300steps", 3_000),
        ("1 step", 10),
    ],
)
def test_a_length_of_time_is_read(text: str, span: int) -> None:
    assert read_span(text, tick_seconds=10) == span


@pytest.mark.parametrize("text", ["", "0h", "-1d", "1d300steps"])
def test_what_is_no_length_of_time_is_told_how_to_write_it(text: str) -> None:
    with pytest.raises(RunError, match="6h, 90m or 300steps"):
        read_span(text, tick_seconds=10)


def test_a_goal_is_a_day_and_a_clock() -> None:
    assert goal_of(None, "2 12:00", 0, 10) == 129_600
    assert goal_of(None, None, 0, 10) is None


def test_a_goal_lies_ahead() -> None:
    with pytest.raises(RunError, match="already at 2 12:00"):
        goal_of(None, "2 12:00", 129_600, 10)
    with pytest.raises(RunError, match="begins at 1 00:00"):
        goal_of(None, "1 00:00", 0, 10)


def test_a_goal_has_a_date() -> None:
    with pytest.raises(RunError, match="beyond the last day"):
        goal_of("9999999d", None, 0, 10)
    with pytest.raises(RunError, match="beyond the last day"):
        goal_of("999999999steps", None, 86_400, 3600)
    assert goal_of(None, "9999 24:00", 0, 10) == 9999 * 86_400


def test_a_goal_that_is_no_moment_is_told_how_to_write_it() -> None:
    with pytest.raises(RunError, match="write the day and the clock"):
        goal_of(None, "noon", 0, 10)
