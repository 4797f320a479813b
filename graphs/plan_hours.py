"""Fill the gaps of a day with activities; what stands in it, and every time, is given by code."""

from dataclasses import replace
from typing import Any

from agents.plan import Block, is_sleep
from agents.times import clock
from graphs.cards import Card, GapCard, PlannedCard, Who
from graphs.context import MindContext, planned, today, who
from graphs.frame.day import HABIT, OPEN, gaps, most_parts, parts
from graphs.loop.step import Changes, Choices, Gathered, Step, StepResult
from graphs.plan_day import about_sample
from graphs.scenes import Scene
from graphs.sense.days import HOURS_CHECKS, meal_of
from graphs.standin.days import plan_hours
from graphs.state import MindSeen
from parsers.plan_hours import LETTERS, HourlyPlan


class PlanHoursInput(Card):
    """What the prompt `plan_hours` shows."""

    me: Who
    date: str
    requirement: str
    wants: tuple[PlannedCard, ...]
    """What I want of the day, beside what stands in it."""
    stands: tuple[PlannedCard, ...]
    """What stands in the day already, each with its span."""
    gaps: tuple[GapCard, ...]
    """At most five."""


def context(inputs: PlanHoursInput) -> dict[str, Any]:
    """Return into how many things each gap may be filled at most, and the meals that stand."""
    return {
        "letters": {gap.letter: gap.most for gap in inputs.gaps},
        "meals": [meal for each in inputs.stands if (meal := meal_of(each.activity))],
    }


def choices(inputs: PlanHoursInput) -> Choices:
    """Return how many things each gap may hold."""
    return {f"{gap.letter}.length": tuple(range(1, gap.most + 1)) for gap in inputs.gaps}


def fallback(inputs: PlanHoursInput) -> HourlyPlan:
    """Return quiet hours at home."""
    filled = {gap.letter: ["resting at home"] for gap in inputs.gaps}
    return HourlyPlan.model_validate(filled or {LETTERS[0]: ["resting at home"]})


def case(inputs: PlanHoursInput) -> str:
    """Return this case as examples are told."""
    wants = "; ".join(f"{stroke.time} {stroke.activity}" for stroke in inputs.wants)
    told = "; ".join(f"{gap.letter} = {gap.time}, at most {gap.most}" for gap in inputs.gaps)
    return f"You want: {wants}\nGAPS: {told}"


async def gather(state: MindSeen, context: MindContext) -> Gathered[PlanHoursInput]:
    """Return what stands in the day, and its gaps."""
    me, plan = context.of(state.agent), state.mind.plan
    assert plan is not None
    return Gathered(
        inputs=asked_about(
            who(me, state.mind), today(me), state.mind.requirement, plan.strokes, plan.blocks
        )
    )


def asked_about(
    me: Who,
    date: str,
    requirement: str,
    strokes: tuple[tuple[int, str], ...],
    blocks: tuple[Block, ...],
) -> PlanHoursInput:
    """Return what the hours of a day are asked with."""
    standing = [each for each in blocks if each.source != OPEN and not is_sleep(each.activity)]
    laid = {block.start: block.activity for block in blocks}
    wanted = [(at, what) for at, what in strokes if laid.get(at) != what and not is_sleep(what)]
    return PlanHoursInput(
        me=me,
        date=date,
        requirement=requirement,
        wants=tuple(PlannedCard(time=clock(at), activity=what) for at, what in wanted),
        stands=planned(standing),
        gaps=tuple(
            GapCard(
                letter=letter,
                time=gap.span(),
                most=most_parts(gap.minutes),
            )
            for letter, gap in zip(LETTERS, gaps(blocks), strict=False)
        ),
    )


def apply(
    state: MindSeen, context: MindContext, result: StepResult[PlanHoursInput, HourlyPlan]
) -> Changes:
    """Lay the activities into the gaps, and remember the plan as a thought.

    A fallback is not remembered, and neither is a habit: nobody thought it.
    """
    me, mind, plan = context.of(state.agent), state.mind, state.mind.plan
    assert plan is not None
    blocks = laid(plan.blocks, result.answer)
    if result.is_fallback:
        blocks = tuple(replace(block, fallback=not block.source) for block in blocks)
        return {"mind": replace(mind, plan=replace(plan, hours=blocks, blocks=blocks))}
    date = today(me)
    habits = {block.start for block in blocks if block.source == HABIT}
    told = ", ".join(f"{what} at {clock(at)}" for at, what in plan.strokes if at not in habits)
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


def laid(blocks: tuple[Block, ...], answer: HourlyPlan) -> tuple[Block, ...]:
    """Return a day with its gaps filled; sleep is planned by code, and by nobody else."""
    filled = dict(zip(gaps(blocks), LETTERS, strict=False))
    found: list[Block] = []
    for block in blocks:
        if block.source != OPEN:
            found.append(block)
            continue
        found += parts(block, answer.of(filled[block]) or [block.activity])
    return tuple(found)


def sample(scene: Scene) -> PlanHoursInput:
    """Return believable inputs, made from a scene."""
    strokes, blocks = about_sample(scene)
    return asked_about(scene.me, scene.date, scene.requirement, strokes, blocks)


STEP = Step(
    name="plan_hours",
    about="what fills the gaps of a day",
    inputs=PlanHoursInput,
    answer=HourlyPlan,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=plan_hours,
    context=context,
    choices=choices,
    sense=HOURS_CHECKS,
    tier="strong",
    max_tokens=500,
    case=case,
)
