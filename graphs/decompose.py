"""Split the block that is about to start into subtasks; a habit is split without a model call."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.english import stems
from smolville.agents.mind import Mind
from smolville.agents.plan import Block, is_sleep, lay_out, splice
from smolville.agents.routines import KnownTasks
from smolville.agents.times import clock, minute_of
from smolville.graphs.activities.kinds import kind_for, names_of, split
from smolville.graphs.agreed_plan import merged, place_spot
from smolville.graphs.appointments import agreed_soon
from smolville.graphs.components import ROUTINES
from smolville.graphs.context import (
    MindContext,
    Thinker,
    make_planned_cards,
    number_memories,
    today,
    who,
)
from smolville.graphs.frame import HABIT, PROMISE
from smolville.graphs.loop.step import Changes, Step, StepInputs, StepResult
from smolville.graphs.recall import on_mind
from smolville.graphs.scenes import Scene, planned_at
from smolville.graphs.standin.days import decompose
from smolville.graphs.state import MindState
from smolville.parsers.decompose import DecomposeInput, Subtask, Subtasks

SHORTEST = 60
"""Minimum minutes of a block that is split."""
LONGEST = 180
"""Maximum minutes that are split at once; for more, small models repeat the same steps."""
AHEAD = 60
"""A block is split up to this many minutes before it begins."""


def context(inputs: DecomposeInput) -> dict[str, Any]:
    """Return the minutes that all subtasks fill."""
    return {"minutes": inputs.minutes}


def whole_in_hours(activity: str, minutes: int) -> list[Subtask]:
    """Return the activity itself, split into equal pieces of at most an hour."""
    count = -(-minutes // 60)
    ends = [minutes * number // count for number in range(count + 1)]
    return [Subtask(activity=activity[:120], minutes=end - start) for start, end in pairwise(ends)]


def fallback(inputs: DecomposeInput) -> Subtasks:
    """Return the activity unchanged, in pieces of at most an hour."""
    return Subtasks(subtasks=whole_in_hours(inputs.activity, inputs.minutes))


def about_to_start(mind: Mind, at: int) -> tuple[Block, ...]:
    """Return the blocks to split now: they begin within an hour and last an hour or longer.

    Sleep and blocks that are already split are left out. So the day is always split one to two
    hours ahead and not farther (the original's rule). A meeting of an hour at most stays whole.
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
        and not (block.source == PROMISE and block.spot and block.minutes <= SHORTEST)
    )


def to_split(mind: Mind, at: int) -> tuple[Block, ...]:
    """Return the blocks that a model has to split now, without habits, which are split by rule."""
    return tuple(block for block in about_to_start(mind, at) if block.source != HABIT)


def window(block: Block, at: int) -> tuple[int, int]:
    """Return the start and end, in minutes of the day, of the stretch of a block to split now.

    Minutes before now are left out. If the rest is longer than `LONGEST`, it is divided into
    equal stretches, and the first of these is returned.
    """
    start = max(minute_of(at), block.start)
    left = block.end - start
    stretches = -(-left // LONGEST)
    return start, start + (left if stretches == 1 else round(left / stretches / 5) * 5)


async def gather(state: MindState, context: MindContext) -> StepInputs[DecomposeInput]:
    """Return the next block to split, and the hours around it."""
    me, mind = context.of(state.agent), state.mind
    block = to_split(mind, me.surroundings.at)[0]
    start, end = window(block, me.surroundings.at)
    assert mind.plan is not None
    myself = who(me, mind)
    hours = [
        each
        for each in merged(mind.plan.blocks)
        if each.end == block.start or each.start == block.end
    ]
    inputs = DecomposeInput(
        me=myself,
        date=today(me),
        activity=block.activity,
        start=clock(start),
        end=clock(end),
        minutes=end - start,
        around=make_planned_cards(hours),
        agreed=agreed_soon(me, mind),
    )
    found = await on_mind(me, block.activity)
    inputs = inputs.model_copy(update={"memories": number_memories(me, found.found)})
    return StepInputs(inputs=inputs, recall=found)


def apply(
    state: MindState, context: MindContext, result: StepResult[DecomposeInput, Subtasks]
) -> Changes:
    """Replace the block in the plan by its subtasks, and learn this way of splitting it.

    Subtasks that speak of what passes, like a party tomorrow, are not learnt.
    """
    me, plan = context.of(state.agent), state.mind.plan
    assert plan is not None
    at, routines = me.surroundings.at, state.mind.routines
    block = to_split(state.mind, at)[0]
    start, end = window(block, at)
    tasks = [(each.activity, each.minutes) for each in result.answer.subtasks]
    new = lay_out(start, tasks, block.activity)
    if block.source == PROMISE:
        place = block.spot.place if block.spot else ""
        new = tuple(
            replace(
                each,
                source=PROMISE,
                spot=place_spot(me, state.mind, each.activity, place, each.start),
            )
            for each in new
        )
    if result.is_fallback:
        new = tuple(replace(each, fallback=True) for each in new)
    if me.has(ROUTINES) and result.is_sound and suits_any_day(result.inputs, result.answer):
        routines = routines.with_tasks(
            KnownTasks(
                activity=block.activity, start=start, tasks=tuple(tasks), tick=me.surroundings.tick
            )
        )
    blocks = splice(plan.blocks, start, end, new)
    mind = replace(state.mind, plan=replace(plan, blocks=blocks), routines=routines)
    return {"mind": mind}


def suits_any_day(inputs: DecomposeInput, answer: Subtasks) -> bool:
    """Return whether no step speaks of what was agreed or on one's mind, which passes."""
    me = inputs.me
    told = " ".join((*inputs.agreed, *(each.text for each in inputs.memories)))
    usual = " ".join((inputs.activity, me.name, me.learned, me.lifestyle, me.work))
    passing = stems(told) - stems(usual)
    return not any(passing & stems(each.activity) for each in answer.subtasks)


def sample(scene: Scene) -> DecomposeInput:
    """Return sample inputs for the prompt, made from a scene."""
    activity, start, end, minutes = scene.block
    return DecomposeInput(
        me=scene.me,
        date=scene.date,
        activity=activity,
        start=start,
        end=end,
        minutes=minutes,
        around=planned_at((scene.strokes[1], *scene.strokes[3:4])),
        agreed=scene.agreed,
        memories=scene.recalled()[:2],
    )


STEP = Step(
    name="decompose",
    about="the tasks of an hour or more",
    inputs=DecomposeInput,
    answer=Subtasks,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=decompose,
    context=context,
    max_tokens=600,
    sheds=("memories", "around"),
)


SPLIT_HABITS = "split_habits"
_PART = 15
"""Approximate minutes of a part."""


def habits_to_split(mind: Mind, at: int) -> tuple[Block, ...]:
    """Return the unsplit habits of an hour or more that are about to start."""
    return tuple(block for block in about_to_start(mind, at) if block.source == HABIT)


async def split_habits(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Replace the next habits in the plan by their usual parts."""
    context = runtime.context
    me, mind = context.of(state.agent), state.mind
    for block in habits_to_split(mind, me.surroundings.at):
        mind = _with_parts(me, mind, block, context)
    return {"mind": mind, "path": [*state.path, SPLIT_HABITS]}


def _with_parts(me: Thinker, mind: Mind, block: Block, context: MindContext) -> Mind:
    assert mind.plan is not None
    start, end = window(block, me.surroundings.at)
    dice = context.dice(SPLIT_HABITS, start)
    sort = kind_for(block.activity, who(me, mind))
    count = max(1, -(-(end - start) // 60), round((end - start) / _PART))
    if sort is not None:
        count = min(count, len(sort.tasks))
    names = names_of(block.activity, sort.tasks if sort else (), count, dice)
    tasks = list(zip(names, split(end - start, len(names), dice), strict=True))
    parts = [replace(each, source=HABIT) for each in lay_out(start, tasks, block.activity)]
    blocks = splice(mind.plan.blocks, start, end, parts)
    return replace(mind, plan=replace(mind.plan, blocks=blocks))
