"""Sense checks of plans: nothing is planned twice."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from smolville.graphs.sense.check import CheckContext, SenseCheck
from smolville.graphs.sense.words import words_of
from smolville.parsers.plan_day import DayOutline, PlanDayInput
from smolville.parsers.plan_hours import HourlyPlan, PlanHoursInput
from smolville.parsers.problem import Problem, field_problem


def of_day(answer: DayOutline, inputs: PlanDayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield each part of a day that says the same as the part before."""
    for before, part in pairwise(("morning", "afternoon", "evening")):
        text = getattr(answer, part)
        if words_of(getattr(answer, before)) == words_of(text):
            rest = f", which is what you want to do in the {before} already."
            yield field_problem(part, text, rest, "repeat")


def of_hours(answer: HourlyPlan, inputs: PlanHoursInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield activities for a day's gaps that are in the day already."""
    said = {tuple(words_of(each.activity)) for each in inputs.stands}
    for gap in inputs.gaps:
        for number, text in enumerate(answer.of(gap.letter) or ()):
            if (words := tuple(words_of(text))) in said:
                rest = ", which is in your day already. Write something else."
                yield field_problem(f"{gap.letter}.{number}", text, rest, "repeat")
            said.add(words)


DAY_CHECKS: tuple[SenseCheck[Any, Any], ...] = (SenseCheck(look=of_day, action="ask"),)
HOURS_CHECKS: tuple[SenseCheck[Any, Any], ...] = (SenseCheck(look=of_hours, action="ask"),)
