"""When somebody wakes, eats and goes to bed, as far as the persona's own words say it."""

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
    """The fixed points of somebody's usual day; None for what nobody says."""

    wake: int | None
    """Minute of the day."""
    bed: int | None
    """Minute of the day; one after midnight counts on from 1440."""
    meals: Mapping[str, int]
    """Minute of the day, by the meal."""


@lru_cache(maxsize=512)
def habits_of(lifestyle: str) -> Habits:
    """Return the habits that a text tells, in English."""
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
    """Return the minute that the first clause about something names."""
    times = (point_of(found[0]) for found in what.finditer(text))
    return next((minute for minute in times if minute is not None), None)
