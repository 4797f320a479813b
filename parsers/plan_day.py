"""The broad outline of a day."""

from typing import Annotated, Any, Self

from pydantic import Field, field_validator, model_validator

from parsers.answer import Answer, Context, Part
from parsers.clock import Clock, ClockRange, clock_text, sure_clock
from parsers.day_order import (
    are_timed,
    in_order,
    order_problems,
    with_halves,
    with_sleep_in_the_day,
)
from parsers.problem import field_problem, reject

_FEWEST = 4


class Stroke(Part):
    """One broad stroke of the day."""

    start: Clock = Field(
        description="when it starts", json_schema_extra={"aliases": ["time", "start_time", "at"]}
    )
    activity: Annotated[str, Field(min_length=3, max_length=120)] = Field(
        description="what you do, in a few words",
        json_schema_extra={"aliases": ["task", "stroke", "description", "action"]},
    )


class DayOutline(Answer):
    """When an agent wakes up and what it means to do today, in broad strokes."""

    wake: Annotated[int, ClockRange(240, 719)] = Field(
        description="when you wake up",
        json_schema_extra={"aliases": ["wake_up", "wake_time", "wake_up_time", "wakeup"]},
    )
    strokes: Annotated[list[Stroke], Field(min_length=_FEWEST, max_length=8)] = Field(
        description="the broad strokes of your day, in the order in which they start",
        json_schema_extra={"aliases": ["plan", "schedule", "activities", "day", "outline"]},
    )

    @field_validator("strokes")
    @classmethod
    def _start_one_after_another(cls, strokes: list[Stroke]) -> list[Stroke]:
        """Strokes start in ascending order."""
        reject(order_problems([stroke.start for stroke in strokes]))
        return strokes

    @model_validator(mode="after")
    def _starts_after_waking(self) -> Self:
        """No stroke starts before the agent is awake."""
        first = self.strokes[0].start
        if first < self.wake:
            wake = clock_text(self.wake)
            rest = f", which is before you wake up at {wake}. Write {wake} or later."
            reject([field_problem("strokes.0.start", clock_text(first), rest, "order")])
        return self

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The strokes sorted where only their order is wrong, with sleep before midnight."""
        strokes, wake = data.get("strokes"), data.get("wake")
        minute = sure_clock(wake) if isinstance(wake, str) else None
        if not strokes or minute is None:
            return data, []
        strokes, halves = with_halves(strokes, "strokes", minute)
        if not are_timed(strokes):
            return data, []
        strokes, late = with_sleep_in_the_day(strokes, minute, "strokes")
        strokes, sorting = in_order(strokes, "strokes")
        return data | {"strokes": strokes}, halves + late + sorting

    @classmethod
    def example(cls) -> Self:
        """A worked example."""
        return cls(
            wake=390,
            strokes=[
                Stroke(start=390, activity="waking up and having breakfast"),
                Stroke(start=480, activity="opening the bakery and serving customers"),
                Stroke(start=780, activity="having lunch with a friend"),
                Stroke(start=900, activity="baking cakes for the weekend"),
                Stroke(start=1320, activity="going to bed"),
            ],
        )
