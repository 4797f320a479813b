"""Times of day: minutes in Python, "HH:MM" in a reply."""

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

LAST_MINUTE = 1439
"""The last minute of a day, 23:59."""

CLOCK_PATTERN = "^([01][0-9]|2[0-3]):[0-5][0-9]$"
"""What a clock text looks like when every time of day is allowed."""

_EXACT = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)
_LOOSE = re.compile(
    r"(?:at |around |about |by |from |~ ?)?"
    r"(?:\d{4}-\d\d-\d\d[t ])?"
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d)(?::\d\d)?)?"
    r" ?(?P<half>[ap]\.?m\.?|o'?clock|h|hours)?"
    r"(?: ?(?:[-\u2013\u2014]|to|until) ?\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\.?)?)?\.?",
    re.ASCII,
)
_NAMED = {"noon": 720, "midday": 720, "midnight": 0}


def clock_text(minute: int) -> str:
    """The minute of the day as "HH:MM"."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def read_clock(text: str) -> int | None:
    """The minute of the day a text such as "07:40", "7am" or "noon" means, or None."""
    exact = _EXACT.fullmatch(text)
    if exact:
        return int(exact[1]) * 60 + int(exact[2])
    plain = " ".join(text.lower().split())
    if plain in _NAMED:
        return _NAMED[plain]
    loose = _LOOSE.fullmatch(plain)
    return _minute_of(loose) if loose else None


def _minute_of(match: re.Match[str]) -> int | None:
    """The minute of the day of a loosely written time, or None when there is no such time."""
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or "")[:1]
    if half in {"a", "p"} and hour == 0 and half == "p":
        return None
    if half == "a" and hour == 12:
        hour = 0
    elif half == "p" and hour < 12:
        hour += 12
    elif half == "a" and hour > 12:
        return None
    return hour * 60 + minute if hour < 24 and minute < 60 else None


@dataclass(frozen=True)
class ClockRange:
    """The times of day a field allows; as metadata of an `int` it makes the field a clock."""

    earliest: int = 0
    """The first minute of the day that is allowed."""
    latest: int = LAST_MINUTE
    """The last minute of the day that is allowed."""

    def read(self, value: object) -> int:
        """The minute of the day, from minutes or from a clock text; an error when out of range."""
        minute = read_clock(value.strip()) if isinstance(value, str) else value
        if type(minute) is int and self.earliest <= minute <= self.latest:
            return minute
        raise PydanticCustomError("clock", "not a time of day that is allowed")

    def pattern(self) -> str:
        """The regular expression that the clock text matches, with the range to the hour."""
        if (self.earliest, self.latest) == (0, LAST_MINUTE):
            return CLOCK_PATTERN
        hours = "|".join(f"{h:02d}" for h in range(self.earliest // 60, self.latest // 60 + 1))
        return f"^({hours}):[0-5][0-9]$"

    def __get_pydantic_core_schema__(
        self, source: type[int], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """How pydantic reads and writes the field."""
        return core_schema.no_info_plain_validator_function(
            self.read,
            serialization=core_schema.plain_serializer_function_ser_schema(clock_text),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """The field's JSON schema; `clock` holds the range and never leaves this room."""
        return {
            "type": "string",
            "pattern": self.pattern(),
            "clock": [self.earliest, self.latest],
        }


Clock = Annotated[int, ClockRange()]
"""A minute of the day, 0 to 1439, written "HH:MM" in a reply."""
