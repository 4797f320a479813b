"""How long a town day would take, from this project's own measured budget of calls.

The budgets are those of docs/benchmarks.md ("A day"), counted with the stand-in, which is never
repaired: lower bounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lab.doctor.findings import ContextFound, DayEstimate, SpeedAt, SpeedFound
from models.reply import Reply


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How fast a model works on this machine, with as many calls at a time as a town sends."""

    reading: float
    """Tokens of prompts a second."""
    writing: float
    """Tokens of replies a second, of all calls together."""
    cached: float = 0.0
    """Which part of a prompt the server has in its cache, 0 to 1."""

    def seconds(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Return how long it takes to read and to write so many tokens."""
        prompts = prompt_tokens * (1 - self.cached) / max(self.reading, 0.1)
        return prompts + completion_tokens / max(self.writing, 0.1)

    @property
    def a_call(self) -> float:
        """Seconds that each call adds to a run, where none is repaired."""
        usual = BUDGETS[0]
        return self.seconds(usual.prompt_tokens, usual.completion_tokens) / usual.calls


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


def calls_an_agent_day(agents: int) -> float:
    """Return how many calls each of so many agents needs for a day, between the known budgets."""
    few, many = BUDGETS[0], BUDGETS[-1]
    share = (agents - few.agents) / (many.agents - few.agents)
    return few.calls + min(1.0, max(0.0, share)) * (many.calls - few.calls)


def by_the_way(
    replies: Sequence[Reply], context: ContextFound, speed: SpeedFound
) -> tuple[ContextFound, SpeedFound]:
    """Return both findings, with how fast other replies came where a probe did not get so far.

    A server tells with each reply how long it read and wrote; the longest says most.
    """
    if context.prompt_tokens_per_second is None:
        read = [
            (_read(reply), reply.prompt_ms) for reply in replies if reply.prompt_ms and _read(reply)
        ]
        if read:
            tokens, milliseconds = max(read)
            context = replace(context, prompt_tokens_per_second=1000 * tokens / milliseconds)
    if not speed.rounds:
        written = [
            (reply.completion_tokens, reply.reply_ms)
            for reply in replies
            if reply.completion_tokens and reply.reply_ms
        ]
        if written:
            speed = replace(speed, rounds=(_alone(*max(written)),), pays=1)
    return context, speed


def _read(reply: Reply) -> int:
    """Return how many tokens of its prompt were not in the cache."""
    return (reply.prompt_tokens or 0) - (reply.cached_tokens or 0)


def _alone(tokens: int, milliseconds: float) -> SpeedAt:
    """Return the speed of one reply that was written alone."""
    return SpeedAt(
        in_flight=1,
        tokens_per_second=round(1000 * tokens / milliseconds, 1),
        seconds=round(milliseconds / 1000, 3),
    )


def pace_of(context: ContextFound, speed: SpeedFound, slots: int) -> Pace | None:
    """Return the pace of a model whose reading and writing were measured; None otherwise."""
    reading = context.prompt_tokens_per_second
    if not speed.rounds or not reading:
        return None
    writing = _best(speed.rounds, slots).tokens_per_second
    return Pace(reading=reading, writing=writing, cached=speed.cached_share or 0.0)


def estimate_days(context: ContextFound, speed: SpeedFound, slots: int) -> tuple[DayEstimate, ...]:
    """Return what days of 3 and of 25 agents would take; nothing where no speed was measured.

    Prompts are read at the speed of the context's probe, without what the cache serves; replies
    are written at the speed of as many calls at a time as the town sends.
    """
    together, alone = pace_of(context, speed, slots), pace_of(context, speed, 1)
    if together is None or alone is None:
        return ()
    return tuple(
        DayEstimate(
            agents=budget.agents,
            calls=budget.calls * budget.agents,
            prompt_tokens=budget.prompt_tokens * budget.agents,
            completion_tokens=budget.completion_tokens * budget.agents,
            minutes=_minutes(budget, together),
            minutes_one_at_a_time=_minutes(budget, alone),
        )
        for budget in BUDGETS
    )


def _best(rounds: tuple[SpeedAt, ...], slots: int) -> SpeedAt:
    """Return the fastest round among those the town would send."""
    sent = [each for each in rounds if each.in_flight <= max(1, slots)]
    return max(sent, key=lambda each: each.tokens_per_second)


def _minutes(budget: Budget, pace: Pace) -> float:
    """Return the minutes of one town day."""
    seconds = pace.seconds(budget.prompt_tokens, budget.completion_tokens)
    return round(budget.agents * seconds / 60, 1)
