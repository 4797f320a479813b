"""Split the block that is about to start into subtasks."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.mind import Mind
from agents.plan import Block, block_at, is_sleep, lay_out, splice
from agents.times import clock, minute_of
from graphs.cards import Card, PlannedCard, Who
from graphs.gather import planned, today, who
from graphs.step import Step
from graphs.thinking import Thinking, Thought
from parsers.decompose import Subtask, Subtasks

SHORTEST = 60
"""Only blocks of an hour or more are split."""


class DecomposeInput(Card):
    """What the prompt `decompose` shows."""

    me: Who
    date: str
    activity: str
    """Of the block."""
    start: str
    """Clock."""
    end: str
    """Clock."""
    minutes: int
    """From start to end."""
    around: tuple[PlannedCard, ...]
    """The blocks before and after."""


def context(inputs: DecomposeInput) -> dict[str, Any]:
    """Return the minutes the subtasks must fill."""
    return {"minutes": inputs.minutes}


def whole_in_hours(activity: str, minutes: int) -> list[Subtask]:
    """Return the activity itself, in pieces of at most an hour."""
    pieces = [60] * (minutes // 60) + ([minutes % 60] if minutes % 60 else [])
    return [Subtask(activity=activity[:120], minutes=piece) for piece in pieces[:12]]


def fallback(inputs: DecomposeInput) -> Subtasks:
    """Return the activity as it stands, in pieces of at most an hour."""
    return Subtasks(subtasks=whole_in_hours(inputs.activity, inputs.minutes))


STEP = Step(
    name="decompose",
    inputs=DecomposeInput,
    answer=Subtasks,
    fallback=fallback,
    context=context,
    max_tokens=600,
)


def to_split(mind: Mind, at: int) -> Block | None:
    """Return the block of this moment when it is to be split: an hour or more, whole, not sleep."""
    if mind.plan is None:
        return None
    block = block_at(mind.plan.blocks, minute_of(at))
    whole = not block.part_of and not is_sleep(block.activity)
    return block if whole and block.end - minute_of(at) >= SHORTEST else None


async def decompose(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask for the block's subtasks and put them in its place."""
    thought, mind = runtime.context, state.mind
    at = minute_of(thought.surroundings.at)
    block = to_split(mind, thought.surroundings.at)
    assert block is not None and mind.plan is not None
    start = max(at, block.start)
    hours = [each for each in mind.plan.hours if each.end == block.start or each.start == block.end]
    inputs = DecomposeInput(
        me=who(thought, mind),
        date=today(thought),
        activity=block.activity,
        start=clock(start),
        end=clock(block.end),
        minutes=block.end - start,
        around=planned(hours),
    )
    taken = await STEP.take(thought, inputs)
    tasks = [(each.activity, each.minutes) for each in taken.answer.subtasks]
    new = lay_out(start, tasks, block.activity)
    if taken.is_fallback:
        new = tuple(replace(each, fallback=True) for each in new)
    blocks = splice(mind.plan.blocks, start, block.end, new)
    return {"mind": replace(mind, plan=replace(mind.plan, blocks=blocks))}
