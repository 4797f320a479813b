"""The source of each fixed point of somebody's days: a field, words, or a default."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.times import DAY, clock
from graphs.frame.habits import BED, WAKE, Habit, Source, habits_of
from graphs.frame.life import Duty, life_of
from graphs.prompt_inputs import PersonaInput

WORK = "work"
"""The name of what a day must hold, beside those of the habits."""
_NAMES = {WAKE: "up", BED: "to bed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedPoint:
    """One fixed point of somebody's days, and where it comes from."""

    name: str
    """`wake`, `bed`, a meal, or `work`."""
    time: str
    """`06:00`, a span for work, or `never`."""
    activity: str
    days: tuple[str, ...] = ()
    """The weekdays on which it stands; empty for all that were asked about."""
    source: Source
    words: str = ""
    """The words from which it was read."""

    def origin(self) -> str:
        """Return the origin of a fixed point, in a few words."""
        if self.source == "field":
            inner = self.name if self.name in (WAKE, BED, WORK) else f"meals.{self.name}"
            return f"field habits.{inner}"
        if self.source == "words":
            return f'words "{self.words}"'
        return f'no hour told: "{self.words}"' if self.words else "usual: no hour told"

    def plain(self) -> dict[str, object]:
        """Return a fixed point as plain data."""
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
    usual: str = "",
    is_english: bool = True,
) -> tuple[FixedPoint, ...]:
    """Return the fixed points of somebody's days on these dates: habits first, then the work."""
    habits = habits_of(me, is_english=is_english)
    return (
        *(_of_habit(habit) for habit in habits.values()),
        *_of_work(me, requirement, dates, usual, is_english=is_english),
    )


def _of_habit(habit: Habit) -> FixedPoint:
    """Return a habit as a fixed point."""
    return FixedPoint(
        name=habit.name,
        time="never" if habit.minute is None else clock(habit.minute % DAY),
        activity=_NAMES.get(habit.name, habit.activity if habit.minute is not None else ""),
        source=habit.source,
        words=habit.words,
    )


def _of_work(
    me: PersonaInput, requirement: str, dates: Sequence[str], usual: str, *, is_english: bool
) -> Iterator[FixedPoint]:
    """Yield the duties of the days in order of time, with weekdays unless they are on all days."""
    found: dict[Duty, list[str]] = {}
    for date in dates:
        life = life_of(me, requirement, date, usual=usual, is_english=is_english)
        for duty in life.duties:
            found.setdefault(duty, []).append(date.split(" ")[0])
    for duty, days in sorted(found.items(), key=lambda each: each[0].start):
        yield FixedPoint(
            name=WORK,
            time=f"{clock(duty.start)}-{clock(duty.end)}",
            activity=duty.activity,
            days=() if len(days) == len(dates) else tuple(days),
            source=duty.source,
            words=duty.words,
        )
