"""Times of day: minutes in Python, "HH:MM" in a reply."""

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from smolville.parsers.reading.times import read_spoken

LAST_MINUTE = 1439
"""The last minute of a day, 23:59."""

CLOCK_PATTERN = "^([01][0-9]|2[0-3]):[0-5][0-9]$"
"""Pattern of a clock text when every time of day is allowed."""

CLOCK_TEXT = r"\d{1,2}[:.]\d\d(?: ?[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?"
"""Pattern of a time of day in a line of text that cannot be another number."""

_LONGEST = 80
_EXACT = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)


def clock_text(minute: int) -> str:
    """Return the minute of the day as "HH:MM"."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def sure_clock(text: str) -> int | None:
    """Return the minute of the day that a text unambiguously means, or None.

    "8 o'clock" may be in the morning or in the evening, "07:00 - 08:00" is no single time.
    """
    exact = _EXACT.fullmatch(text)
    if exact:
        return int(exact[1]) * 60 + int(exact[2])
    spoken = read_spoken(text[:_LONGEST])
    return None if spoken is None or spoken.is_either or spoken.is_span else spoken.minute


def halves_of(text: str) -> tuple[int, ...]:
    """Return the minutes of the day that a text may mean.

    There are two if it may be in the morning or in the evening ("8 o'clock"), and none if the text
    is no time of day.
    """
    exact = _EXACT.fullmatch(text)
    if exact:
        return (int(exact[1]) * 60 + int(exact[2]),)
    spoken = read_spoken(text[:_LONGEST])
    if spoken is None:
        return ()
    return (spoken.minute, spoken.minute + 720) if spoken.is_either else (spoken.minute,)


def is_span(text: str) -> bool:
    """Return whether a text says when something starts and ends, as "07:00 - 08:00" does."""
    spoken = read_spoken(text[:_LONGEST])
    return spoken is not None and spoken.is_span


@dataclass(frozen=True)
class ClockRange:
    """The times of day that a field allows.

    As metadata of an `int` field, it makes the field a clock: minutes in Python, "HH:MM" in a
    reply.
    """

    earliest: int = 0
    """The first minute of the day that is allowed."""
    latest: int = LAST_MINUTE
    """The last minute of the day that is allowed."""

    def read(self, value: object) -> int:
        """Return the minute of the day, from minutes or clock text; an error if out of range."""
        minute = sure_clock(value.strip()) if isinstance(value, str) else value
        if type(minute) is int and self.earliest <= minute <= self.latest:
            return minute
        raise PydanticCustomError("clock", "not a time of day that is allowed")

    def pattern(self) -> str:
        """Return the regular expression for the clock text, which limits hours, not minutes."""
        if (self.earliest, self.latest) == (0, LAST_MINUTE):
            return CLOCK_PATTERN
        hours = "|".join(f"{h:02d}" for h in range(self.earliest // 60, self.latest // 60 + 1))
        return f"^({hours}):[0-5][0-9]$"

    def __get_pydantic_core_schema__(
        self, source: type[int], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Return how pydantic reads and writes the field."""
        return core_schema.no_info_plain_validator_function(
            self.read,
            serialization=core_schema.plain_serializer_function_ser_schema(clock_text),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return the field's JSON schema.

        Its key `clock` holds the allowed range; only code in `parsers` reads it.
        """
        return {
            "type": "string",
            "pattern": self.pattern(),
            "clock": [self.earliest, self.latest],
        }


Clock = Annotated[int, ClockRange()]
"""A minute of the day, 0 to 1439, written "HH:MM" in a reply."""
