"""The answer of the step `plan_day`: the wake-up time, promises and purposes of a day."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from smolville.parsers.answer import (
    Answer,
    AnswerPart,
    Context,
    Mended,
    answer_field,
    read_context_value,
)
from smolville.parsers.clock import Clock, clock_text, halves_of
from smolville.parsers.problem import field_problem, reject
from smolville.parsers.prompt_inputs import (
    PersonaInput,
    PlannedCard,
    PromiseCard,
    PromptInput,
    RecalledMemory,
)
from smolville.parsers.reading.values import named_place

_NEAR = 45
"""Minutes by which a wake-up time may differ from the nearest one offered."""

MOST_DATED = 2
"""Maximum number of things with an hour that the mind itself names."""

Aim = Annotated[str, Field(min_length=3, max_length=120)]


class PlanDayInput(PromptInput):
    """The inputs that the prompt `plan_day` shows."""

    date: str
    """Date of the day: `Monday 6 May`."""
    requirement: str
    """The requirement for today."""
    me: PersonaInput
    memories: tuple[RecalledMemory, ...]
    """Memories that matter today: promises, news, plans."""
    promises: tuple[PromiseCard, ...]
    """What others say was agreed for today, and what is at the time of something else, numbered
    from 1."""
    wakes: tuple[str, ...]
    """Clock times at which I may wake up, including the usual one."""
    stands: tuple[PlannedCard, ...]
    """The blocks already in the day, if I wake up as usual."""
    goal: str = Field("", exclude_if=lambda goal: not goal)
    """My goals on one line; empty if I have none."""
    weather: str = Field("", exclude_if=lambda weather: not weather)
    """The day's weather; empty if unknown."""
    needs: str = Field(default="", exclude_if=lambda needs: not needs)
    """The needs that I feel, one sentence each."""
    agreed: tuple[str, ...] = Field((), exclude_if=lambda agreed: not agreed)
    """What was agreed for today and tomorrow, one line each."""
    places: tuple[str, ...] = Field((), exclude_if=lambda places: not places)
    """The places where something dated may be."""


class DatedThing(AnswerPart):
    """Something of this day that has an hour."""

    what: Annotated[str, Field(min_length=3, max_length=120)] = answer_field(
        'what you do then, with an "-ing" word', "activity event thing"
    )
    start: Clock = answer_field("when it begins", "time begins from at")
    end: Clock | None = answer_field("when it ends, or null", "ends until to", default=None)
    place: Annotated[str, Field(min_length=1)] | None = answer_field(
        "one of PLACES, or null", "where location", default=None
    )

    @model_validator(mode="after")
    def _ends_later(self) -> Self:
        if self.end is not None and self.end <= self.start:
            rest = f", but it begins at {clock_text(self.start)}. Write a later time, or null."
            reject([field_problem("end", clock_text(self.end), rest, "range")])
        return self


class DayOutline(Answer):
    """An agent's wake-up time, its promises and dates, and the purpose of each part of the day."""

    items_field = "dated"

    wake: Clock = answer_field(
        "when you wake up, one of the times offered", "wake_up wake_time wake_up_time wakeup"
    )
    go_to: list[int] = answer_field(
        "the numbers of the PROMISES you keep today; [] when there are none",
        "promises goto keep go",
    )
    dated: Annotated[list[DatedThing], Field(max_length=MOST_DATED)] = answer_field(
        "things of this day that have an hour; [] when there are none", "dates events appointments"
    )
    morning: Aim = answer_field(
        "what you want to do in the morning, in a few words", "in_the_morning"
    )
    afternoon: Aim = answer_field(
        "what you want to do in the afternoon, in a few words", "in_the_afternoon noon day"
    )
    evening: Aim = answer_field(
        "what you want to do in the evening, in a few words", "in_the_evening night"
    )

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """Return the JSON schema for one call, with at most as many numbers as there are promises.

        Without this limit, a very small model repeats a number until its reply is cut off.
        """
        schema = super().call_schema(choices)
        if numbers := choices.get("go_to[]"):
            schema["properties"]["go_to"]["maxItems"] = len(numbers)
        return schema

    @classmethod
    def labels(cls, context: Context | None) -> Mapping[str, Mapping[int, str]]:
        """Return the promises' texts, by their numbers."""
        return {"go_to[]": dict(read_context_value(context, "promises") or {})}

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Return the outline with the nearest wake-up time that was offered, and notes."""
        mended, notes = dict(data), list[str]()
        offered: list[int] = read_context_value(context, "wakes") or []
        wake = data.get("wake")
        minutes = halves_of(wake) if isinstance(wake, str) else ()
        near = [
            (abs(each - minute), each)
            for each in offered
            for minute in minutes
            if abs(each - minute) <= _NEAR
        ]
        if near and clock_text(min(near)[1]) != wake:
            mended["wake"] = clock_text(min(near)[1])
            notes.append(f"`wake`: took {mended['wake']}, the nearest time offered")
        go_to = data.get("go_to")
        if isinstance(go_to, list) and read_context_value(context, "promises"):
            mended["go_to"] = [each for at, each in enumerate(go_to) if each not in go_to[:at]]
            if mended["go_to"] != go_to:
                notes.append("`go_to`: left out promises named twice")
        dated = _as_offered(data.get("dated"), read_context_value(context, "places"))
        if dated != data.get("dated"):
            mended["dated"] = dated
            notes.append("`dated`: took at most two things, at places as they were offered")
        return mended, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            wake=390,
            go_to=[1],
            dated=[
                DatedThing(
                    what="helping at the harvest fair",
                    start=15 * 60,
                    end=17 * 60,
                    place="Mill Green: lawn",
                )
            ],
            morning="baking rolls and trying a new recipe",
            afternoon="planting beans in the garden",
            evening="playing cards with the neighbours",
        )


def _as_offered(dated: Any, places: Sequence[str] | None) -> Any:
    """Return what is dated: at most two things, each at a place as it is offered, or at none."""
    if not isinstance(dated, list) or places is None:
        return dated
    return [
        each | {"place": named_place(each["place"], places)}
        if isinstance(each, dict) and isinstance(each.get("place"), str)
        else each
        for each in dated[:MOST_DATED]
    ]
