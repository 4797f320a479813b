"""Sense checks of plans: the persona's habits, each meal once and at its time, sleep at night."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from smolville.agents.plan import is_sleep
from smolville.agents.times import minute_at
from smolville.graphs.frame.habits import MEALS, Habit, habits_of
from smolville.graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from smolville.graphs.sense.words import clock_words, minutes_in, words_of
from smolville.graphs.spoken_times import DAY
from smolville.parsers.decompose import Subtasks
from smolville.parsers.plan_day import DayOutline
from smolville.parsers.plan_hours import HourlyPlan
from smolville.parsers.problem import Problem, field_problem

if TYPE_CHECKING:
    from smolville.graphs.decompose import DecomposeInput
    from smolville.graphs.plan_day import PlanDayInput
    from smolville.graphs.plan_hours import PlanHoursInput
    from smolville.graphs.replan import ReplanInput


NEAR = 120
"""Minutes by which a day may differ from a habit."""
SLACK = 45
"""Minutes by which a time mentioned in an entry may be outside the entry's own time."""
HOURS = {
    "breakfast": (4 * 60, 11 * 60 + 30),
    "lunch": (10 * 60 + 30, 16 * 60),
    "dinner": (960, 1380),
}
"""Minutes of the day between which people eat, if no habit says otherwise."""
_SPOKEN_OF = re.compile(
    r"\b(?:that|whether|if|when|about|by|before|after|until|till|for|to|of)\b", re.IGNORECASE
)
_NO_NIGHT = (8 * 60 + 30, 18 * 60 + 30)
"""Minutes of the day between which nobody goes to bed for the night."""
_NAP = re.compile(r"\b(?:nap|naps|napping|doze|dozing|siesta)\b", re.IGNORECASE)
_NOT_EATING = re.compile(
    r"\b(?:cook|bak|prepar|mak|plann|shop|buy|fetch|serv|clean|clear|tidy|wash|set|lay|stock|after"
    r"|before|for|until|till|rush|order|dish|menu|invit|discuss|talk)\w*\b[^.]*$",
    re.IGNORECASE,
)


class PlanEntry(NamedTuple):
    """One entry of a plan."""

    path: str
    start: int
    """Minute of the day."""
    end: int
    activity: str


def of_day(answer: DayOutline, inputs: "PlanDayInput", shown: CheckContext) -> Iterator[Problem]:
    """Yield parts of a day's outline at an hour wrong for anybody, or wrong for this persona."""
    parts = (
        PlanEntry("morning", answer.wake, 12 * 60, answer.morning),
        PlanEntry("afternoon", 12 * 60, 18 * 60, answer.afternoon),
        PlanEntry("evening", 18 * 60, DAY, answer.evening),
    )
    habits = habits_of(inputs.me)
    for entry in parts:
        yield from _wrong_time(entry, entry.end, inputs.requirement)
        if _goes_to_bed(entry) and entry.path != "evening":
            rest = f" in the {entry.path}. Write what you do while you are up."
            yield field_problem(entry.path, entry.activity, rest, "hours")
        meal = meal_of(entry.activity)
        habit = habits.get(meal)
        if habit is not None and habit.minute is None:
            yield _never_had(entry, meal)
        elif habit is not None and not _is_due(habit, entry):
            rest = f" in the {entry.path}, which is no time for {meal}. Leave it out."
            yield field_problem(entry.path, entry.activity, rest, "hours")
    for before, each in pairwise(parts):
        if words_of(before.activity) == words_of(each.activity):
            rest = f", which is what you want to do in the {before.path} already."
            yield field_problem(each.path, each.activity, rest, "repeat")


def of_hours(
    answer: HourlyPlan, inputs: "PlanHoursInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield activities for a day's gaps that are at a wrong time, or are already in the day."""
    eaten = {meal_of(each.activity) for each in inputs.stands} - {""}
    said = {tuple(words_of(each.activity)) for each in inputs.stands}
    habits = habits_of(inputs.me)
    for gap in inputs.gaps:
        first, last = (minute_at(each) for each in gap.time.split("-"))
        for number, text in enumerate(answer.of(gap.letter) or ()):
            entry = PlanEntry(f"{gap.letter}.{number}", first, last, text)
            yield from _wrong_time(entry, last)
            yield from _out_of_hours(entry, eaten, habits)
            words = tuple(words_of(text))
            if words == ("free", "time"):
                rest = ", which says nothing. Write what you do then."
                yield field_problem(entry.path, text, rest, "empty")
            elif words in said:
                rest = ", which is in your day already. Write something else."
                yield field_problem(entry.path, text, rest, "repeat")
            said.add(words)
            eaten.add(meal_of(text))


def _out_of_hours(
    entry: PlanEntry, eaten: set[str], habits: Mapping[str, Habit]
) -> Iterator[Problem]:
    """Yield sleep during the day, and meals that were already eaten or are at a wrong time."""
    if _goes_to_bed(entry):
        rest = f" from {clock_words(entry.start)}, while you are up. Leave it out."
        yield field_problem(entry.path, entry.activity, rest, "hours")
    meal = meal_of(entry.activity)
    if meal and meal in eaten:
        rest = f", but {meal} is already planned. Leave it out."
        yield field_problem(entry.path, entry.activity, rest, "hours")
    elif meal and habits[meal].minute is None:
        yield _never_had(entry, meal)
    elif meal and not _in_hours(meal, entry, habits[meal].told):
        rest = f" from {clock_words(entry.start)}, which is no time for {meal}. Leave it out."
        yield field_problem(entry.path, entry.activity, rest, "hours")


def of_steps(
    answer: Subtasks, inputs: "DecomposeInput | ReplanInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield the steps of a block that belong to another time of the day."""
    at, end = minute_at(inputs.start), minute_at(inputs.end) or DAY
    reason = getattr(inputs, "reason", "")
    around = words_of(f"{inputs.activity} {reason}")
    habits = habits_of(inputs.me)
    for number, each in enumerate(answer.subtasks):
        entry = PlanEntry(f"subtasks.{number}.activity", at, at + each.minutes, each.activity)
        at += each.minutes
        yield from _wrong_time(entry, end, reason)
        is_night = is_sleep(inputs.activity) or is_sleep(reason)
        if not is_night and _goes_to_bed(entry) and _NO_NIGHT[0] <= entry.start <= _NO_NIGHT[1]:
            rest = f" at {clock_words(entry.start)}, in the middle of the day. Leave it out."
            yield field_problem(entry.path, each.activity, rest, "hours")
        meal = meal_of(each.activity)
        if (
            meal
            and meal not in around
            and "supper" not in around
            and not _in_hours(meal, entry, None)
            and not _in_hours(meal, entry, habits[meal].told)
        ):
            rest = f" at {clock_words(entry.start)}, which is no time for {meal}. Leave it out."
            yield field_problem(entry.path, each.activity, rest, "hours")


def _wrong_time(entry: PlanEntry, end: int, told: str = "") -> Iterator[Problem]:
    """Yield an entry that is done at another time than its own; times in `told` are also allowed.

    A time after a word such as "that", "about" or "by" is one of which only something is said.
    """
    allowed = minutes_in(told)
    before = re.split(r"\d", entry.activity)[0]
    for minute in () if _SPOKEN_OF.search(before) else minutes_in(entry.activity):
        is_own = entry.start - SLACK <= minute <= end + SLACK
        if not is_own and minute not in allowed:
            rest = (
                f", but it starts at {clock_words(entry.start)}. Write what you do, "
                "without times of day."
            )
            yield field_problem(entry.path, entry.activity, rest, "hours")
            return


def _never_had(entry: PlanEntry, meal: str) -> Problem:
    """Return the problem of a meal that the persona does not have."""
    rest = f", but you never have {meal}. Leave it out."
    return field_problem(entry.path, entry.activity, rest, "hours")


def _is_due(habit: Habit, entry: PlanEntry) -> bool:
    """Return whether a part of the day includes a meal's usual hours or the persona's own time."""
    first, last = HOURS[habit.name]
    is_own = habit.told is not None and entry.start <= habit.told <= entry.end
    return is_own or (entry.start <= last and first <= entry.end)


def _in_hours(meal: str, entry: PlanEntry, usual: int | None) -> bool:
    """Return whether a meal is near the persona's own time, or without one, at its usual hours."""
    if usual is not None and entry.start - NEAR <= usual <= max(entry.end, entry.start) + NEAR:
        return True
    first, last = HOURS[meal]
    return usual is None and first <= entry.start <= last


def meal_of(activity: str) -> str:
    """Return the meal that is eaten in an activity; empty if none is, or if it is only prepared."""
    words = words_of(activity.lower().replace("supper", "dinner"))
    for meal in MEALS:
        if meal in words:
            before = " ".join(words[: words.index(meal)])
            is_eaten = "eat" in before or "hav" in before
            return meal if is_eaten or not _NOT_EATING.search(before) else ""
    return ""


def _goes_to_bed(entry: PlanEntry) -> bool:
    return is_sleep(entry.activity) and not _NAP.search(entry.activity)


DAY_CHECKS: tuple[SenseCheck[Any, Any], ...] = (
    SenseCheck(look=of_day, action="ask", languages=ENGLISH),
)
HOURS_CHECKS: tuple[SenseCheck[Any, Any], ...] = (
    SenseCheck(look=of_hours, action="ask", languages=ENGLISH),
)


STEPS_CHECKS: tuple[SenseCheck[Any, Any], ...] = (
    SenseCheck(look=of_steps, action="ask", languages=ENGLISH),
)
