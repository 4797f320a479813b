"""Sense of a plan: a day by the persona's habits, meals at their hours and once, sleep at night."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from agents.plan import is_sleep
from agents.times import minute_at
from graphs.sense.check import ENGLISH, SenseCheck, Shown
from graphs.sense.copying import of_the_persona
from graphs.sense.habits import MEALS, Habits, habits_of
from graphs.sense.words import clock_words, minutes_in, words_of
from parsers.decompose import LONGEST, Subtasks
from parsers.plan_day import DayOutline
from parsers.plan_hours import HourlyPlan
from parsers.problem import Problem, field_problem

if TYPE_CHECKING:
    from graphs.decompose import DecomposeInput
    from graphs.plan_day import PlanDayInput
    from graphs.plan_hours import PlanHoursInput
    from graphs.replan import ReplanInput

DAY = 1440
NEAR = 120
"""Minutes by which a day may differ from a habit."""
SLACK = 45
"""Minutes by which a time in words may miss the time of its own entry."""
HOURS = {
    "breakfast": (4 * 60, 11 * 60 + 30),
    "lunch": (10 * 60 + 30, 16 * 60),
    "dinner": (960, 1380),
}
"""Minutes of the day between which people eat, where no habit says otherwise."""
_NO_NIGHT = (8 * 60 + 30, 18 * 60 + 30)
"""Nobody goes to bed for the night between these."""
_NAP = re.compile(r"\b(?:nap|naps|napping|doze|dozing|siesta)\b", re.IGNORECASE)
_NOT_EATING = re.compile(
    r"\b(?:cook|bak|prepar|mak|plann|shop|buy|fetch|serv|clean|clear|tidy|wash|set|lay|stock|after"
    r"|before|for|until|till|rush|order|dish|menu|invit|discuss|talk)\w*\b[^.]*$",
    re.IGNORECASE,
)


Promise = tuple[int, str]
"""A minute of the day that a text names, and the text."""


class Entry(NamedTuple):
    """One entry of a plan."""

    path: str
    start: int
    """Minute of the day."""
    end: int
    activity: str


def of_day(answer: DayOutline, inputs: "PlanDayInput", shown: Shown) -> Iterator[Problem]:
    """Give what in a day's outline is at an hour at which nobody does it, least of all this one."""
    entries = _entries("strokes", [(each.start, each.activity) for each in answer.strokes])
    habits = habits_of(inputs.me.lifestyle)
    told = _promises([inputs.requirement, *(memory.text for memory in inputs.memories)])
    wake = habits.wake
    if wake is not None and abs(answer.wake - wake) > NEAR and not _calls(answer.wake, wake, told):
        rest = f", but your habits say {clock_words(wake)}. Wake up within two hours of that."
        yield field_problem("wake", clock_words(answer.wake), rest, "hours")
    yield from _out_of_hours(entries, habits, told)


def of_hours(answer: HourlyPlan, inputs: "PlanHoursInput", shown: Shown) -> Iterator[Problem]:
    """Give what in a day's activities is at an hour at which nobody does it."""
    listed = [(each.start, each.activity) for each in answer.activities]
    told = _promises([inputs.requirement])
    told += [(minute_at(each.time), each.activity) for each in inputs.strokes]
    yield from _out_of_hours(_entries("activities", listed), habits_of(inputs.me.lifestyle), told)


def of_steps(
    answer: Subtasks, inputs: "DecomposeInput | ReplanInput", shown: Shown
) -> Iterator[Problem]:
    """Give the steps of a block that belong to another hour."""
    at, end = minute_at(inputs.start), minute_at(inputs.end) or DAY
    reason = getattr(inputs, "reason", "")
    around = words_of(f"{inputs.activity} {reason}")
    for number, each in enumerate(answer.subtasks):
        entry = Entry(f"subtasks.{number}.activity", at, at + each.minutes, each.activity)
        at += each.minutes
        yield from _wrong_time(entry, end, reason)
        is_night = is_sleep(inputs.activity) or is_sleep(reason)
        if not is_night and _goes_to_bed(entry) and _NO_NIGHT[0] <= entry.start <= _NO_NIGHT[1]:
            rest = f" at {clock_words(entry.start)}, in the middle of the day. Leave it out."
            yield field_problem(entry.path, each.activity, rest, "hours")
        meal = _meal_of(each.activity)
        if (
            meal
            and meal not in around
            and "supper" not in around
            and not _in_hours(meal, entry, None)
        ):
            rest = f" at {clock_words(entry.start)}, which is no time for {meal}. Leave it out."
            yield field_problem(entry.path, each.activity, rest, "hours")


def twice_over(
    answer: Subtasks, inputs: "DecomposeInput | ReplanInput", shown: Shown
) -> Iterator[Problem]:
    """Give the steps that are the one before once more, where one step could hold both."""
    for number, (before, each) in enumerate(pairwise(answer.subtasks), 1):
        is_one = before.minutes + each.minutes <= LONGEST
        if is_one and words_of(each.activity) == words_of(before.activity):
            rest = ", which is the step before once more."
            yield field_problem(f"subtasks.{number}.activity", each.activity, rest, "repeat")


def _out_of_hours(
    entries: Sequence[Entry], habits: Habits, told: Sequence[Promise]
) -> Iterator[Problem]:
    """Give the entries of a day that are out of their hours, or eat a meal twice."""
    eaten: set[str] = set()
    for entry in entries:
        yield from _wrong_time(entry, entry.end)
        is_last = entry is entries[-1]
        if _goes_to_bed(entry):
            yield from _bed_problems(entry, habits, told, is_last=is_last)
        meal = _meal_of(entry.activity)
        if not meal:
            continue
        usual = habits.meals.get(meal)
        is_in_hours = _in_hours(meal, entry, usual)
        if meal in eaten and not is_in_hours:
            rest = f", but {meal} is already planned. Eat it once."
            yield field_problem(entry.path, entry.activity, rest, "hours")
        elif not _in_hours(meal, entry, habits.meals.get(meal)) and not _is_told(
            entry.start, told, meal
        ):
            usual = habits.meals.get(meal)
            when = f"you have {meal} at {clock_words(usual)}" if usual else "that is no time for it"
            rest = f" at {clock_words(entry.start)}, but {when}."
            yield field_problem(entry.path, entry.activity, rest, "hours")
        eaten.add(meal)


def _bed_problems(
    entry: Entry, habits: Habits, told: Sequence[Promise], *, is_last: bool
) -> Iterator[Problem]:
    """Give a bedtime that is no bedtime, least of all this persona's."""
    start = entry.start if entry.start > 180 else entry.start + DAY
    bed = habits.bed
    off = bed is not None and abs(start - bed) > NEAR
    by_day = _NO_NIGHT[0] <= entry.start <= _NO_NIGHT[1] and (bed is None or off)
    is_kept_up = bed is not None and start > bed and _is_told(entry.start, told)
    if by_day or (is_last and off and not is_kept_up):
        when = f"you go to bed at {clock_words(bed)}" if bed is not None else "that is by day"
        rest = f" at {clock_words(entry.start)}, but {when}."
        yield field_problem(entry.path, entry.activity, rest, "hours")


def _wrong_time(entry: Entry, end: int, told: str = "") -> Iterator[Problem]:
    """Give an entry whose words name another time than its own; `told` may name it too."""
    allowed = minutes_in(told)
    for minute in minutes_in(entry.activity):
        is_own = entry.start - SLACK <= minute <= end + SLACK
        if not is_own and minute not in allowed:
            rest = (
                f", but it starts at {clock_words(entry.start)}. Write what you do, "
                "without times of day."
            )
            yield field_problem(entry.path, entry.activity, rest, "hours")
            return


def _in_hours(meal: str, entry: Entry, usual: int | None) -> bool:
    """Whether a meal is near its hour: this persona's own, or anybody's."""
    if usual is not None and entry.start - NEAR <= usual <= max(entry.end, entry.start) + NEAR:
        return True
    first, last = HOURS[meal]
    return usual is None and first <= entry.start <= last


def _meal_of(activity: str) -> str:
    """Return the meal that an activity eats; empty for none, and where it is only prepared."""
    words = words_of(activity.lower().replace("supper", "dinner"))
    for meal in MEALS:
        if meal in words:
            before = " ".join(words[: words.index(meal)])
            is_eaten = "eat" in before or "hav" in before
            return meal if is_eaten or not _NOT_EATING.search(before) else ""
    return ""


def _goes_to_bed(entry: Entry) -> bool:
    return is_sleep(entry.activity) and not _NAP.search(entry.activity)


def _calls(wake: int, habit: int, told: Sequence[Promise]) -> bool:
    """Whether something that was told of gets somebody up early."""
    return wake < habit and any(wake <= minute <= wake + NEAR for minute, _ in told)


def _is_told(minute: int, told: Sequence[Promise], word: str = "") -> bool:
    """Whether something that was told of is at about that time, and speaks of a word."""
    return any(abs(minute - at) <= NEAR // 2 and word in text.lower() for at, text in told)


def _promises(texts: Sequence[str]) -> list[Promise]:
    """Return what texts tell of, each time of day in them with its text."""
    return [(minute, text) for text in texts for minute in minutes_in(text)]


def _entries(name: str, listed: Sequence[tuple[int, str]]) -> list[Entry]:
    """Return the entries of a day; each lasts until the next one."""
    ends = [start for start, _ in listed[1:]] + [DAY]
    return [
        Entry(f"{name}.{number}.activity", start, end, activity)
        for number, ((start, activity), end) in enumerate(zip(listed, ends, strict=True))
    ]


DAY_CHECKS: tuple[SenseCheck[Any, Any], ...] = (
    SenseCheck(look=of_day, action="ask", languages=ENGLISH),
)
HOURS_CHECKS: tuple[SenseCheck[Any, Any], ...] = (
    SenseCheck(look=of_hours, action="ask", languages=ENGLISH),
    SenseCheck(look=of_the_persona, action="mark"),
)
STEPS_CHECKS: tuple[SenseCheck[Any, Any], ...] = (
    SenseCheck(look=of_steps, action="ask", languages=ENGLISH),
    SenseCheck(look=twice_over, action="mark"),
    SenseCheck(look=of_the_persona, action="mark"),
)
