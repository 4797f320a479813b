"""The answer of the step `plan_day`: the wake-up time, promises and purposes of a day."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator

from parsers.answer import Answer, Context, read_context_value
from parsers.clock import Clock, clock_text, halves_of
from parsers.problem import own_problem, reject
from parsers.reading.scalars import fold_text

_NEAR = 45
"""Minutes by which a wake-up time may differ from the nearest one offered."""

Aim = Annotated[str, Field(min_length=3, max_length=120)]


class DayOutline(Answer):
    """An agent's wake-up time, the promises it keeps, and the purpose of each part of the day."""

    wake: Clock = Field(
        description="when you wake up, one of the times offered",
        json_schema_extra={"aliases": ["wake_up", "wake_time", "wake_up_time", "wakeup"]},
    )
    go_to: list[int] = Field(
        description="the numbers of the PROMISES you keep today; [] when there are none",
        json_schema_extra={"aliases": ["promises", "goto", "keep", "go"]},
    )
    morning: Aim = Field(
        description="what you want to do in the morning, in a few words",
        json_schema_extra={"aliases": ["in_the_morning"]},
    )
    afternoon: Aim = Field(
        description="what you want to do in the afternoon, in a few words",
        json_schema_extra={"aliases": ["in_the_afternoon", "noon", "day"]},
    )
    evening: Aim = Field(
        description="what you want to do in the evening, in a few words",
        json_schema_extra={"aliases": ["in_the_evening", "night"]},
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

    @field_validator("wake")
    @classmethod
    def _is_a_time_offered(cls, wake: int, info: ValidationInfo) -> int:
        """Check that the wake-up time is one of those offered."""
        offered: list[int] = read_context_value(info.context, "wakes") or []
        if offered and wake not in offered:
            listed = " or ".join(clock_text(each) for each in offered)
            reject([own_problem(clock_text(wake), f". Write {listed}.", "choice")])
        return wake

    @field_validator("go_to")
    @classmethod
    def _are_promises(cls, numbers: list[int], info: ValidationInfo) -> list[int]:
        """Check that the numbers are those of promises."""
        offered = read_context_value(info.context, "promises")
        if offered is not None:
            rest = f". Write numbers of PROMISES: {_format_promises(offered)}."
            wrong = [number for number in numbers if number not in offered]
            reject([own_problem(number, rest, "choice") for number in wrong[:1]])
        return numbers

    @classmethod
    def labels(cls, context: Context | None) -> Mapping[str, Mapping[int, str]]:
        """Return the promises' texts, by their numbers."""
        return {"go_to[]": dict(read_context_value(context, "promises") or {})}

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """Return the outline with its wake-up time and promises corrected, and notes.

        The wake-up time becomes the nearest time offered. Promises that are named by their words
        get their numbers.
        """
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
        promises: Mapping[int, str] = read_context_value(context, "promises") or {}
        if isinstance(data.get("go_to"), list) and promises:
            named = [_number(each, promises) for each in data["go_to"]]
            if named != data["go_to"]:
                mended["go_to"] = named
                notes.append("`go_to`: read promises by their words")
            once = [each for at, each in enumerate(named) if each not in named[:at]]
            if once != named:
                mended["go_to"] = once
                notes.append("`go_to`: left out promises named twice")
        return mended, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            wake=390,
            go_to=[1],
            morning="baking rolls and trying a new recipe",
            afternoon="planting beans in the garden",
            evening="playing cards with the neighbours",
        )


def _number(value: Any, promises: Mapping[int, str]) -> Any:
    """Return the number of the only promise with these words, or the value unchanged."""
    if not isinstance(value, str):
        return value
    having = [number for number, text in promises.items() if fold_text(value) in fold_text(text)]
    return having[0] if len(having) == 1 and len(value) > 3 else value


def _format_promises(offered: Mapping[int, str]) -> str:
    """Return the promises with their numbers."""
    return ", ".join(f"{number} = {text}" for number, text in offered.items()) or "none, so []"
