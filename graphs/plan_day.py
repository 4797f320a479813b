"""Plan a new day: the time to wake up, the promises to keep, and the purpose of each part.

Code has already set the parts that the persona itself fixes, each with its reason (`graphs.frame`).
"""

from dataclasses import replace
from typing import Any

from pydantic import Field

from agents.goals import goals_line
from agents.plan import Block, DayPlan, is_sleep
from agents.times import clock, day_of, minute_at
from graphs.appointments import AGREED
from graphs.context import MindContext, number_memories, today, who
from graphs.day_rules import (
    USUAL_RULES,
    DayRules,
    day_rules,
    forecast,
)
from graphs.frame.day import FREE, frame, gaps, waking_times
from graphs.frame.happenings import DatedEvent, happenings, is_same_event
from graphs.frame.life import Life, life_of
from graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from graphs.needs import format_needs
from graphs.prompt_inputs import PersonaInput, PlannedCard, PromiseCard, PromptInput, RecalledMemory
from graphs.recall import recall
from graphs.scenes import Scene
from graphs.sense.days import DAY_CHECKS
from graphs.standin.days import plan_day
from graphs.state import MindSeen
from graphs.strokes import broad_strokes
from parsers.plan_day import DayOutline

MEMORIES = 8
"""Number of memories about the day that are considered for its plan."""
FIRST, LAST = 270, 1290
"""Earliest and latest minute of the day for attending an event."""


class PlanDayInput(PromptInput):
    """The inputs that the prompt `plan_day` shows."""

    date: str
    """Date of the day: `Monday 6 May`."""
    requirement: str
    """The requirement for today."""
    me: PersonaInput
    memories: tuple[RecalledMemory, ...]
    """Memories that matter today: promises, news, plans."""
    promises: tuple[PromiseCard, ...]
    """Today's events that I may go to, numbered from 1."""
    wakes: tuple[str, ...]
    """Clock times at which I may wake up, including the usual one."""
    stands: tuple[PlannedCard, ...]
    """The blocks already in the day, if I wake up as usual."""
    goal: str = Field("", exclude_if=lambda goal: not goal)
    """My goals on one line; empty if I have none."""
    weather: str = Field("", exclude_if=lambda weather: not weather)
    """The day's weather; empty if unknown."""
    needs: str = Field(default="", exclude_if=lambda needs: not needs)
    """The needs that I feel, one sentence each; if there are none, empty and not recorded."""


def context(inputs: PlanDayInput) -> dict[str, Any]:
    """Return the wake-up minutes offered, and the promises by number."""
    return {
        "wakes": [minute_at(each) for each in inputs.wakes],
        "promises": {each.number: f"{each.time} {each.activity}" for each in inputs.promises},
    }


def choices(inputs: PlanDayInput) -> Choices:
    """Return the wake-up times and the numbers of promises that are allowed."""
    numbers = [each.number for each in inputs.promises]
    return {"wake": list(inputs.wakes), "go_to[]": numbers}


def fallback(inputs: PlanDayInput) -> DayOutline:
    """Return the usual day, with every promise kept."""
    wakes = [minute_at(each) for each in inputs.wakes]
    return DayOutline(
        wake=wakes[len(wakes) // 2],
        go_to=[each.number for each in inputs.promises],
        morning="the usual things of the morning",
        afternoon="what the day must hold",
        evening="a quiet evening at home",
    )


def case(inputs: PlanDayInput) -> str:
    """Return the inputs as one short text: examples are compared by it, and shown in this form."""
    stands = "; ".join(f"{each.time} {each.activity}" for each in inputs.stands)
    promises = "; ".join(f"{each.number} = {each.activity}" for each in inputs.promises)
    return (
        f"Today must hold: {inputs.requirement}\nYour day has already: {stands or 'nothing'}\n"
        f"PROMISES: {promises or 'none'}\nWake up at one of: {', '.join(inputs.wakes)}"
    )


async def gather(state: MindSeen, context: MindContext) -> StepInputs[PlanDayInput]:
    """Return the date, today's requirement, the fixed parts of the day, and memories about it."""
    me = context.of(state.agent)
    date, rules = today(me), day_rules(me, context, state.mind)
    found = await recall(
        me,
        [f"plans and promises for {date}", "invitations, news and what I want to do"],
        MEMORIES,
    )
    inputs = asked_about(
        who(me, state.mind),
        date,
        state.mind.requirement,
        number_memories(me, found.found),
        rules,
    )
    more = {
        "goal": goals_line(state.mind.goals),
        "needs": format_needs(me, state.mind),
        **forecast(me, context),
    }
    inputs = inputs.model_copy(update=more)
    return StepInputs(inputs=inputs, recall=found)


def asked_about(
    me: PersonaInput,
    date: str,
    requirement: str,
    memories: tuple[RecalledMemory, ...],
    rules: DayRules = USUAL_RULES,
) -> PlanDayInput:
    """Return the inputs of the question for planning a day."""
    life, events = _read(me, date, requirement, memories, rules)
    wakes = waking_times(life, events, rules.anchors)
    own = [event for event in events if _is_settled(event, requirement)]
    blocks = frame(life, own, wakes[len(wakes) // 2], rules.anchors)
    promises = [event for event in events if event not in own]
    return PlanDayInput(
        date=date,
        requirement=requirement,
        me=me,
        memories=memories,
        promises=tuple(
            PromiseCard(number=number, time=clock(event.start), activity=event.activity)
            for number, event in enumerate(promises, 1)
        ),
        wakes=tuple(clock(each) for each in wakes),
        stands=tuple(
            PlannedCard(time=block.span(), activity=block.activity)
            for block in blocks
            if not is_sleep(block.activity) and block.activity != FREE
        ),
    )


def lay_out_day(
    inputs: PlanDayInput, outline: DayOutline, rules: DayRules = USUAL_RULES
) -> tuple[Block, ...]:
    """Return the whole day: its fixed parts, the promises kept, and the gaps."""
    life, events = _read(inputs.me, inputs.date, inputs.requirement, inputs.memories, rules)
    asked = [each for each in events if not _is_settled(each, inputs.requirement)]
    dropped = [each for number, each in enumerate(asked, 1) if number not in outline.go_to]
    kept = [each for each in events if each not in dropped]
    places = {event.activity: spot for event, spot in rules.agreed}
    return tuple(
        replace(block, spot=places.get(block.activity))
        for block in frame(life, kept, outline.wake, rules.anchors)
    )


def _is_settled(event: DatedEvent, requirement: str) -> bool:
    """Return whether an event needs no decision: an own event, a duty, or one agreed to."""
    return event.is_own or event.source in requirement or event.source == AGREED


def _read(
    me: PersonaInput,
    date: str,
    requirement: str,
    memories: tuple[RecalledMemory, ...],
    rules: DayRules,
) -> tuple[Life, list[DatedEvent]]:
    """Return the fixed times of somebody's day, and the events while they are awake."""
    life = life_of(me, requirement, date, usual=rules.usual, is_english=rules.is_english)
    agreed = [event for event, _ in rules.agreed]
    if not rules.is_english:
        return life, agreed
    heard = happenings(me, date, memories, requirement)
    others = [each for each in heard if not any(is_same_event(each, one) for one in agreed)]
    found = sorted((*agreed, *others), key=lambda event: event.start)
    return life, [each for each in found if FIRST <= each.start < max(life.bed - 30, LAST)]


def apply(
    state: MindSeen, context: MindContext, result: StepResult[PlanDayInput, DayOutline]
) -> Changes:
    """Lay out the day: its fixed parts, the promises kept, and gaps that are still to be filled."""
    outline, inputs = result.answer, result.inputs
    day = day_of(context.of(state.agent).surroundings.at)
    idea = state.mind.idea
    if idea is not None and idea.day == day:
        outline = outline.model_copy(update={idea.part: idea.activity})
    me = context.of(state.agent)
    blocks = lay_out_day(inputs, outline, day_rules(me, context, state.mind))
    strokes = broad_strokes(blocks, outline, is_thought=not result.is_fallback)
    plan = DayPlan(
        day=day,
        wake=outline.wake,
        strokes=strokes,
        hours=() if gaps(blocks) else blocks,
        blocks=blocks,
    )
    return {"mind": replace(state.mind, plan=plan, refused=())}


def about_sample(scene: Scene) -> tuple[tuple[tuple[int, str], ...], tuple[Block, ...]]:
    """Return the broad strokes and the blocks of a scene's day, without contents for its gaps."""
    inputs = sample(scene)
    activities = [activity for _, activity in scene.strokes[1:-1]]
    outline = DayOutline(
        wake=minute_at(inputs.wakes[len(inputs.wakes) // 2]),
        go_to=[each.number for each in inputs.promises],
        morning=activities[0],
        afternoon=activities[-2] if len(activities) > 1 else scene.tasks[0][1],
        evening=scene.errand,
    )
    blocks = lay_out_day(inputs, outline)
    return broad_strokes(blocks, outline, is_thought=True), blocks


def sample(scene: Scene) -> PlanDayInput:
    """Return sample inputs for the prompt, made from a scene."""
    asked = asked_about(scene.me, scene.date, scene.requirement, scene.recalled())
    more = {"weather": scene.weather, "goal": scene.goal, "needs": scene.needs}
    return asked.model_copy(update=more)


STEP = Step(
    name="plan_day",
    about="when to wake, where to go, and what a day is for",
    inputs=PlanDayInput,
    answer=DayOutline,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=plan_day,
    context=context,
    choices=choices,
    sense=DAY_CHECKS,
    tier="strong",
    max_tokens=300,
    case=case,
    sheds=("memories",),
)
