"""Command-line options of `smolville run`: how long to run, and which options fit together."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smolville.agents.errors import RunError
from smolville.agents.times import DAY_SECONDS, moment, read_moment
from smolville.history.folder import check_name

LAST_DAY = 9999
"""Last day that `--until` accepts; a run ends by the midnight after it."""
_SECONDS = {"d": DAY_SECONDS, "h": 3600, "m": 60, "s": 1}
_PART = re.compile(r"(\d{1,9}(?:\.\d+)?)\s*([dhms])", re.IGNORECASE)
_STEPS = re.compile(r"(\d{1,9})\s*(?:steps?|ticks?)", re.IGNORECASE)


@dataclass(frozen=True)
class TownDuration:
    """A length of town time, in seconds or in ticks."""

    seconds: int = 0
    ticks: int = 0

    def in_seconds(self, tick_seconds: int) -> int:
        """Return the duration in town seconds, given the length of a tick."""
        return self.seconds + self.ticks * tick_seconds


def read_span(text: str, option: str = "--for") -> TownDuration:
    """Parse a duration such as `1d` or `300steps`; RunError says how to write it."""
    plain = "".join(text.split())
    steps = _STEPS.fullmatch(plain)
    if steps is not None:
        span = TownDuration(ticks=int(steps[1]))
    else:
        parts = _PART.findall(plain)
        whole = "".join(number + unit for number, unit in parts) == plain
        total = sum(float(number) * _SECONDS[unit.lower()] for number, unit in parts)
        span = TownDuration(seconds=round(total)) if whole else TownDuration()
    if span == TownDuration():
        raise RunError(f"{option} cannot be {text!r}: write how long as 1d, 6h, 90m or 300steps.")
    return span


def goal_of(duration: str | None, until: str | None, at: int, tick_seconds: int) -> int | None:
    """Return the goal in town seconds for a run that has reached `at`; None if no goal is given.

    Raises RunError when the goal does not lie ahead.
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
class RunOptions:
    """The command line of `smolville run`; None for options that were not given."""

    name: str | None = None
    town: Path | None = None
    agents: str | None = None
    routines: str | None = None
    """The run, by name or folder, whose routines a new run begins with."""
    duration: str | None = None
    until: str | None = None
    budget: str | None = None
    """Real time into which to fit a new run's day."""
    resume: bool = False
    overwrite: bool = False
    quiet: bool = False
    verbose: bool = False
    browser: bool = False
    settings: Path | None = None
    """The settings file given with --settings, for the page beside the run."""

    def check(self, said: Mapping[str, Any]) -> None:
        """Raise RunError when a value is invalid, or two options exclude each other.

        `said` holds the flags that are settings.
        """
        if self.name is not None:
            check_name(self.name)
        if self.budget is not None:
            self.budget_seconds()
        pairs = (
            ("--cast", "cast" in said, "--agents", self.agents is not None),
            ("--for", self.duration is not None, "--until", self.until is not None),
            ("--resume", self.resume, "--overwrite", self.overwrite),
            ("--resume", self.resume, "--budget", self.budget is not None),
            ("--resume", self.resume, "--routines", self.routines is not None),
            ("--quiet", self.quiet, "--verbose", self.verbose),
            ("--quiet", self.quiet, "--browser", self.browser),
            ("--headless", bool(said.get("headless")), "--browser", self.browser),
        )
        for first, has_first, second, has_second in pairs:
            if has_first and has_second:
                raise RunError(f"{first} and {second} exclude each other; leave one out.")

    def budget_seconds(self) -> int:
        """Return the budget in real seconds; RunError says how to write one."""
        assert self.budget is not None
        span = read_span(self.budget, "--budget")
        if span.ticks:
            raise RunError(
                f"--budget cannot be {self.budget!r}: it is real time, written as 30m or 2h."
            )
        return span.seconds
