"""Turn the broad strokes into activities with start times that cover the day."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.plan import Block, cover_day, is_sleep
from agents.times import DAY, clock, minute_at
from graphs.cards import Card, PlannedCard, Who
from graphs.gather import today, who
from graphs.loop.step import Step
from graphs.thinking import Thinking, Thought
from parsers.plan_hours import HourlyPlan, PlannedActivity

USUAL = (
    (750, "having lunch"),
    (900, "taking a break"),
    (1110, "having dinner"),
    (1200, "resting at home"),
    (1350, "sleeping"),
)
"""What a day has anyway, by its minute."""


class PlanHoursInput(Card):
    """What the prompt `plan_hours` shows."""

    me: Who
    date: str
    requirement: str
    wake: str
    """Clock at which I wake."""
    strokes: tuple[PlannedCard, ...]


def context(inputs: PlanHoursInput) -> dict[str, Any]:
    """Return the waking minute, with which the plan must begin."""
    return {"wake": minute_at(inputs.wake)}


def fallback(inputs: PlanHoursInput) -> HourlyPlan:
    """Return the broad strokes themselves, with meals at the usual hours between them."""
    wake = minute_at(inputs.wake)
    planned = {minute_at(stroke.time): stroke.activity for stroke in inputs.strokes}
    starts = {**dict(USUAL), wake: "waking up", **planned}
    last = max(starts)
    if not is_sleep(starts[last]):
        starts[min(last + 60, DAY - 1)] = "sleeping"
    activities = [
        PlannedActivity(start=minute, activity=starts[minute])
        for minute in sorted(starts)
        if minute >= wake
    ]
    return HourlyPlan(activities=activities)


def asleep_at_last(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return a day's blocks with the last one being sleep, in whatever words the model said it."""
    last = blocks[-1]
    return blocks if is_sleep(last.activity) else (*blocks[:-1], replace(last, activity="sleeping"))


def case(inputs: PlanHoursInput) -> str:
    """Return this case as examples are told."""
    plan = "; ".join(f"{stroke.time} {stroke.activity}" for stroke in inputs.strokes)
    return f"Today must hold: {inputs.requirement}\nYou wake up at {inputs.wake}.\nPLAN: {plan}"


STEP = Step(
    name="plan_hours",
    inputs=PlanHoursInput,
    answer=HourlyPlan,
    fallback=fallback,
    context=context,
    tier="strong",
    max_tokens=1000,
    case=case,
)


async def plan_hours(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask for the day's hours, and remember the plan as a thought."""
    thought, mind = runtime.context, state.mind
    assert mind.plan is not None
    plan = mind.plan
    date = today(thought)
    inputs = PlanHoursInput(
        me=who(thought, mind),
        date=date,
        requirement=mind.requirement,
        wake=clock(plan.wake),
        strokes=tuple(PlannedCard(time=clock(at), activity=what) for at, what in plan.strokes),
    )
    taken = await STEP.take(thought, inputs)
    starts = [(each.start, each.activity) for each in taken.answer.activities]
    blocks = asleep_at_last(cover_day(starts))
    if taken.is_fallback:
        blocks = tuple(replace(block, fallback=True) for block in blocks)
        return {"mind": replace(mind, plan=replace(plan, hours=blocks, blocks=blocks))}
    told = ", ".join(f"{what} at {clock(at)}" for at, what in plan.strokes if not is_sleep(what))
    made = thought.notes.remember(
        "thought",
        f"This is {thought.name}'s plan for {date}: {told}.",
        step=STEP.name,
        triple=(thought.name, "plan", date),
    )
    unrated = (*mind.unrated, made.id) if made else mind.unrated
    plan = replace(plan, hours=blocks, blocks=blocks)
    return {"mind": replace(mind, plan=plan, unrated=unrated)}
