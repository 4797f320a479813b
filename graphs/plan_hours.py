"""Fill the gaps of a day with activities, and put some into work; all times are set by code."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.plan import Block, DayPlan, is_sleep
from smolville.agents.times import day_of, minute_at
from smolville.graphs import plan_day
from smolville.graphs.activities.kinds import free_time
from smolville.graphs.appointments import agreed_soon
from smolville.graphs.context import MindContext, make_planned_cards, number_memories, today, who
from smolville.graphs.frame import (
    DUTY,
    HABIT,
    OPEN,
    meal_in,
    most_parts,
    openings,
    parts,
    within_work,
)
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.plan_day import about_sample, broad_strokes, remember_plan
from smolville.graphs.recall import on_mind
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import CheckContext, SenseCheck, words_of
from smolville.graphs.standin.days import plan_hours
from smolville.graphs.state import MindState
from smolville.models.standin.rule import Dice
from smolville.parsers.plan_hours import LETTERS, HourlyPlan, PlanHoursInput
from smolville.parsers.problem import Problem, field_problem
from smolville.parsers.prompt_inputs import (
    GapCard,
    PersonaInput,
    PlannedCard,
)


def context(inputs: PlanHoursInput) -> dict[str, Any]:
    """Return how many activities each gap may have, ideas for them, and the day's fixed blocks."""
    return {
        "letters": {gap.letter: gap.most for gap in inputs.gaps},
        "work": [gap.letter for gap in inputs.gaps if gap.work],
        "meals": [meal for each in inputs.stands if (meal := meal_in(each.activity))],
        "stands": [each.activity for each in inputs.stands],
    }


def choices(inputs: PlanHoursInput) -> Choices:
    """Return the numbers of activities allowed in each gap."""
    return {
        f"{gap.letter}.length": range(0 if gap.work else 1, gap.most + 1) for gap in inputs.gaps
    }


def fallback(inputs: PlanHoursInput) -> HourlyPlan:
    """Return a usual thing for each gap, no kind of activity twice; work stays as it is."""
    dice, taken, filled = Dice(f"{inputs.me.name} {inputs.date}"), set[str](), {}
    for gap in inputs.gaps:
        if not gap.work:
            start, end = (minute_at(each) for each in gap.time.split("-"))
            filled[gap.letter] = free_time(start, end, inputs.me, taken, dice)[:1]
    return HourlyPlan.model_validate(filled or {LETTERS[0]: ["resting at home"]})


async def gather(state: MindState, context: MindContext) -> StepInputs[PlanHoursInput]:
    """Return the day's fixed blocks and its gaps."""
    me, plan = context.of(state.agent), state.mind.plan
    assert plan is not None
    inputs = asked_about(
        who(me, state.mind), today(me), state.mind.requirement, plan.wishes, plan.blocks
    )
    found = await on_mind(me, "; ".join(each.activity for each in inputs.wants) or today(me))
    more = {
        "agreed": agreed_soon(me, state.mind),
        "memories": number_memories(me, found.found),
    }
    return StepInputs(inputs=inputs.model_copy(update=more), recall=found)


def asked_about(
    me: PersonaInput,
    date: str,
    requirement: str,
    wishes: tuple[tuple[str, str], ...],
    blocks: tuple[Block, ...],
) -> PlanHoursInput:
    """Return the inputs of the question for planning the hours of a day."""
    standing = [each for each in blocks if each.source != OPEN and not is_sleep(each.activity)]
    given = {block.activity.casefold() for block in standing}
    return PlanHoursInput(
        me=me,
        date=date,
        requirement=requirement,
        wants=tuple(
            PlannedCard(time=f"In the {part}:", activity=wish)
            for part, wish in wishes
            if wish.casefold() not in given and not is_sleep(wish)
        ),
        stands=make_planned_cards(standing),
        gaps=tuple(
            GapCard(
                letter=letter,
                time=gap.span(),
                most=most_parts(gap),
                work=gap.activity if gap.source == DUTY else "",
            )
            for letter, gap in zip(LETTERS, openings(blocks), strict=False)
        ),
    )


def apply(
    state: MindState, context: MindContext, result: StepResult[PlanHoursInput, HourlyPlan]
) -> Changes:
    """Put the activities into the gaps, and remember the plan as a thought.

    Neither fallbacks nor habits are remembered, since nobody thought them.
    """
    me, mind, plan = context.of(state.agent), state.mind, state.mind.plan
    assert plan is not None
    blocks = fill_gaps(plan.blocks, result.answer)
    if result.is_fallback:
        blocks = tuple(replace(block, fallback=not block.source) for block in blocks)
        return {"mind": replace(mind, plan=replace(plan, hours=blocks, blocks=blocks))}
    strokes = broad_strokes(blocks, [wish for _, wish in plan.wishes])
    mind = replace(mind, plan=replace(plan, strokes=strokes, hours=blocks, blocks=blocks))
    mind, draft = remember_plan(me, mind, state.draft, STEP.name)
    return {"mind": mind, "draft": draft}


def fill_gaps(blocks: tuple[Block, ...], answer: HourlyPlan) -> tuple[Block, ...]:
    """Return a day with its gaps filled; work keeps its hours around what is done during it."""
    letters = dict(zip(openings(blocks), LETTERS, strict=False))
    found: list[Block] = []
    for block in blocks:
        letter = letters.get(block, "")
        texts = answer.of(letter) if letter else None
        if block.source != OPEN:
            found += within_work(block, texts) if texts else (block,)
            continue
        found += parts(block, texts or [block.activity])
    return tuple(found)


def sample(scene: Scene) -> PlanHoursInput:
    """Return sample inputs for the prompt, made from a scene."""
    wishes, blocks = about_sample(scene)
    inputs = asked_about(scene.me, scene.date, scene.requirement, wishes, blocks)
    more = {"agreed": scene.agreed, "memories": scene.recalled()[:2]}
    return inputs.model_copy(update=more)


def of_hours(answer: HourlyPlan, inputs: PlanHoursInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield activities for a day's gaps that are in the day already."""
    said = {tuple(words_of(each.activity)) for each in inputs.stands}
    for gap in inputs.gaps:
        for number, text in enumerate(answer.of(gap.letter) or ()):
            if (words := tuple(words_of(text))) in said:
                rest = ", which is in your day already. Write something else."
                yield field_problem(f"{gap.letter}.{number}", text, rest, "repeat")
            said.add(words)


STEP = Step(
    name="plan_hours",
    about="what fills the gaps of a day",
    inputs=PlanHoursInput,
    answer=HourlyPlan,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=plan_hours,
    context=context,
    choices=choices,
    sense=(SenseCheck(look=of_hours, action="ask"),),
    tier="strong",
    max_tokens=500,
    sheds=("memories",),
)


USUAL_DAY = "lay_usual_day"


async def lay_usual_day(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Plan sleep, meals and work as in the persona file, and a usual thing for each gap.

    Every block is a habit: it is not chosen by a mind, is split by rule, and is never remembered as
    a plan.
    """
    context = runtime.context
    me, mind = context.of(state.agent), state.mind
    rules = plan_day.day_rules(me, context, mind)
    asked = plan_day.asked_about(who(me, mind), today(me), me.persona.daily_requirement, (), rules)
    outline = plan_day.fallback(asked)
    framed = plan_day.lay_out_day(asked, outline, rules)
    gaps = asked_about(asked.me, asked.date, asked.requirement, (), framed)
    blocks = tuple(
        block if is_sleep(block.activity) else replace(block, source=HABIT)
        for block in fill_gaps(framed, fallback(gaps))
    )
    plan = DayPlan(
        day=day_of(me.surroundings.at),
        wake=outline.wake,
        strokes=tuple((block.start, block.activity) for block in blocks[1:]),
        hours=blocks,
        blocks=blocks,
    )
    return {"mind": replace(mind, plan=plan, refused=()), "path": [*state.path, USUAL_DAY]}
