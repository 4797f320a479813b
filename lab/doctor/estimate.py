"""How long a town day would take, from this project's own measured budget of calls.

The budgets are those of docs/benchmarks.md ("A day"), counted with the stand-in, which is never
repaired: lower bounds.
"""

from dataclasses import dataclass

from lab.doctor.findings import ContextFound, DayEstimate, SpeedAt, SpeedFound


@dataclass(frozen=True)
class Budget:
    """What one agent needs for one town day."""

    agents: int
    """In a town of so many."""
    calls: int
    prompt_tokens: int
    completion_tokens: int


BUDGETS = (
    Budget(agents=3, calls=78, prompt_tokens=73_000, completion_tokens=12_500),
    Budget(agents=25, calls=124, prompt_tokens=113_000, completion_tokens=17_200),
)


def estimate_days(context: ContextFound, speed: SpeedFound, slots: int) -> tuple[DayEstimate, ...]:
    """Return what days of 3 and of 25 agents would take; nothing where no speed was measured.

    Prompts are read at the speed of the context's probe, without what the cache serves; replies
    are written at the speed of as many calls at a time as the town sends.
    """
    reading = context.prompt_tokens_per_second
    if not speed.rounds or not reading:
        return ()
    alone = speed.rounds[0]
    together = _best(speed.rounds, slots)
    return tuple(
        DayEstimate(
            agents=budget.agents,
            calls=budget.calls * budget.agents,
            prompt_tokens=budget.prompt_tokens * budget.agents,
            completion_tokens=budget.completion_tokens * budget.agents,
            minutes=_minutes(budget, reading, together, speed.cached_share),
            minutes_one_at_a_time=_minutes(budget, reading, alone, speed.cached_share),
        )
        for budget in BUDGETS
    )


def _best(rounds: tuple[SpeedAt, ...], slots: int) -> SpeedAt:
    """Return the fastest round among those the town would send."""
    sent = [each for each in rounds if each.in_flight <= max(1, slots)]
    return max(sent, key=lambda each: each.tokens_per_second)


def _minutes(budget: Budget, reading: float, writing: SpeedAt, cached: float | None) -> float:
    """Return the minutes of one town day."""
    prompts = budget.prompt_tokens * (1 - (cached or 0.0)) / reading
    replies = budget.completion_tokens / max(writing.tokens_per_second, 0.1)
    return round(budget.agents * (prompts + replies) / 60, 1)
