"""Town time: ticks, seconds since 00:00 of day 1, minutes of a day, and how people write them."""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from smolville.agents.errors import RunError

DAY = 1440
"""Minutes in a day."""
DAY_SECONDS = 86_400
_MOMENT = re.compile(
    r"^\s*(?:day\s+)?(\d{1,4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*$", re.IGNORECASE
)
SECONDS_PER_TILE = 10
"""Town seconds to walk one tile, as in the original (a tile per step of 10 s)."""


def day_of(at: int) -> int:
    """Return the day, from 1, of a town time in seconds."""
    return at // DAY_SECONDS + 1


def minute_of(at: int) -> int:
    """Return the minute of the day, 0 to 1439, of a town time in seconds."""
    return at % DAY_SECONDS // 60


def at_of(day: int, minute: int) -> int:
    """Return the town time in seconds of a minute of a day; minute 1440 is the next midnight."""
    return (day - 1) * DAY_SECONDS + minute * 60


def clock(minute: int) -> str:
    """Return a minute of the day as `HH:MM`; 1440 reads `24:00`."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def minute_at(text: str) -> int:
    """Return the minute of the day that `clock` wrote as `text`."""
    hour, minute = text.split(":")
    return int(hour) * 60 + int(minute)


def moment(at: int) -> str:
    """Return a town time in the form that operators type, `2 12:00`."""
    seconds = at % 60
    tail = f":{seconds:02d}" if seconds else ""
    return f"{day_of(at)} {clock(minute_of(at))}{tail}"


def read_moment(text: str) -> int:
    """Return the town time of `2 12:00` (day, clock), in seconds.

    Raises ValueError with a sentence when the text is not such a moment.
    """
    found = _MOMENT.match(text)
    if found is None:
        raise ValueError(f'{text!r} is not a town time; write the day and the clock, as "2 12:00"')
    day, hour, minute, second = (int(part or 0) for part in found.groups())
    seconds = hour * 3600 + minute * 60 + second
    if day < 1 or minute > 59 or second > 59 or seconds > DAY_SECONDS:
        raise ValueError(f"{text!r} is not a town time: days count from 1, clocks end at 24:00")
    return at_of(day, 0) + seconds


def date_of(start: date, day: int) -> date:
    """Return the date of a town day; `start` is that of day 1."""
    return start + timedelta(days=day - 1)


def date_text(start: date, day: int) -> str:
    """Return the date of a town day, `Monday 6 May`."""
    on = date_of(start, day)
    return f"{on:%A} {on.day} {on:%B}"


def long_text(start: date, at: int) -> str:
    """Return date and clock of a town time, `Monday 6 May, 07:40`."""
    return f"{date_text(start, day_of(at))}, {clock(minute_of(at))}"


@dataclass(frozen=True, slots=True)
class Clock:
    """The length of a tick, a whole number of seconds, and the values derived from it."""

    tick_seconds: int = 10

    def __post_init__(self) -> None:
        """Raise an error for a tick that is not a whole number of seconds."""
        if isinstance(self.tick_seconds, bool) or not isinstance(self.tick_seconds, int):
            raise RunError(f"A tick is a whole number of seconds, not {self.tick_seconds!r}.")
        if self.tick_seconds < 1:
            raise RunError(f"A tick lasts at least 1 second, not {self.tick_seconds}.")

    @property
    def tiles_per_tick(self) -> int:
        """The farthest distance that anybody walks in one tick, in tiles: at least 1."""
        return _ceil(self.tick_seconds, SECONDS_PER_TILE)

    def at(self, tick: int) -> int:
        """Return the town second at which `tick` begins."""
        return tick * self.tick_seconds

    def tick_at(self, at: int) -> int:
        """Return the first tick that begins at or after the town second `at`."""
        return _ceil(at, self.tick_seconds)

    def tiles_walked(self, ticks: int) -> int:
        """Return how many tiles of a path are walked in this many ticks."""
        return ticks * self.tick_seconds // SECONDS_PER_TILE

    def ticks_to_walk(self, tiles: int) -> int:
        """Return how many ticks it takes to walk this many tiles: the inverse of `tiles_walked`."""
        return _ceil(tiles * SECONDS_PER_TILE, self.tick_seconds)


def _ceil(amount: int, unit: int) -> int:
    return -(-amount // unit)
