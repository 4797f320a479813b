"""Split the block that is about to start into subtasks."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from langgraph.runtime import Runtime

from agents.mind import Mind
from agents.plan import Block, is_sleep, lay_out, splice
from agents.times import clock, minute_of
from graphs.cards import Card, PlannedCard, Who
from graphs.gather import planned, today, who
from graphs.loop.step import Step
from graphs.thinking import Thinking, Thought
from parsers.decompose import Subtask, Subtasks

SHORTEST = 60
"""Only blocks of an hour or more are split."""
LONGEST = 360
"""So many minutes are split at a time: twelve subtasks of an hour at most fill no longer block."""
AHEAD = 60
"""Minutes ahead in which a block that begins is split, too."""


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
    """Return the activity itself, in equal pieces of at most an hour."""
    count = -(-minutes // 60)
    ends = [minutes * number // count for number in range(count + 1)]
    return [Subtask(activity=activity[:120], minutes=end - start) for start, end in pairwise(ends)]


def fallback(inputs: DecomposeInput) -> Subtasks:
    """Return the activity as it stands, in pieces of at most an hour."""
    return Subtasks(subtasks=whole_in_hours(inputs.activity, inputs.minutes))


def case(inputs: DecomposeInput) -> str:
    """Return this case as examples are told."""
    span = f"{inputs.start} to {inputs.end}, {inputs.minutes} minutes"
    return f"The activity: {inputs.activity}, {span}"


STEP = Step(
    name="decompose",
    inputs=DecomposeInput,
    answer=Subtasks,
    fallback=fallback,
    context=context,
    max_tokens=600,
    case=case,
    sheds=("around",),
)


def to_split(mind: Mind, at: int) -> tuple[Block, ...]:
    """Return the blocks to split now: whole, of an hour or more, no sleep, within the next hour.

    So the day stays split one to two hours ahead, and not farther (the original's rule).
    """
    if mind.plan is None:
        return ()
    minute = minute_of(at)
    return tuple(
        block
        for block in mind.plan.blocks
        if block.start <= minute + AHEAD
        and block.end - max(block.start, minute) >= SHORTEST
        and not block.part_of
        and not is_sleep(block.activity)
    )


async def decompose(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask for the subtasks of the next blocks, each in its turn, and put them in its place."""
    mind = state.mind
    for block in to_split(mind, runtime.context.surroundings.at):
        mind = await _split(runtime.context, mind, block)
    return {"mind": mind}


async def _split(thought: Thought, mind: Mind, block: Block) -> Mind:
    """Return the mind with one block split; what is too long, at its start."""
    assert mind.plan is not None
    start = max(minute_of(thought.surroundings.at), block.start)
    end = min(block.end, start + LONGEST)
    hours = [each for each in mind.plan.hours if each.end == block.start or each.start == block.end]
    inputs = DecomposeInput(
        me=who(thought, mind),
        date=today(thought),
        activity=block.activity,
        start=clock(start),
        end=clock(end),
        minutes=end - start,
        around=planned(hours),
    )
    taken = await STEP.take(thought, inputs)
    tasks = [(each.activity, each.minutes) for each in taken.answer.subtasks]
    new = lay_out(start, tasks, block.activity)
    if taken.is_fallback:
        new = tuple(replace(each, fallback=True) for each in new)
    blocks = splice(mind.plan.blocks, start, end, new)
    return replace(mind, plan=replace(mind.plan, blocks=blocks))
