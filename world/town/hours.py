"""The hours of a town's rules as they are written: `18:00-06:00`, `Sunday 12:00-18:00`."""

import re

from agents.norms import Hours
from agents.times import DAY, clock, minute_at

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d"
_SPAN = re.compile(
    rf"(?P<day>{'|'.join(_DAYS)})?\s*(?:(?P<start>{_CLOCK})\s*[-–]\s*(?P<end>{_CLOCK}|24:00))?",
    re.IGNORECASE | re.ASCII,
)
_HINT = 'Write hours as "18:00-06:00", a day as "Sunday", or both as "Sunday 12:00-18:00".'


def read_hours(text: str) -> Hours:
    """Return the span that a text means. Raises ValueError with a sentence for any other text."""
    read = _SPAN.fullmatch(text.strip())
    if read is None or not (read["day"] or read["start"]):
        raise ValueError(f"{text[:60]!r} cannot be read as hours. {_HINT}")
    day = _DAYS.index(read["day"].title()) if read["day"] else None
    if not read["start"]:
        return Hours(start=0, end=DAY, day=day)
    start, end = minute_at(read["start"]), minute_at(read["end"])
    if start == end:
        raise ValueError(f"{text[:60]!r} is no time at all. {_HINT}")
    return Hours(start=start, end=end, day=day)


def format_hours(hours: Hours) -> str:
    """Return a span as it is written in the file."""
    day = [] if hours.day is None else [_DAYS[hours.day]]
    return " ".join([*day, f"{clock(hours.start)}-{clock(hours.end)}"])
