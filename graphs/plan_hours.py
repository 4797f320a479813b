"""Turn the broad strokes into activities with start times that cover the day."""

from dataclasses import replace
from typing import Any

from agents.plan import Block, cover_day, is_sleep
from agents.times import DAY, clock, minute_at
from graphs.cards import Card, PlannedCard, Who
from graphs.context import MindContext, today, who
from graphs.loop.step import Changes, Gathered, Step, StepResult
from graphs.scenes import Scene, planned_at
from graphs.sense.days import HOURS_CHECKS
from graphs.standin.days import plan_hours
from graphs.state import MindSeen
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


async def gather(state: MindSeen, context: MindContext) -> Gathered[PlanHoursInput]:
    """Return the broad strokes of the day."""
    me, plan = context.of(state.agent), state.mind.plan
    assert plan is not None
    inputs = PlanHoursInput(
        me=who(me, state.mind),
        date=today(me),
        requirement=state.mind.requirement,
        wake=clock(plan.wake),
        strokes=tuple(PlannedCard(time=clock(at), activity=what) for at, what in plan.strokes),
    )
    return Gathered(inputs=inputs)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[PlanHoursInput, HourlyPlan]
) -> Changes:
    """Lay the activities over the day, and remember the plan as a thought.

    A fallback is not remembered: nobody thought it.
    """
    me, mind, plan = context.of(state.agent), state.mind, state.mind.plan
    assert plan is not None
    starts = [(each.start, each.activity) for each in result.answer.activities]
    blocks = asleep_at_last(cover_day(starts))
    if result.is_fallback:
        blocks = tuple(replace(block, fallback=True) for block in blocks)
        return {"mind": replace(mind, plan=replace(plan, hours=blocks, blocks=blocks))}
    date = today(me)
    told = ", ".join(f"{what} at {clock(at)}" for at, what in plan.strokes if not is_sleep(what))
    draft, made = state.draft.with_memory(
        me,
        "thought",
        f"This is {me.name}'s plan for {date}: {told}.",
        step=STEP.name,
        triple=(me.name, "plan", date),
    )
    unrated = (*mind.unrated, made.id) if made else mind.unrated
    plan = replace(plan, hours=blocks, blocks=blocks)
    return {"mind": replace(mind, plan=plan, unrated=unrated), "draft": draft}


def sample(scene: Scene) -> PlanHoursInput:
    """Return believable inputs, made from a scene."""
    return PlanHoursInput(
        me=scene.me,
        date=scene.date,
        requirement=scene.requirement,
        wake=scene.strokes[0][0],
        strokes=planned_at(scene.strokes),
    )


STEP = Step(
    name="plan_hours",
    about="the hours of a day",
    inputs=PlanHoursInput,
    answer=HourlyPlan,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=plan_hours,
    context=context,
    sense=HOURS_CHECKS,
    tier="strong",
    max_tokens=1000,
    case=case,
)
