"""Probe: writing speed with 1, 2, 4 and 8 concurrent calls, and the cache's share of a prompt."""

import asyncio
import time

from langchain_core.messages import BaseMessage, HumanMessage

from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS
from smolville.lab.doctor.bounded import SAFE
from smolville.lab.doctor.context import fresh_number
from smolville.lab.doctor.findings import SpeedAt, SpeedFound
from smolville.models.chat import Chat
from smolville.models.errors import ModelError
from smolville.models.tokens import estimate_tokens
from smolville.prompts.prompt import TemplateSet, shipped_templates

AT_ONCE = (1, 2, 4, 8)
TOKENS = 48
WORTH = 1.15
"""Factor by which the total speed must grow for more concurrent calls to be worthwhile."""
AGAIN = 1.5
"""A round is repeated when it took this many times as long as expected without any gain."""
RESERVED = 0.2
"""Share of the probe's time reserved for measuring the prefix cache."""
PEOPLE = (
    "a baker",
    "a painter",
    "a sailor",
    "a teacher",
    "a gardener",
    "a judge",
    "a twin",
    "a cook",
)
SHARED_STEP = "say"
"""The step that a town calls most often."""


async def probe_speed(
    chat: Chat, seconds: float, templates: TemplateSet | None = None
) -> SpeedFound:
    """Return tokens per second for each number of concurrent calls, as far as the time allows."""
    until = time.perf_counter() + SAFE * seconds
    rounds: list[SpeedAt] = []
    problem, cached_share = "", None
    try:
        async with asyncio.timeout(SAFE * seconds):
            problem = await _rounds(chat, rounds, until - RESERVED * seconds)
            if rounds:
                cached_share = await _cached_share(chat, templates or shipped_templates())
    except TimeoutError:
        problem = problem or f"{AT_ONCE[len(rounds)]} at a time took too long"
    return SpeedFound(
        rounds=tuple(rounds), pays=pays(rounds), cached_share=cached_share, problem=problem
    )


async def _rounds(chat: Chat, rounds: list[SpeedAt], until: float) -> str:
    """Add a round for each number of concurrent calls; return why some are missing, if any."""
    for count in AT_ONCE:
        if rounds and _estimate_longest_round(rounds[-1], count) > until - time.perf_counter():
            return f"{count} at a time would have taken too long to try"
        try:
            rounds.append(await _better_round(chat, count, rounds))
        except ModelError as error:
            return f"at {count} at a time: {error}"
    return ""


async def _better_round(chat: Chat, count: int, before: list[SpeedAt]) -> SpeedAt:
    """Return the speed of a round; a round that is much slower than expected is measured again.

    A round can be delayed by something else (the server makes room, another program runs), which
    says nothing about how many concurrent calls are worthwhile.
    """
    first = await _measure_round(chat, count)
    if not before or first.seconds <= AGAIN * _estimate_longest_round(before[-1], count):
        return first
    second = await _measure_round(chat, count)
    return max(first, second, key=lambda each: each.tokens_per_second)


async def _measure_round(chat: Chat, count: int) -> SpeedAt:
    """Return the speed of one round of concurrent calls."""
    started = time.perf_counter()
    written = await asyncio.gather(*(_write(chat, count, each) for each in range(count)))
    seconds = time.perf_counter() - started
    return SpeedAt(
        in_flight=count,
        tokens_per_second=round(sum(written) / seconds, 1),
        seconds=round(seconds, 3),
    )


async def _write(chat: Chat, count: int, number: int) -> int:
    """Request one reply, and return its number of tokens."""
    asked: list[BaseMessage] = [
        HumanMessage(f"Tell a story of a hundred words about {PEOPLE[number]}, number {count}.")
    ]
    reply = await chat.ask(asked, temperature=0.7, seed=number, max_tokens=TOKENS)
    return reply.completion_tokens or estimate_tokens(reply.text)


def _estimate_longest_round(last: SpeedAt, count: int) -> float:
    """Return how long `count` calls take if more calls at once are not written any faster."""
    return last.seconds * count / last.in_flight


def pays(rounds: list[SpeedAt]) -> int | None:
    """Return the number of concurrent calls beyond which replies are not written faster."""
    best: SpeedAt | None = None
    for each in rounds:
        if best is None or each.tokens_per_second >= best.tokens_per_second * WORTH:
            best = each
    return best.in_flight if best is not None else None


async def _cached_share(chat: Chat, templates: TemplateSet) -> float | None:
    """Return the share of a prompt that the server reads from its cache.

    The same step is asked for two agents, and the share is measured at the second prompt. Both
    prompts begin with the same fresh number, so that nothing is served from the cache of an
    earlier examination.
    """
    step = next(each for each in STEPS if each.name == SHARED_STEP)
    number, reply = fresh_number(), None
    for samples in (SAMPLES, OTHER_SAMPLES):
        first, *rest = await templates.prompt(step).ainvoke(samples[step.name])
        fresh = first.model_copy(update={"content": f"Note {number}. {first.content}"})
        try:
            reply = await chat.ask([fresh, *rest], max_tokens=2)
        except ModelError:
            return None
    if reply is None or reply.cached_tokens is None or not reply.prompt_tokens:
        return None
    return round(min(1.0, reply.cached_tokens / reply.prompt_tokens), 3)
