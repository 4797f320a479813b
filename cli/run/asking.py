"""What `smolville run` is asked to do: how long, and whether its options go together."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.errors import RunError
from agents.times import DAY_SECONDS, moment, read_moment
from world.runs.folder import check_name

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


def read_span(text: str, option: str = "--for") -> Span:
    """Return the length of time that an option's `text` writes; RunError says how to write it."""
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
        raise RunError(f"{option} cannot be {text!r}: write how long as 1d, 6h, 90m or 300steps.")
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


@dataclass(frozen=True, kw_only=True)
class Order:
    """The command line of `smolville run`; None for what was not said."""

    name: str | None = None
    town: Path | None = None
    agents: str | None = None
    duration: str | None = None
    until: str | None = None
    budget: str | None = None
    """Real time into which a new run's day is to be fitted."""
    resume: bool = False
    overwrite: bool = False
    quiet: bool = False
    verbose: bool = False
    browser: bool = False
    settings: Path | None = None
    """The settings file that was named, for the page beside the run."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """Settings that were given as flags, by the setting's name; None for what was not said."""

    def check(self) -> None:
        """Raise RunError when a value cannot be, or two options exclude each other."""
        if self.name is not None:
            check_name(self.name)
        if self.budget is not None:
            self.budget_seconds()
        has_cast = self.said.get("cast") is not None
        pairs = (
            ("--cast", has_cast, "--agents", self.agents is not None),
            ("--for", self.duration is not None, "--until", self.until is not None),
            ("--resume", self.resume, "--overwrite", self.overwrite),
            ("--resume", self.resume, "--budget", self.budget is not None),
            ("--quiet", self.quiet, "--verbose", self.verbose),
            ("--quiet", self.quiet, "--browser", self.browser),
            ("--headless", bool(self.said.get("headless")), "--browser", self.browser),
        )
        for first, has_first, second, has_second in pairs:
            if has_first and has_second:
                raise RunError(f"{first} and {second} exclude each other; leave one out.")

    def budget_seconds(self) -> int:
        """Return the budget in real seconds; RunError says how to write it."""
        assert self.budget is not None
        span = read_span(self.budget, "--budget")
        if span.ticks:
            raise RunError(
                f"--budget cannot be {self.budget!r}: it is real time, written as 30m or 2h."
            )
        return span.seconds
