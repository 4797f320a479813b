"""Times of day: minutes in Python, "HH:MM" in a reply."""

import re
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

LAST_MINUTE = 1439
"""The last minute of a day, 23:59."""

CLOCK_PATTERN = "^([01][0-9]|2[0-3]):[0-5][0-9]$"
"""Pattern of a clock text."""

CLOCK_TEXT = r"\d{1,2}[:.]\d\d(?: ?[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?"
"""Pattern of a time of day in a line of text that cannot be another number."""

_LONGEST = 80
_NAMED = {"noon": 720, "12 noon": 720, "midday": 720, "midnight": 0, "24:00": 0}
_FOUR = re.compile(r"(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)", re.ASCII)
_TIME = re.compile(
    r"(?:(?:at|around|about|by|from|approximately|approx\.?|~|ca\.) ?)?(?:\d{4}-\d\d-\d\d[t ])?"
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d)(?::\d\d(?:\.\d+)?)?)?"
    r"(?: ?o['\u2019]?clock| ?(?P<day>h|uhr))?(?: ?(?P<half>[ap])\.? ?m\.?)?\.?",
    re.ASCII,
)


def clock_text(minute: int) -> str:
    """Return the minute of the day as "HH:MM"."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def sure_clock(text: str) -> int | None:
    """Return the minute of the day that a text unambiguously means, or None."""
    minutes = halves_of(text)
    return minutes[0] if len(minutes) == 1 else None


def halves_of(text: str) -> tuple[int, ...]:
    """Return the minutes of the day that a text in figures may mean.

    There are two if it may be in the morning or in the evening ("8 o'clock"), and none if the text
    is no time of day.
    """
    plain = " ".join(text[:_LONGEST].lower().split())
    if plain in _NAMED:
        return (_NAMED[plain],)
    if (four := _FOUR.fullmatch(plain)) is not None:
        return (int(four["hour"]) * 60 + int(four["minute"]),)
    time = _TIME.fullmatch(plain)
    if time is None:
        return ()
    hour, minute, half = int(time["hour"]), int(time["minute"] or 0), time["half"]
    if hour > 23 or minute > 59 or (half == "a" and hour > 12) or (half == "p" and hour == 0):
        return ()
    if half:
        return (hour % 12 * 60 + minute + (720 if half == "p" else 0),)
    is_either = not time["minute"] and not time["day"] and 1 <= hour <= 12
    return (hour % 12 * 60, hour % 12 * 60 + 720) if is_either else (hour * 60 + minute,)


def _read_clock(value: object) -> int:
    minute = sure_clock(value.strip()) if isinstance(value, str) else value
    if type(minute) is int and 0 <= minute <= LAST_MINUTE:
        return minute
    raise PydanticCustomError("clock", "not a time of day that is allowed")


Clock = Annotated[
    int,
    PlainValidator(_read_clock),
    PlainSerializer(clock_text),
    WithJsonSchema({"type": "string", "pattern": CLOCK_PATTERN, "clock": True}),
]
"""A minute of the day, 0 to 1439, written "HH:MM" in a reply.

The key `clock` of its schema is read by code in `parsers` only.
"""
