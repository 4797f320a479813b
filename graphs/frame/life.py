"""The fixed times of somebody's days: those of the persona's `[habits]`, or usual ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from smolville.agents.habits import EVENING, NEVER, Habits, Meal
from smolville.agents.persona import Persona
from smolville.agents.times import DAY, clock, date_text, minute_at

WAKE, BED, WORK = "wake", "bed", "work"
MEALS = {"breakfast": 30, "lunch": 45, "dinner": 60}
"""The meals, and the minutes that each takes."""
USUAL = {WAKE: "07:00", BED: "22:30", "breakfast": "", "lunch": "12:30", "dinner": "18:30"}
"""Times that no field gives; breakfast is half an hour after getting up."""
LATEST_BED = DAY - 15


@dataclass(frozen=True, slots=True)
class Duty:
    """An activity that a day must contain at a fixed time."""

    start: int
    """Minute of the day."""
    end: int
    activity: str
    """The activity in -ing form, with its place if one is named."""
    meal: str = ""
    """`breakfast`, `lunch` or `dinner`; empty if it is work."""


@dataclass(frozen=True, slots=True)
class Life:
    """The fixed times of somebody's day."""

    wake: int
    bed: int
    meals: tuple[Duty, ...]
    duties: tuple[Duty, ...]


def life_of(habits: Habits, day: str, *, is_english: bool = True) -> Life:
    """Return the fixed times of a day, such as `Monday 6 May`.

    A usual meal is left out if work holds it, and where its English words have no place.
    """
    work = [each for each in habits.work or () if day.split(" ")[0] in each.days]
    duties = [Duty(minute_at(each.start), minute_at(each.end), each.activity) for each in work]
    held = " ".join(each.activity for each in duties)
    meals = [
        Duty(minute, minute + MEALS[name], activity, name)
        for name, minute, activity, is_told in _meals(habits)
        if minute is not None and (is_told or (is_english and name not in held))
    ]
    bed = minute_at(habits.bed or USUAL[BED])
    return Life(
        wake=minute_at(habits.wake or USUAL[WAKE]),
        bed=LATEST_BED if bed < EVENING else min(bed, LATEST_BED),
        meals=tuple(sorted(meals, key=lambda each: each.start)),
        duties=tuple(sorted(duties, key=lambda each: each.start)),
    )


def _meals(habits: Habits) -> Iterator[tuple[str, int | None, str, bool]]:
    """Yield each meal: name, minute (None for never), activity, and whether a field gives it."""
    for name in MEALS:
        told: Meal | None = getattr(habits.meals, name)
        if told is not None:
            yield name, told.minute, told.activity or f"having {name}", True
        elif USUAL[name]:
            yield name, minute_at(USUAL[name]), f"having {name}", False
        else:
            yield name, minute_at(habits.wake or USUAL[WAKE]) + 30, f"having {name}", False


class FixedPoint(NamedTuple):
    """One fixed time of somebody's days."""

    name: str
    """`wake`, `bed`, a meal, or `work`."""
    time: str
    """`06:00`, a time span for work, or `never`."""
    activity: str
    is_told: bool
    """Whether a field of the persona file gives it."""
    days: tuple[str, ...] = ()
    """The weekdays to which it applies; empty for all days that were asked about."""


def fixed_points(habits: Habits, dates: Sequence[str]) -> tuple[FixedPoint, ...]:
    """Return the fixed times of somebody's days on these dates: habits first, then the work."""
    found = [
        FixedPoint(WAKE, habits.wake or USUAL[WAKE], "up", habits.wake is not None),
        FixedPoint(BED, habits.bed or USUAL[BED], "to bed", habits.bed is not None),
    ]
    held = " ".join(each.activity for each in habits.work or ())
    for name, minute, activity, is_told in _meals(habits):
        if is_told or name not in held:
            time = NEVER if minute is None else clock(minute)
            found.append(FixedPoint(name, time, "" if minute is None else activity, is_told))
    days: dict[Duty, list[str]] = {}
    for day in dates:
        for duty in life_of(habits, day).duties:
            days.setdefault(duty, []).append(day.split(" ")[0])
    for duty, named in sorted(days.items(), key=lambda each: each[0].start):
        span = f"{clock(duty.start)}-{clock(duty.end)}"
        which = () if len(named) == len(dates) else tuple(named)
        found.append(FixedPoint(WORK, span, duty.activity, True, which))
    return tuple(found)


def fixed_points_of_week(persona: Persona, start_date: date) -> tuple[FixedPoint, ...]:
    """Return the fixed times of somebody's first week."""
    return fixed_points(persona.habits, [date_text(start_date, day) for day in range(1, 8)])


def notes_on_habits(persona: Persona) -> Iterator[str]:
    """Yield a sentence on the times, and one on the work, that no field of a persona gives."""
    points = fixed_points(persona.habits, ())
    if usual := ", ".join(f"{each.name} {each.time}" for each in points if not each.is_told):
        yield f"{persona.name}: usual hours are taken: {usual}. Write your own as [habits]."
    if persona.habits.work is None:
        yield (
            f"{persona.name}: no hours of work are given; write what any day must hold as "
            "`work` in [habits], `work = []` if there is nothing."
        )


def format_habits(life: Life) -> str:
    """Return on one line when somebody gets up, eats and goes to bed."""
    meals = [f"{clock(meal.start)} {meal.activity}" for meal in life.meals]
    return "; ".join([f"{clock(life.wake)} up", *meals, f"{clock(life.bed)} to bed"])


def format_duties(duties: Sequence[Duty]) -> str:
    """Return the duties of a day with their times, on one line; empty if there are none."""
    return "; ".join(f"{clock(each.start)}-{clock(each.end)} {each.activity}" for each in duties)
