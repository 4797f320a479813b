"""How much of a run is left: counted in calls to come, not in town time, which sleeps at night."""

from dataclasses import dataclass

from agents.times import DAY_SECONDS

AWAKE_FROM, AWAKE_TO = 6 * 3600, 23 * 3600
"""Between these seconds of a day people are taken to be up."""
CALLS_AN_HOUR = 7.0
"""Of an agent awake, until its own are counted (measured: 90 to 140 calls an agent-day)."""
CALLS_AT_DAWN = 3.0
"""Of an agent on a new day: identity, day plan, hours."""
PRIOR_HOURS = 2.0
"""The guess weighs as much as so many hours of an agent."""


def waking_seconds(start: int, end: int) -> int:
    """Return how many town seconds from `start` to `end` lie in waking hours."""
    return _waking_before(end) - _waking_before(start) if end > start else 0


def midnights(start: int, end: int) -> int:
    """Return how many days begin at or after town second `start` and before `end`."""
    return max(0, -(-end // DAY_SECONDS) - -(-start // DAY_SECONDS))


def _waking_before(at: int) -> int:
    days, second = divmod(at, DAY_SECONDS)
    return days * (AWAKE_TO - AWAKE_FROM) + min(max(0, second - AWAKE_FROM), AWAKE_TO - AWAKE_FROM)


@dataclass
class Estimate:
    """Calls made and calls to come, between two moments of a run."""

    agents: int
    start: int
    """Town second at which this stretch begins."""
    goal: int
    extra: int = 0
    """Calls known to come at once: whispers that wait in the inbox."""
    at: int = 0
    """Town second that is being lived."""
    calls: int = 0
    paid: int = 0
    """Calls that really went to a model; the others were served from the journal."""
    calls_before: int = 0
    """Calls made when the present tick began."""
    shown: float = 0.0
    """The fraction last given; it never goes back."""

    def heard(self, served: bool) -> None:
        """Count a call."""
        self.calls += 1
        self.paid += not served

    def ticked(self, at: int) -> None:
        """Note that everything before town second `at` is lived."""
        self.at = at
        self.calls_before = self.calls

    def left(self) -> float:
        """Return how many calls are to come, more or less."""
        at = max(self.start, self.at)
        made = self.calls - self.calls_before
        dawns = CALLS_AT_DAWN * self.agents * midnights(at, self.goal)
        if at == self.start:
            dawns += self.extra
        lived = self.agents * waking_seconds(self.start, at) / 3600
        known = CALLS_AN_HOUR * PRIOR_HOURS + (self.calls_before if lived else 0)
        an_hour = known / (PRIOR_HOURS + lived)
        awake = an_hour * self.agents * waking_seconds(at, self.goal) / 3600
        return max(0.0, dawns + awake - made)

    def fraction(self) -> float:
        """Return which part is done, 0 to 1."""
        left = self.left()
        if self.calls + left > 0:
            self.shown = max(self.shown, self.calls / (self.calls + left))
        return min(1.0, self.shown)

    def seconds_left(self, elapsed: float) -> float | None:
        """Return the seconds to come after `elapsed` ones; None before enough calls were made."""
        if self.paid < 10 or elapsed < 2.0:
            return None
        return self.left() * elapsed / self.paid


def in_words(seconds: float | None) -> str:
    """Return a wait as people say it."""
    if seconds is None:
        return ""
    if seconds < 60:
        return "under a minute left"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min left"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min left" if hours < 10 else f"{hours} h left"
