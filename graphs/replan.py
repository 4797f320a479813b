"""Make new subtasks for the rest of a window that was interrupted."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.mind import Mind
from agents.plan import Block, block_at, is_sleep, lay_out, splice
from agents.times import clock, minute_of
from graphs.cards import Card, PlannedCard, Who
from graphs.decompose import LONGEST, whole_in_hours
from graphs.gather import now, planned, who
from graphs.loop.step import Step
from graphs.thinking import Thinking, Thought
from parsers.replan import NewTasks

SHORTEST = 15
"""Minutes: a shorter rest of a window is simply gone on with."""


class ReplanInput(Card):
    """What the prompt `replan` shows."""

    me: Who
    now: str
    reason: str
    """What happened."""
    activity: str
    """Of the hourly block."""
    tasks: tuple[PlannedCard, ...]
    """What was still to be done in it."""
    start: str
    """Clock."""
    end: str
    """Clock at which the window ends."""
    minutes: int
    """Of the window."""


def context(inputs: ReplanInput) -> dict[str, Any]:
    """Return the minutes the subtasks must fill."""
    return {"minutes": inputs.minutes}


def fallback(inputs: ReplanInput) -> NewTasks:
    """Return the hourly activity itself; the plan is then left as it was."""
    return NewTasks(subtasks=whole_in_hours(inputs.activity, inputs.minutes))


def case(inputs: ReplanInput) -> str:
    """Return this case as examples are told."""
    left = "; ".join(f"{task.time} {task.activity}" for task in inputs.tasks) or "nothing"
    return (
        f"Plan: {inputs.activity}. What happened: {inputs.reason}\n"
        f"STILL TO BE DONE: {left}\nYou have {inputs.minutes} minutes."
    )


STEP = Step(
    name="replan",
    inputs=ReplanInput,
    answer=NewTasks,
    fallback=fallback,
    context=context,
    max_tokens=500,
    case=case,
    sheds=("tasks",),
)


def window(mind: Mind, at: int) -> Block | None:
    """Return the rest of the present hourly block when it is worth a new plan."""
    if mind.plan is None:
        return None
    start = minute_of(at)
    hour = block_at(mind.plan.hours, start)
    if is_sleep(hour.activity) or hour.end - start < SHORTEST:
        return None
    return replace(hour, start=start, minutes=min(hour.end - start, LONGEST))


async def replan(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask what to do with the rest of the hour, and put it into the plan.

    After a fallback the plan stays as it was: what was interrupted goes on.
    """
    thought, mind = runtime.context, state.mind
    rest = window(mind, thought.surroundings.at)
    assert rest is not None and mind.plan is not None
    left = [
        block for block in mind.plan.blocks if rest.start < block.end and block.start < rest.end
    ]
    inputs = ReplanInput(
        me=who(thought, mind),
        now=now(thought),
        reason=state.disturbed,
        activity=rest.activity,
        tasks=planned(left),
        start=clock(rest.start),
        end=clock(rest.end),
        minutes=rest.minutes,
    )
    taken = await STEP.take(thought, inputs)
    if taken.is_fallback:
        return {"mind": mind}
    tasks = [(each.activity, each.minutes) for each in taken.answer.subtasks]
    new = lay_out(rest.start, tasks, rest.activity)
    blocks = splice(mind.plan.blocks, rest.start, rest.end, new)
    return {"mind": replace(mind, plan=replace(mind.plan, blocks=blocks)), "changed": True}
