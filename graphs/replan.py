"""Replan the rest of a block that was interrupted."""

from dataclasses import replace
from typing import Any

from smolville.agents.mind import Mind
from smolville.agents.plan import Block, block_at, is_sleep, lay_out, splice
from smolville.agents.times import clock, minute_of
from smolville.graphs.agreed_plan import free_until
from smolville.graphs.appointments import agreed_soon
from smolville.graphs.context import MindContext, make_planned_cards, now, number_memories, who
from smolville.graphs.decompose import LONGEST, whole_in_hours
from smolville.graphs.frame import OPEN, PROMISE
from smolville.graphs.loop.step import Changes, Step, StepInputs, StepResult
from smolville.graphs.recall import on_mind
from smolville.graphs.scenes import Scene, planned_at
from smolville.graphs.standin.days import replan
from smolville.graphs.state import MindState
from smolville.parsers.replan import NewTasks, ReplanInput

SHORTEST = 15
"""Minimum minutes left for a new plan; if fewer are left, the old plan continues."""


def context(inputs: ReplanInput) -> dict[str, Any]:
    """Return the number of minutes that the subtasks must fill."""
    return {"minutes": inputs.minutes}


def fallback(inputs: ReplanInput) -> NewTasks:
    """Return the hourly activity itself; the plan is then left unchanged."""
    return NewTasks(subtasks=whole_in_hours(inputs.activity, inputs.minutes))


def window(mind: Mind, at: int) -> Block | None:
    """Return the rest of the current hour if it is long enough for a new plan.

    It ends where something begins that was agreed.
    """
    if mind.plan is None:
        return None
    start = minute_of(at)
    now, end = block_at(mind.plan.blocks, start), free_until(mind.plan, start)
    hour = now if now.source == PROMISE else block_at(mind.plan.hours, start)
    if is_sleep(hour.activity) or end - start < SHORTEST:
        return None
    return replace(hour, start=start, minutes=min(end - start, LONGEST))


async def gather(state: MindState, context: MindContext) -> StepInputs[ReplanInput]:
    """Return what happened, and the tasks that were still to be done in this hour."""
    me, mind = context.of(state.agent), state.mind
    rest = window(mind, me.surroundings.at)
    assert rest is not None and mind.plan is not None
    left = [
        block
        for block in mind.plan.blocks
        if rest.start < block.end and block.start < rest.end and block.source != OPEN
    ]
    inputs = ReplanInput(
        me=who(me, mind),
        now=now(me),
        reason=state.disturbed,
        activity=rest.activity,
        tasks=make_planned_cards(left),
        start=clock(rest.start),
        end=clock(rest.end),
        minutes=rest.minutes,
        agreed=agreed_soon(me, mind),
    )
    found = await on_mind(me, state.disturbed)
    inputs = inputs.model_copy(update={"memories": number_memories(me, found.found)})
    return StepInputs(inputs=inputs, recall=found)


def apply(
    state: MindState, context: MindContext, result: StepResult[ReplanInput, NewTasks]
) -> Changes:
    """Put the new tasks into the plan; after a fallback the interrupted tasks continue."""
    mind = state.mind
    rest = window(mind, context.of(state.agent).surroundings.at)
    assert rest is not None and mind.plan is not None
    if result.is_fallback:
        return {}
    tasks = [(each.activity, each.minutes) for each in result.answer.subtasks]
    planned = {block.activity for block in mind.plan.blocks} | {rest.activity}
    new = [
        replace(block, replanned=block.activity not in planned)
        for block in lay_out(rest.start, tasks, rest.activity)
    ]
    blocks = splice(mind.plan.blocks, rest.start, rest.end, new)
    return {"mind": replace(mind, plan=replace(mind.plan, blocks=blocks)), "changed": True}


def sample(scene: Scene) -> ReplanInput:
    """Return sample inputs for the prompt, made from a scene."""
    now, start, end, minutes = scene.rest
    return ReplanInput(
        me=scene.me,
        now=f"{scene.date}, {now}",
        reason=scene.happened,
        activity=scene.block[0],
        tasks=planned_at(scene.tasks[1:]),
        start=start,
        end=end,
        minutes=minutes,
        agreed=scene.agreed,
        memories=scene.recalled()[:2],
    )


STEP = Step(
    name="replan",
    about="the rest of a disturbed hour",
    inputs=ReplanInput,
    answer=NewTasks,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=replan,
    context=context,
    max_tokens=500,
    sheds=("memories", "tasks"),
)
