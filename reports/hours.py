"""Outcomes of steps, and the number of calls, by town hour."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphs.loop.ledger import OUTCOMES
from history.reader import RunReader

_STEPS = """
SELECT tick * :seconds / 3600, outcome, COUNT(*), TOTAL(odd_kinds != '[]') FROM steps
WHERE tick <= :until
GROUP BY 1, 2 ORDER BY 1
"""
_CALLS = """
SELECT tick * :seconds / 3600, COUNT(*), TOTAL(prompt_tokens), TOTAL(completion_tokens),
    TOTAL(milliseconds)
FROM calls WHERE tick <= :until GROUP BY 1 ORDER BY 1
"""


@dataclass(kw_only=True)
class Hour:
    """One town hour, counted from the first midnight."""

    hour: int
    outcomes: dict[str, int] = field(default_factory=dict)
    odd: int = 0
    """Steps whose answer was accepted although it was odd."""
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    milliseconds: float = 0.0

    @property
    def steps(self) -> int:
        """Number of steps that ended."""
        return sum(self.outcomes.values())

    @property
    def sensible(self) -> int:
        """Steps answered by a model without any oddity."""
        return self.steps - self.odd - self.outcomes.get("fallback", 0)


def hours(reader: RunReader, until: int) -> Sequence[Hour]:
    """Return the town hours up to a tick, from the first one with a call."""
    given = {"seconds": reader.spec.tick_seconds, "until": until}
    with reader.snapshot():
        steps = reader.connection.execute(_STEPS, given).fetchall()
        calls = reader.connection.execute(_CALLS, given).fetchall()
    if not steps and not calls:
        return []
    found = [int(row[0]) for row in (*steps, *calls)]
    told = {
        hour: Hour(hour=hour, outcomes=dict.fromkeys(OUTCOMES, 0))
        for hour in range(min(found), max(found) + 1)
    }
    for hour, outcome, count, odd in steps:
        told[hour].outcomes[outcome] = count
        told[hour].odd += int(odd)
    for hour, count, prompt, completion, milliseconds in calls:
        told[hour].calls = count
        told[hour].prompt_tokens = int(prompt)
        told[hour].completion_tokens = int(completion)
        told[hour].milliseconds = milliseconds
    return list(told.values())
