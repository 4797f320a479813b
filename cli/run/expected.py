"""How many calls a stretch of town time is expected to take, and how long they will.

How much is left is counted in calls to come, not in town time: at night the town sleeps, and hours
without a call go by at once.
"""

from dataclasses import dataclass

from agents.times import DAY_SECONDS
from lab.doctor.estimate import calls_an_agent_day

AWAKE_FROM, AWAKE_TO = 6 * 3600, 23 * 3600
"""Between these seconds of a day people are taken to be up."""
CALLS_AT_DAWN = 3.0
"""Of an agent on a new day: identity, day plan, hours."""
HISTORY_CALLS = 6.0
"""Of an agent's whispers on the first day of the budget, which are counted by themselves."""
PRIOR_HOURS = 2.0
"""The guess weighs as much as so many hours of an agent."""


PRIOR_CALLS = 5
"""The pace that was measured beforehand weighs as much as so many calls."""
LEAST_CALLS = 3
"""Without such a pace nothing is promised before so many calls."""


def calls_an_hour(agents: int) -> float:
    """Return how many calls an hour each of so many agents makes while awake."""
    a_day = calls_an_agent_day(agents) - CALLS_AT_DAWN - HISTORY_CALLS
    return a_day * 3600 / (AWAKE_TO - AWAKE_FROM)


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
    steps: int = 0
    """First tries among the calls; the others are repairs."""
    open: int = 0
    """Calls that are waited for at this moment, as far as that is known."""
    paid: int = 0
    """Calls that really went to a model; the others were served from the journal."""
    steps_before: int = 0
    """First tries made when the present tick began."""
    a_call: float | None = None
    """Seconds that a call takes, as the doctor measured it; None where it has not."""
    shown: float = 0.0
    """The fraction last given; it never goes back."""

    def heard(self, served: bool, *, is_repair: bool = False) -> None:
        """Count a call."""
        self.calls += 1
        self.steps += not is_repair
        self.paid += not served

    def ticked(self, at: int) -> None:
        """Note that everything before town second `at` is lived."""
        self.at = at
        self.steps_before = self.steps

    def left(self) -> float:
        """Return how many calls are to come, more or less: as often repaired as those so far."""
        at = max(self.start, self.at)
        made = self.steps - self.steps_before
        dawns = CALLS_AT_DAWN * self.agents * midnights(at, self.goal)
        if at == self.start:
            dawns += self.extra
        lived = self.agents * waking_seconds(self.start, at) / 3600
        known = calls_an_hour(self.agents) * PRIOR_HOURS + (self.steps_before if lived else 0)
        an_hour = known / (PRIOR_HOURS + lived)
        awake = an_hour * self.agents * waking_seconds(at, self.goal) / 3600
        a_step = self.calls / self.steps if self.steps else 1.0
        return max(float(self.open), (dawns + awake - made) * a_step)

    def fraction(self) -> float:
        """Return which part is done, 0 to 1."""
        left = self.left()
        if self.calls + left > 0:
            self.shown = max(self.shown, self.calls / (self.calls + left))
        return min(1.0, self.shown)

    def seconds_left(self, elapsed: float) -> float | None:
        """Return the seconds to come after `elapsed` ones; None while nobody knows.

        Until calls were made, by the pace measured beforehand. A call that is still waited for
        makes the estimate grow.
        """
        if self.a_call is None:
            return self.left() * elapsed / self.paid if self.paid >= LEAST_CALLS else None
        spent = elapsed + PRIOR_CALLS * self.a_call
        return self.left() * spent / (self.paid + PRIOR_CALLS)


def time_left(done: int, total: int, elapsed: float) -> str:
    """Return how long the rest of `total` equal parts takes; empty before the first is done."""
    return in_words((total - done) * elapsed / done) if 0 < done < total else ""


def in_words(seconds: float | None) -> str:
    """Return a wait as people say it."""
    return "" if seconds is None else f"{span(seconds)} left"


def span(seconds: float) -> str:
    """Return a length of time as people say it: `under a minute`, `12 min`, `1 h 07 min`."""
    if seconds < 60:
        return "under a minute"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours < 10 else f"{hours} h"


def about(seconds: float) -> str:
    """Return an estimated length of time: `under a minute`, `about 12 min`."""
    return f"about {span(seconds)}" if seconds >= 60 else span(seconds)
