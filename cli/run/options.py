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


def read_span(text: str, option: str = "--for", tick_seconds: int | None = None) -> int:
    """Return the seconds of a duration such as `1d` or `300steps`; RunError says how to write it.

    Without the length of a tick, which real time lacks, steps are refused.
    """
    plain = "".join(text.split())
    steps = _STEPS.fullmatch(plain)
    parts = _PART.findall(plain)
    seconds = 0
    if steps is not None and tick_seconds is not None:
        seconds = int(steps[1]) * tick_seconds
    elif "".join(number + unit for number, unit in parts) == plain:
        seconds = round(sum(float(number) * _SECONDS[unit.lower()] for number, unit in parts))
    if not seconds:
        how = "30m or 2h of real time" if tick_seconds is None else "1d, 6h, 90m or 300steps"
        raise RunError(f"{option} cannot be {text!r}: write how long as {how}.")
    return seconds


def goal_of(duration: str | None, until: str | None, at: int, tick_seconds: int) -> int | None:
    """Return the goal in town seconds for a run that has reached `at`; None if no goal is given.

    Raises RunError when the goal does not lie ahead.
    """
    if duration is not None and until is not None:
        raise RunError("Say either how long (--for) or until when (--until), not both.")
    if duration is not None:
        goal = at + read_span(duration, tick_seconds=tick_seconds)
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
        return read_span(self.budget, "--budget")
