"""Estimate of how long a town day takes, from call budgets measured in this project.

The budgets are those of docs/benchmarks.md ("A day"). They were counted with the stand-in, whose
answers never need a repair, so they are lower bounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from smolville.lab.doctor.findings import ContextFound, DayEstimate, SpeedAt, SpeedFound
from smolville.models.reply import Reply


@dataclass(frozen=True, kw_only=True)
class Pace:
    """Speed of a model on this machine, with as many calls in flight as a town sends."""

    reading: float
    """Prompt tokens read per second."""
    writing: float
    """Reply tokens written per second, over all concurrent calls."""
    cached: float = 0.0
    """Share of a prompt that the server has in its cache on average, 0 to 1."""

    def seconds(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Return the seconds needed to read and write these numbers of tokens."""
        prompts = prompt_tokens * (1 - self.cached) / max(self.reading, 0.1)
        return prompts + completion_tokens / max(self.writing, 0.1)

    @property
    def a_call(self) -> float:
        """Seconds by which an average call prolongs a run, if its reply needs no repair."""
        usual = BUDGETS[0]
        return self.seconds(usual.prompt_tokens, usual.completion_tokens) / usual.calls


@dataclass(frozen=True)
class Budget:
    """Calls and tokens that one agent needs for one town day."""

    agents: int
    """Number of agents in the town for which this was measured."""
    calls: int
    prompt_tokens: int
    completion_tokens: int


BUDGETS = (
    Budget(agents=3, calls=47, prompt_tokens=50_000, completion_tokens=3_500),
    Budget(agents=25, calls=87, prompt_tokens=96_000, completion_tokens=5_600),
)


def calls_an_agent_day(agents: int) -> float:
    """Return the calls per agent and day in a town of this size.

    Interpolated between the known budgets.
    """
    few, many = BUDGETS[0], BUDGETS[-1]
    share = (agents - few.agents) / (many.agents - few.agents)
    return few.calls + min(1.0, max(0.0, share)) * (many.calls - few.calls)


def by_the_way(
    replies: Sequence[Reply], context: ContextFound, speed: SpeedFound
) -> tuple[ContextFound, SpeedFound]:
    """Return both findings; a speed that its probe did not measure is taken from `replies`.

    A server reports with each reply how long it read and wrote. Of these, the reply with the most
    tokens is used.
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
            speed = replace(speed, rounds=(_measure_single_speed(*max(written)),), pays=1)
    return context, speed


def _read(reply: Reply) -> int:
    """Return how many of a reply's prompt tokens were not cached."""
    return (reply.prompt_tokens or 0) - (reply.cached_tokens or 0)


def _measure_single_speed(tokens: int, milliseconds: float) -> SpeedAt:
    """Return the speed of a single reply written with no other call in flight."""
    return SpeedAt(
        in_flight=1,
        tokens_per_second=round(1000 * tokens / milliseconds, 1),
        seconds=round(milliseconds / 1000, 3),
    )


def pace_of(context: ContextFound, speed: SpeedFound, slots: int) -> Pace | None:
    """Return the pace of a model, or None when its reading or writing speed was not measured."""
    reading = context.prompt_tokens_per_second
    if not speed.rounds or not reading:
        return None
    writing = _best(speed.rounds, slots).tokens_per_second
    return Pace(reading=reading, writing=writing, cached=speed.cached_share or 0.0)


def estimate_days(context: ContextFound, speed: SpeedFound, slots: int) -> tuple[DayEstimate, ...]:
    """Return estimates of a day in towns of 3 and of 25 agents; empty if no speed was measured.

    Prompts are read at the speed measured by the context probe, minus what the cache serves;
    replies are written at the best speed measured with at most as many concurrent calls as the
    town sends.
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
    """Return the fastest round among those with at most `slots` calls in flight."""
    sent = [each for each in rounds if each.in_flight <= max(1, slots)]
    return max(sent, key=lambda each: each.tokens_per_second)


def _minutes(budget: Budget, pace: Pace) -> float:
    """Return the estimated duration of one town day, in minutes of real time."""
    seconds = pace.seconds(budget.prompt_tokens, budget.completion_tokens)
    return round(budget.agents * seconds / 60, 1)
