"""The fixed times of somebody's days, with their sources (field, words, default), and notes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from smolville.agents.habits import NEVER, Habits
from smolville.agents.persona import Persona
from smolville.agents.times import DAY, clock, date_text, minute_at
from smolville.graphs.context import who_of
from smolville.graphs.frame.habits import BED, WAKE, Habit, Source, habits_in, habits_of
from smolville.graphs.frame.life import Duty, life_of
from smolville.graphs.prompt_inputs import PersonaInput

WORK = "work"
"""Name of the fixed times of work, beside those of the habits."""
_NAMES = {WAKE: "up", BED: "to bed"}

_WORDS = {"wake": "getting up", "bed": "going to bed"}
_NEAR = 30
"""Minutes by which a field and words may differ, since words say "around six"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedPoint:
    """One fixed time of somebody's days, and where it comes from."""

    name: str
    """`wake`, `bed`, a meal, or `work`."""
    time: str
    """`06:00`, a time span for work, or `never`."""
    activity: str
    days: tuple[str, ...] = ()
    """The weekdays to which it applies; empty for all days that were asked about."""
    source: Source
    words: str = ""
    """The words from which it was read."""

    def origin(self) -> str:
        """Return the source of the time in a few words."""
        if self.source == "field":
            inner = self.name if self.name in (WAKE, BED, WORK) else f"meals.{self.name}"
            return f"field habits.{inner}"
        if self.source == "words":
            return f'words "{self.words}"'
        return f'no hour told: "{self.words}"' if self.words else "usual: no hour told"

    def plain(self) -> dict[str, object]:
        """Return the fixed time as plain data."""
        return {
            "name": self.name,
            "time": self.time,
            "activity": self.activity,
            "days": list(self.days),
            "source": self.source,
            "words": self.words,
        }


def fixed_points(
    me: PersonaInput,
    requirement: str,
    dates: Sequence[str],
    *,
    is_english: bool = True,
) -> tuple[FixedPoint, ...]:
    """Return the fixed times of somebody's days on these dates: habits first, then the work."""
    habits = habits_of(me, is_english=is_english)
    return (
        *(_of_habit(habit) for habit in habits.values()),
        *_of_work(me, requirement, dates, is_english=is_english),
    )


def _of_habit(habit: Habit) -> FixedPoint:
    """Return a habit as a fixed time."""
    return FixedPoint(
        name=habit.name,
        time="never" if habit.minute is None else clock(habit.minute % DAY),
        activity=_NAMES.get(habit.name, habit.activity if habit.minute is not None else ""),
        source=habit.source,
        words=habit.words,
    )


def _of_work(
    me: PersonaInput, requirement: str, dates: Sequence[str], *, is_english: bool
) -> Iterator[FixedPoint]:
    """Yield the duties by time of day, with their weekdays unless they are on all the days."""
    found: dict[Duty, list[str]] = {}
    for day in dates:
        life = life_of(me, requirement, day, is_english=is_english)
        for duty in life.duties:
            found.setdefault(duty, []).append(day.split(" ")[0])
    for duty, days in sorted(found.items(), key=lambda each: each[0].start):
        yield FixedPoint(
            name=WORK,
            time=f"{clock(duty.start)}-{clock(duty.end)}",
            activity=duty.activity,
            days=() if len(days) == len(dates) else tuple(days),
            source=duty.source,
            words=duty.words,
        )


def habits_in_town(persona: Persona, start_date: date) -> tuple[FixedPoint, ...]:
    """Return the fixed times of somebody's first week, and where each of them comes from."""
    me, required = who_of(persona, persona.currently), persona.daily_requirement
    dates = [date_text(start_date, day) for day in range(1, 8)]
    return fixed_points(me, required, dates)


def notes_on_habits(persona: Persona, points: tuple[FixedPoint, ...]) -> Iterator[str]:
    """Yield a sentence on each time that no field gives and that could not be read from words."""
    for each, words in _contradictions(persona, points):
        told = each.time if each.time == NEVER else f"at {each.time}"
        yield (
            f'{persona.name}: the words "{words}" and the {each.origin()} ({told}) differ; let '
            "both say the same, since models read the words."
        )
    usual = [each for each in points if each.source == "usual" and each.name != WORK]
    if usual:
        what = ", ".join(f"{_WORDS.get(each.name, each.name)} {each.time}" for each in usual)
        yield (
            f"{persona.name}: `lifestyle` does not tell these hours in words that can be read, so "
            f"usual ones are taken: {what}. Write your own as [habits]."
        )
    timed = [each for each in points if each.name == WORK and each.source != "usual"]
    if persona.habits.work is None and not timed:
        yield (
            f"{persona.name}: `daily_requirement` tells no hours that can be read; write what any "
            "day must hold as [[habits.work]], or `work = []` in [habits] if there is nothing."
        )


def _contradictions(
    persona: Persona, points: tuple[FixedPoint, ...]
) -> Iterator[tuple[FixedPoint, str]]:
    """Yield the fields whose time differs from the one in words, with these words."""
    read = habits_in(Habits(), persona.lifestyle)
    for each in points:
        words = read.get(each.name)
        if each.source != "field" or words is None or words.told is None:
            continue
        if each.time == NEVER or abs(minute_at(each.time) - words.told) > _NEAR:
            yield each, words.words
