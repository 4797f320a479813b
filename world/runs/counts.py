"""Every count of a run: steps by outcome, attempts, calls, tokens and milliseconds."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

from graphs.loop.ledger import OUTCOMES, StepOutcome
from world.runs.memory_rows import FOREVER


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Sums over steps and their calls."""

    steps: int = 0
    outcomes: Mapping[StepOutcome, int] = field(default_factory=dict)
    """Every outcome, also those that did not occur; they sum to `steps`."""
    attempts: int = 0
    """As the steps tell; equal to `calls`."""
    calls: int = 0
    """As there are call rows."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    thinking_tokens: int = 0
    cached_tokens: int = 0
    uncounted: int = 0
    """Calls for which the server told no prompt tokens."""
    retries: int = 0
    milliseconds: float = 0.0

    @classmethod
    def summed(cls, parts: Iterable["Counts"]) -> "Counts":
        """Return the sum of counts."""
        kept = list(parts)
        outcomes = {
            outcome: sum(part.outcomes.get(outcome, 0) for part in kept) for outcome in OUTCOMES
        }
        numbers = {
            item.name: sum(getattr(part, item.name) for part in kept)
            for item in fields(cls)
            if item.name != "outcomes"
        }
        return cls(outcomes=outcomes, **numbers)


_STEPS = """
SELECT agent, step, COUNT(*), SUM(attempts), SUM(outcome = 'clean'), SUM(outcome = 'mended'),
    SUM(outcome = 'repaired'), SUM(outcome = 'escalated'), SUM(outcome = 'fallback')
FROM steps WHERE tick <= ? GROUP BY agent, step
"""
_CALLS = """
SELECT agent, step, COUNT(*), TOTAL(prompt_tokens), TOTAL(completion_tokens),
    TOTAL(thinking_tokens), TOTAL(cached_tokens), SUM(prompt_tokens IS NULL), TOTAL(retries),
    TOTAL(milliseconds)
FROM committed_calls WHERE tick <= ? GROUP BY agent, step
"""


def counts_by_agent_and_step(
    connection: sqlite3.Connection, until: int = FOREVER
) -> dict[tuple[str, str], Counts]:
    """Return the counts of each agent's uses of each step, up to a tick."""
    parts: dict[tuple[str, str], Counts] = {}
    for agent, step, steps, attempts, *ends in connection.execute(_STEPS, (until,)):
        parts[agent, step] = Counts(
            steps=steps, attempts=attempts, outcomes=dict(zip(OUTCOMES, ends, strict=True))
        )
    for agent, step, calls, *sums in connection.execute(_CALLS, (until,)):
        prompt, completion, thinking, cached, uncounted, retries = map(int, sums[:-1])
        asked = Counts(
            calls=calls,
            prompt_tokens=prompt,
            completion_tokens=completion,
            thinking_tokens=thinking,
            cached_tokens=cached,
            uncounted=uncounted,
            retries=retries,
            milliseconds=sums[-1],
        )
        parts[agent, step] = Counts.summed((parts.get((agent, step), Counts()), asked))
    return dict(sorted(parts.items()))


def by_agent(parts: Mapping[tuple[str, str], Counts]) -> dict[str, Counts]:
    """Return the sums for each agent."""
    return _summed_by(parts, 0)


def by_step(parts: Mapping[tuple[str, str], Counts]) -> dict[str, Counts]:
    """Return the sums for each step."""
    return _summed_by(parts, 1)


def _summed_by(parts: Mapping[tuple[str, str], Counts], place: int) -> dict[str, Counts]:
    names = sorted({key[place] for key in parts})
    return {
        name: Counts.summed(part for key, part in parts.items() if key[place] == name)
        for name in names
    }


def faults(parts: Mapping[tuple[str, str], Counts]) -> list[str]:
    """Return a sentence for every count that does not add up; none in a whole history."""
    found: list[str] = []
    for (agent, step), part in parts.items():
        ended = sum(part.outcomes.values())
        if ended != part.steps:
            found.append(f"{agent}, {step}: {part.steps} steps, but {ended} outcomes")
        if part.calls != part.attempts:
            found.append(f"{agent}, {step}: {part.attempts} attempts, but {part.calls} calls")
    return found
