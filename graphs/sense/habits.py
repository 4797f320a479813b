"""When somebody wakes up, eats and goes to bed, as far as the persona's own words say it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from graphs.spoken_times import DAY, point_of

MEALS = ("breakfast", "lunch", "dinner")
_MEAL = re.compile(r"\b(breakfast|lunch|dinner|supper)\b([^,.;]*)", re.IGNORECASE)
_WAKE = re.compile(r"\b(?:wakes?(?: up)?|gets? up|rises?|is up)\b[^,.;]*", re.IGNORECASE)
_BED = re.compile(r"\b(?:to bed|to sleep|bedtime|asleep|turns in|in bed)\b[^,.;]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Habits:
    """The fixed points of somebody's usual day; None for what the text does not say."""

    wake: int | None
    """Minute of the day."""
    bed: int | None
    """Minute of the day; past midnight it continues beyond 1440."""
    meals: Mapping[str, int]
    """Meal to minute of the day."""


@lru_cache(maxsize=512)
def habits_of(lifestyle: str) -> Habits:
    """Return the habits that an English text mentions."""
    bed = _moment(_BED, lifestyle)
    if bed is not None and bed < DAY // 2:
        bed += DAY
    meals: dict[str, int] = {}
    for found in _MEAL.finditer(lifestyle):
        minute = point_of(found[0])
        if minute is not None:
            meals.setdefault(found[1].lower().replace("supper", "dinner"), minute)
    return Habits(wake=_moment(_WAKE, lifestyle), bed=bed, meals=meals)


def _moment(what: re.Pattern[str], text: str) -> int | None:
    """Return the minute of the day in the first clause about an activity."""
    times = (point_of(found[0]) for found in what.finditer(text))
    return next((minute for minute in times if minute is not None), None)
