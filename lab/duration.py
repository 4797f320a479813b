"""How long a stretch of town time takes: its calls, times the measured seconds of one."""

from dataclasses import dataclass

from smolville.agents.times import DAY_SECONDS

CALLS_A_DAY = {3: 47, 25: 87}
"""Calls of one agent on one day, by the size of the town, as counted with the stand-in
(docs/reference/benchmarks.md, "A day"); repairs come on top."""
CALLS_AT_DAWN = 3
"""Calls of an agent at the start of a day: identity, day plan, hours."""
BUSY_FROM, BUSY_TO = 6 * 3600, 20 * 3600
"""Seconds of the day between which people make the other calls."""
LEAST_CALLS = 5
"""Number of a run's own calls after which they tell how long a call takes."""


def calls_of_day(agents: int, start: int = 0, goal: int = DAY_SECONDS) -> float:
    """Return about how many calls agents make from one town second to another."""
    (few, least), (many, most) = CALLS_A_DAY.items()
    share = min(1.0, max(0.0, (agents - few) / (many - few)))
    by_day = least + share * (most - least) - CALLS_AT_DAWN
    dawns = max(0, -(-goal // DAY_SECONDS) - -(-start // DAY_SECONDS))
    days = max(0.0, _days_before(goal) - _days_before(start))
    return agents * (CALLS_AT_DAWN * dawns + by_day * days)


def _days_before(at: int) -> float:
    """Return how many days of calls lie before a town second, without those at dawn."""
    days, second = divmod(at, DAY_SECONDS)
    return days + min(1.0, max(0, second - BUSY_FROM) / (BUSY_TO - BUSY_FROM))


@dataclass
class Estimate:
    """Estimate of the calls made and the calls to come, between two moments of a run."""

    agents: int
    goal: int
    """Town second at which the stretch ends."""
    at: int = 0
    """Town second that the run has reached."""
    calls: int = 0
    paid: int = 0
    """Calls that really went to a model; the others were served from the journal."""
    open: int = 0
    """Calls pending at this moment, as far as known."""
    shown: float = 0.0
    """The fraction last returned; it never decreases."""

    def count_call(self, served: bool) -> None:
        """Count a call."""
        self.calls += 1
        self.paid += not served

    def calls_left(self) -> float:
        """Return the estimated number of calls to come, without repairs."""
        return max(float(self.open), calls_of_day(self.agents, self.at, self.goal))

    def fraction(self) -> float:
        """Return the fraction of calls that are done, from 0 to 1; it never decreases."""
        if whole := self.calls + self.calls_left():
            self.shown = max(self.shown, self.calls / whole)
        return self.shown

    def seconds_left(self, elapsed: float) -> float | None:
        """Return the seconds left after `elapsed` seconds; None while they cannot be estimated."""
        return self.calls_left() * elapsed / self.paid if self.paid >= LEAST_CALLS else None


def time_left(done: int, total: int, elapsed: float) -> str:
    """Return a phrase for the time left, when `done` of `total` equal parts took `elapsed` seconds.

    Empty before the first part is done.
    """
    return in_words((total - done) * elapsed / done) if 0 < done < total else ""


def in_words(seconds: float | None) -> str:
    """Return a phrase for the time left: `12 min left`; empty for None."""
    return "" if seconds is None else f"{span(seconds)} left"


def span(seconds: float) -> str:
    """Return a length of time in words: `under a minute`, `12 min`, `1 h 07 min`."""
    if seconds < 60:
        return "under a minute"
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes:02d} min" if hours < 10 else f"{hours} h"


def format_estimate(seconds: float) -> str:
    """Return an estimated length of time: `under a minute`, `about 12 min`."""
    return f"about {span(seconds)}" if seconds >= 60 else span(seconds)
