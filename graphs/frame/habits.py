"""Read when somebody gets up, eats and goes to bed: from fields, or words, or defaults."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from smolville.agents.habits import EARLIEST, LATEST, Habits, Meal
from smolville.agents.times import minute_at
from smolville.graphs.prompt_inputs import PersonaInput
from smolville.graphs.spoken_times import point_of, read_times

_MEALS = re.compile(r"\b(breakfast|lunch|dinner|supper)\b([^,.;]*)", re.IGNORECASE)
_WAKE = re.compile(r"\b(?:wakes?(?: up)?|gets? up|rises?|is up|up)\b[^,.;]*", re.IGNORECASE)
_BED = re.compile(r"\b(?:to bed|to sleep|bedtime|asleep|turns in|in bed)\b[^,.;]*", re.IGNORECASE)
_ASIDE = re.compile(r" (?:every day|each day|once .*|as usual)$")

Source = Literal["field", "words", "usual"]
"""Origin of a fixed time: a field of the persona file, the persona's words, or the usual time if
neither states one."""
WAKE, BED = "wake", "bed"
MEALS = ("breakfast", "lunch", "dinner")
USUAL = {WAKE: 7 * 60, BED: 22 * 60 + 30, "lunch": 12 * 60 + 30, "dinner": 18 * 60 + 30}
"""Default minutes of the day for habits that are stated nowhere; breakfast follows waking up."""


@dataclass(frozen=True, slots=True)
class Habit:
    """A fixed time of somebody's usual day, and its origin."""

    name: str
    """`wake`, `bed` or a meal."""
    minute: int | None
    """Minute of the day as stated; None for a meal that the person never has."""
    activity: str = ""
    """The activity in the plan; empty for waking and bed."""
    source: Source = "usual"
    words: str = ""
    """The words from which it was read."""

    @property
    def told(self) -> int | None:
        """The minute of the day that the persona states for the habit; None if none."""
        return None if self.source == "usual" else self.minute


def habits_of(me: PersonaInput, *, is_english: bool = True) -> Mapping[str, Habit]:
    """Return somebody's fixed times by name: waking and bed first, then the meals.

    Only English words are read. In another language, a meal without a field is left out, so that a
    model plans it.
    """
    return habits_in(me.habits, me.lifestyle if is_english else "", is_english)


@lru_cache(maxsize=512)
def habits_in(fields: Habits, lifestyle: str, is_english: bool = True) -> Mapping[str, Habit]:
    """Return the fixed times stated in fields or words, with defaults for all others."""
    wake = _moment(WAKE, fields.wake, _WAKE, lifestyle)
    found = {WAKE: wake, BED: _moment(BED, fields.bed, _BED, lifestyle)}
    said = {habit.name: habit for habit in _read_meals(lifestyle)}
    for name in MEALS:
        field: Meal | None = getattr(fields.meals, name)
        if field is not None:
            known = said[name].activity if name in said else f"having {name}"
            found[name] = Habit(name, field.minute, field.activity or known, "field")
        elif name in said:
            found[name] = said[name]
        elif is_english:
            usual = USUAL.get(name, waking_minute(wake) + 30)
            found[name] = Habit(name, usual, f"having {name}")
    return MappingProxyType(found)


def waking_minute(wake: Habit) -> int:
    """Return the minute at which somebody's days begin; it is always in the morning."""
    minute = USUAL[WAKE] if wake.minute is None else wake.minute
    return max(EARLIEST, min(minute - 12 * 60 if minute >= 12 * 60 else minute, LATEST))


def _moment(name: str, field: str | None, what: re.Pattern[str], lifestyle: str) -> Habit:
    """Return when somebody gets up or goes to bed."""
    if field is not None:
        return Habit(name, minute_at(field), source="field")
    for found in what.finditer(lifestyle):
        minute = point_of(found[0])
        if minute is not None:
            first = found[0].split(" and ")[0]
            words = first if point_of(first) == minute else found[0]
            return Habit(name, minute, source="words", words=words.strip())
    return Habit(name, USUAL[name])


def _read_meals(lifestyle: str) -> Iterator[Habit]:
    """Yield the meals whose time a text states, each once."""
    seen: set[str] = set()
    for found in _MEALS.finditer(lifestyle):
        meal = found[1].lower().replace("supper", "dinner")
        times = read_times(found[0])
        if times.start is not None and meal not in seen:
            seen.add(meal)
            rest = _ASIDE.sub("", times.rest)
            activity = f"having {rest[:1].lower()}{rest[1:]}"
            yield Habit(meal, times.start, activity, "words", found[0].strip())
