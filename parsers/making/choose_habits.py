"""The answer of the step `choose_habits`: when somebody gets up, and what they do after work."""

from typing import Annotated, Self

from pydantic import Field, ValidationInfo, field_validator

from smolville.parsers.answer import Answer, read_context_value
from smolville.parsers.clock import ClockRange, clock_text, sure_clock
from smolville.parsers.making.naming import check_offered
from smolville.parsers.problem import own_problem, reject

EARLIEST, LATEST = 4 * 60, 10 * 60
"""Minutes of the day between which people get up here."""
BED, LAST = 20 * 60, 23 * 60 + 45
"""Minutes of the day between which people go to bed here."""
READY = 45
"""Minimum minutes between getting up and work."""


def latest_wake(opens: str) -> int:
    """Return the latest minute to get up before work that starts at `opens`.

    If `opens` is no time of day, it is LATEST.
    """
    begins = sure_clock(opens)
    return LATEST if begins is None else min(LATEST, max(EARLIEST, begins - READY))


def earliest_bed(closes: str) -> int:
    """Return the earliest bedtime after work that ends at `closes`.

    If `closes` is no time of day, it is BED.
    """
    ends = sure_clock(closes)
    return BED if ends is None else min(LAST, max(BED, ends + READY))


class ChosenHabits(Answer):
    """The beginning and end of a day, and the use of its free hours."""

    wake: Annotated[int, ClockRange(EARLIEST, LATEST)] = Field(
        description="when this person gets up",
        json_schema_extra={"aliases": ["wakes_up", "wake_up", "gets_up"]},
    )
    bed: Annotated[int, ClockRange(BED, LAST)] = Field(
        description="when this person goes to bed",
        json_schema_extra={"aliases": ["goes_to_bed", "sleep", "bedtime"]},
    )
    pastime: Annotated[str, Field(min_length=8, max_length=60)] = Field(
        description="what they do in free hours, in two to six words, beginning with an -ing word",
        json_schema_extra={"aliases": ["hobby", "free_time"]},
    )
    place: str = Field(description="where they do it: a place from PLACES, word for word")

    @field_validator("wake")
    @classmethod
    def _is_ready_for_work(cls, wake: int, info: ValidationInfo) -> int:
        """Check that there is time to get ready for work."""
        opens = read_context_value(info.context, "opens")
        if opens is not None and wake > latest_wake(opens):
            latest = clock_text(latest_wake(opens))
            rest = f". Work begins at {opens}: write a time until {latest}."
            reject([own_problem(clock_text(wake), rest, "range")])
        return wake

    @field_validator("bed")
    @classmethod
    def _is_after_work(cls, bed: int, info: ValidationInfo) -> int:
        """Check that work is over by the bedtime."""
        closes = read_context_value(info.context, "closes")
        if closes is not None and bed < earliest_bed(closes):
            earliest = clock_text(earliest_bed(closes))
            rest = f". Work ends at {closes}: write a time from {earliest} on."
            reject([own_problem(clock_text(bed), rest, "range")])
        return bed

    @field_validator("place")
    @classmethod
    def _is_offered(cls, place: str, info: ValidationInfo) -> str:
        """Check that the place is one of those offered."""
        reject(check_offered(place, info.context, "places"))
        return place

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            wake=330, bed=1290, pastime="carving whistles from elder", place="Sheepwash Green"
        )
