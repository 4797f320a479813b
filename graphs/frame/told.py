"""Describe in words what code has read of somebody's routine."""

from collections.abc import Sequence

from agents.times import clock
from graphs.frame.life import Duty, Life


def habits_told(life: Life) -> str:
    """Return when somebody gets up, eats and goes to bed, on one line."""
    meals = [f"{clock(meal.start)} {meal.activity}" for meal in life.meals]
    return "; ".join([f"{clock(life.wake)} up", *meals, f"{clock(life.bed)} to bed"])


def duties_told(duties: Sequence[Duty]) -> str:
    """Return the duties of a day with their times, on one line; empty if there are none."""
    return "; ".join(f"{clock(each.start)}-{clock(each.end)} {each.activity}" for each in duties)
