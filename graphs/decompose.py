"""Split the block that is about to start into subtasks."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from agents.mind import Mind
from agents.plan import Block, is_sleep, lay_out, splice
from agents.times import clock, minute_of
from graphs.cards import Card, PlannedCard, Who
from graphs.context import MindContext, planned, today, who
from graphs.loop.step import Changes, Gathered, Step, StepResult
from graphs.scenes import Scene, planned_at
from graphs.sense.days import STEPS_CHECKS
from graphs.standin.tasks import decompose
from graphs.state import MindSeen
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


def _window(state: MindSeen, at: int) -> tuple[Block, int, int]:
    """Return the next block to split, and the minutes between which it is split.

    What is too long is split at its start.
    """
    block = to_split(state.mind, at)[0]
    start = max(minute_of(at), block.start)
    return block, start, min(block.end, start + LONGEST)


async def gather(state: MindSeen, context: MindContext) -> Gathered[DecomposeInput]:
    """Return the next block to split, and the hours around it."""
    me, mind = context.of(state.agent), state.mind
    block, start, end = _window(state, me.surroundings.at)
    assert mind.plan is not None
    hours = [each for each in mind.plan.hours if each.end == block.start or each.start == block.end]
    inputs = DecomposeInput(
        me=who(me, mind),
        date=today(me),
        activity=block.activity,
        start=clock(start),
        end=clock(end),
        minutes=end - start,
        around=planned(hours),
    )
    return Gathered(inputs=inputs)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[DecomposeInput, Subtasks]
) -> Changes:
    """Put the subtasks into the plan, in the block's place."""
    plan = state.mind.plan
    assert plan is not None
    block, start, end = _window(state, context.of(state.agent).surroundings.at)
    tasks = [(each.activity, each.minutes) for each in result.answer.subtasks]
    new = lay_out(start, tasks, block.activity)
    if result.is_fallback:
        new = tuple(replace(each, fallback=True) for each in new)
    blocks = splice(plan.blocks, start, end, new)
    return {"mind": replace(state.mind, plan=replace(plan, blocks=blocks))}


def sample(scene: Scene) -> DecomposeInput:
    """Return believable inputs, made from a scene."""
    activity, start, end, minutes = scene.block
    return DecomposeInput(
        me=scene.me,
        date=scene.date,
        activity=activity,
        start=start,
        end=end,
        minutes=minutes,
        around=planned_at((scene.strokes[1], *scene.strokes[3:4])),
    )


STEP = Step(
    name="decompose",
    about="the tasks of an hour or more",
    inputs=DecomposeInput,
    answer=Subtasks,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=decompose,
    context=context,
    max_tokens=600,
    sense=STEPS_CHECKS,
    case=case,
    sheds=("around",),
)
