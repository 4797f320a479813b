"""The activities of a day, with the times at which they start."""

from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator

from parsers.answer import Answer, Context, Part, known
from parsers.clock import Clock, clock_text
from parsers.day_order import (
    Item,
    are_timed,
    in_order,
    is_sleep,
    order_problems,
    start_of,
    with_halves,
    with_sleep_in_the_day,
)
from parsers.problem import Problem, field_problem, reject

_FEWEST = 6
_NEAR = 60
_EVENING = 20 * 60
_DAY = 24 * 60


class PlannedActivity(Part):
    """One activity of the day; it lasts until the next one starts."""

    start: Clock = Field(
        description="when it starts", json_schema_extra={"aliases": ["time", "start_time", "at"]}
    )
    activity: Annotated[str, Field(min_length=3, max_length=120)] = Field(
        description="what you do",
        json_schema_extra={"aliases": ["task", "description", "action"]},
    )


class HourlyPlan(Answer):
    """The activities that fill a day, from waking up to sleeping."""

    activities: Annotated[list[PlannedActivity], Field(min_length=_FEWEST, max_length=24)] = Field(
        description="your day from waking up to sleeping, in order; each lasts until the next",
        json_schema_extra={"aliases": ["plan", "schedule", "hours", "tasks"]},
    )

    @field_validator("activities")
    @classmethod
    def _fill_the_day(
        cls, activities: list[PlannedActivity], info: ValidationInfo
    ) -> list[PlannedActivity]:
        """Activities start in ascending order, the first on waking; the last is sleep."""
        problems = order_problems([activity.start for activity in activities])
        wake = known(info.context, "wake")
        if wake is not None:
            problems += _ends_of_day(activities, wake)
        reject(problems)
        return activities

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The activities sorted, started on waking and ended with sleep where that is near."""
        items, wake = data.get("activities"), known(context, "wake")
        items, notes = with_halves(items, "activities", None if wake is None else wake - _NEAR)
        if not items or not are_timed(items):
            return data, []
        if wake is not None:
            items, late = with_sleep_in_the_day(items, wake, "activities")
            notes += late
        items, sorting = in_order(items, "activities")
        notes += sorting
        if wake is not None:
            items, waking = _started_on_waking(items, wake)
            items, sleeping = _ended_with_sleep(items)
            notes += waking + sleeping
        return data | {"activities": items}, notes

    @classmethod
    def example(cls) -> Self:
        """A worked example: somebody who wakes up at 06:30."""
        return cls(
            activities=[
                PlannedActivity(start=390, activity="waking up and washing"),
                PlannedActivity(start=420, activity="having breakfast"),
                PlannedActivity(start=480, activity="serving customers in the bakery"),
                PlannedActivity(start=780, activity="having lunch in the park"),
                PlannedActivity(start=840, activity="baking cakes"),
                PlannedActivity(start=1140, activity="cooking dinner"),
                PlannedActivity(start=1230, activity="reading a novel"),
                PlannedActivity(start=1350, activity="sleeping"),
            ]
        )


def _ends_of_day(activities: list[PlannedActivity], wake: int) -> list[Problem]:
    """The problems with how the day starts and ends."""
    problems = []
    first, last = activities[0], activities[-1]
    if first.start != wake:
        rest = f". The first activity must start when you wake up, at {clock_text(wake)}."
        problems.append(field_problem("0.start", clock_text(first.start), rest, "order"))
    if not is_sleep(last.activity):
        rest = '. The last activity of the day must be "sleeping".'
        field = f"{len(activities) - 1}.activity"
        problems.append(field_problem(field, last.activity, rest, "order"))
    return problems


def _started_on_waking(items: list[Item], wake: int) -> tuple[list[Item], list[str]]:
    """The activities without sleep before waking, the first one moved to the waking if near."""
    awake, notes = items, []
    while len(awake) > 1 and start_of(awake[0]) < wake and is_sleep(awake[0].get("activity")):
        awake, notes = awake[1:], ["`activities`: left out sleep before waking up"]
    first = start_of(awake[0])
    before_next = len(awake) == 1 or wake < start_of(awake[1])
    if first == wake or abs(first - wake) > _NEAR or not before_next:
        return awake, notes
    notes = [*notes, f"`activities`: moved the first from {clock_text(first)} to waking up"]
    return [awake[0] | {"start": clock_text(wake)}, *awake[1:]], notes


def _ended_with_sleep(items: list[Item]) -> tuple[list[Item], list[str]]:
    """The activities with sleep added an hour after the last when that is in the evening."""
    last = start_of(items[-1])
    bedtime = last + _NEAR
    if is_sleep(items[-1].get("activity")) or last < _EVENING or bedtime >= _DAY:
        return items, []
    sleep = {"start": clock_text(bedtime), "activity": "sleeping"}
    return [*items, sleep], [f"`activities`: added sleep at {clock_text(bedtime)}"]
