"""Probe: how fast replies are written at 1, 2, 4 and 8 at a time, and what the cache serves."""

import asyncio
import time

from langchain_core.messages import BaseMessage, HumanMessage

from graphs.catalogue import STEPS
from graphs.samples import OTHER_SAMPLES, SAMPLES
from lab.doctor.bounded import SAFE
from lab.doctor.context import fresh_number
from lab.doctor.findings import SpeedAt, SpeedFound
from models.chat import Chat
from models.errors import ModelError
from models.tokens import estimate_tokens
from prompts.prompt import TemplateSet, shipped_templates

AT_ONCE = (1, 2, 4, 8)
TOKENS = 48
WORTH = 1.15
"""More calls at a time pay when they write so many times as much together."""
AGAIN = 1.5
"""A round is measured again when it took so many times as long as without any gain."""
RESERVED = 0.2
"""Of that time, for what the cache serves."""
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
"""The step of which a town asks most."""


async def probe_speed(
    chat: Chat, seconds: float, templates: TemplateSet | None = None
) -> SpeedFound:
    """Return tokens per second for each number of calls at a time, as far as the time allows."""
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
    """Add a round for each number of calls at a time; return why not for all of them."""
    for count in AT_ONCE:
        if rounds and _foreseen(rounds[-1], count) > until - time.perf_counter():
            return f"{count} at a time would have taken too long to try"
        try:
            rounds.append(await _better_round(chat, count, rounds))
        except ModelError as error:
            return f"at {count} at a time: {error}"
    return ""


async def _better_round(chat: Chat, count: int, before: list[SpeedAt]) -> SpeedAt:
    """Return the speed of a round; one that is slower than fewer calls were is measured again.

    A round that waits for something else (a server makes room, another program runs) says
    nothing about how many calls pay.
    """
    first = await _round(chat, count)
    if not before or first.seconds <= AGAIN * _foreseen(before[-1], count):
        return first
    second = await _round(chat, count)
    return max(first, second, key=lambda each: each.tokens_per_second)


async def _round(chat: Chat, count: int) -> SpeedAt:
    """Return the speed of one round of calls at the same time."""
    started = time.perf_counter()
    written = await asyncio.gather(*(_write(chat, count, each) for each in range(count)))
    seconds = time.perf_counter() - started
    return SpeedAt(
        in_flight=count,
        tokens_per_second=round(sum(written) / seconds, 1),
        seconds=round(seconds, 3),
    )


async def _write(chat: Chat, count: int, number: int) -> int:
    """Return how many tokens one reply has."""
    asked: list[BaseMessage] = [
        HumanMessage(f"Tell a story of a hundred words about {PEOPLE[number]}, number {count}.")
    ]
    reply = await chat.ask(asked, temperature=0.7, seed=number, max_tokens=TOKENS)
    return reply.completion_tokens or estimate_tokens(reply.text)


def _foreseen(last: SpeedAt, count: int) -> float:
    """Return how many seconds a round takes at the worst, with nothing gained by more calls."""
    return last.seconds * count / last.in_flight


def pays(rounds: list[SpeedAt]) -> int | None:
    """Return the number of calls at a time after which more do not write faster."""
    best: SpeedAt | None = None
    for each in rounds:
        if best is None or each.tokens_per_second >= best.tokens_per_second * WORTH:
            best = each
    return best.in_flight if best is not None else None


async def _cached_share(chat: Chat, templates: TemplateSet) -> float | None:
    """Return which part of one step's prompt the cache serves after the same step of another.

    Both begin with one number, so that nothing of an earlier examination is served.
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
