"""Reads how long a run shall go on: `1d`, `6h`, `90m`, `1d 6h`, `300steps`."""

import re
from dataclasses import dataclass

from agents.errors import RunError
from agents.times import DAY_SECONDS, moment, read_moment

LAST_DAY = 9999
"""Runs end by midnight after this day; a goal with a clock has no room for more."""
_SECONDS = {"d": DAY_SECONDS, "h": 3600, "m": 60, "s": 1}
_PART = re.compile(r"(\d{1,9}(?:\.\d+)?)\s*([dhms])", re.IGNORECASE)
_STEPS = re.compile(r"(\d{1,9})\s*(?:steps?|ticks?)", re.IGNORECASE)


@dataclass(frozen=True)
class Span:
    """A length of town time, in seconds or in ticks."""

    seconds: int = 0
    ticks: int = 0

    def in_seconds(self, tick_seconds: int) -> int:
        """Return it in town seconds, where a tick lasts so many."""
        return self.seconds + self.ticks * tick_seconds


def read_span(text: str) -> Span:
    """Return the length of time that `text` writes; RunError says how to write it."""
    plain = "".join(text.split())
    steps = _STEPS.fullmatch(plain)
    if steps is not None:
        span = Span(ticks=int(steps[1]))
    else:
        parts = _PART.findall(plain)
        whole = "".join(number + unit for number, unit in parts) == plain
        total = sum(float(number) * _SECONDS[unit.lower()] for number, unit in parts)
        span = Span(seconds=round(total)) if whole else Span()
    if span == Span():
        raise RunError(f"--for cannot be {text!r}: write how long as 1d, 6h, 90m or 300steps.")
    return span


def goal_of(duration: str | None, until: str | None, at: int, tick_seconds: int) -> int | None:
    """Return the town second that is asked for from `at` on; None where nothing is asked.

    RunError when it does not lie ahead.
    """
    if duration is not None and until is not None:
        raise RunError("Say either how long (--for) or until when (--until), not both.")
    if duration is not None:
        goal = at + read_span(duration).in_seconds(tick_seconds)
        if goal > LAST_DAY * DAY_SECONDS:
            raise RunError(
                f"--for {duration!r} goes beyond the last day a run may have, {LAST_DAY}."
            )
        return goal
    if until is None:
        return None
    try:
        goal = read_moment(until)
    except ValueError as error:
        raise RunError(f"--until: {error}.") from error
    if goal <= at:
        here = f"the run is already at {moment(at)}" if at else "a run begins at 1 00:00"
        raise RunError(f"--until {until!r} does not lie ahead: {here}.")
    return goal
