"""Plan a new day: the time to wake up, the promises to keep, and a wish for each part.

Code has already set the parts that the persona itself fixes, each with its reason (`graphs.frame`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from smolville.agents.entities import day_in_words
from smolville.agents.mind import Appointment, Mind, goals_line
from smolville.agents.persona import Habits
from smolville.agents.plan import Block, DayPlan, Spot, is_sleep
from smolville.agents.times import DAY, clock, date_of, day_of, minute_at
from smolville.graphs.agreed_plan import (
    NOTHING,
    DayAgreements,
    agreed_for,
    event_of,
    lay_agreement,
    place_spot,
)
from smolville.graphs.appointments import agreed_soon, places_offered
from smolville.graphs.components import APPOINTMENTS, ENTITIES
from smolville.graphs.context import MindContext, Thinker, number_memories, today, who
from smolville.graphs.draft import Draft
from smolville.graphs.frame import (
    DUTY,
    FREE,
    HABIT,
    PROMISE,
    DatedEvent,
    frame,
    gaps,
    life_of,
    waking_times,
    with_event,
)
from smolville.graphs.loop.rules import Anchors
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.needs import format_needs
from smolville.graphs.recall import recall
from smolville.graphs.scenes import Scene
from smolville.graphs.standin.days import plan_day
from smolville.graphs.state import MindState
from smolville.parsers.plan_day import DatedThing, DayOutline, PlanDayInput
from smolville.parsers.plan_hours import says_again
from smolville.parsers.prompt_inputs import (
    PersonaInput,
    PlannedCard,
    PromiseCard,
    RecalledMemory,
)

MEMORIES = 8
"""Number of memories about the day that are considered for its plan."""
PLACES = 8
"""Maximum number of places offered for what the mind itself dates."""
LONGEST = 60
"""Minutes of something that the mind dates without saying when it ends."""
PARTS = ("morning", "afternoon", "evening")
"""The parts of a day, for each of which the mind has a wish."""
NEAR = 20
"""Minutes by which the mind may date an agreement otherwise than it was made."""


@dataclass(frozen=True, kw_only=True)
class DayRules:
    """Rules by which code lays out a day."""

    habits: Habits
    """When the person gets up, eats, works and goes to bed."""
    agreed: DayAgreements = NOTHING
    """What was agreed for today."""
    anchors: Anchors = "on"
    """Which parts of the day code fixes."""
    is_english: bool = True
    """Whether a usual meal can be planned in English words."""


def day_rules(me: Thinker, context: MindContext, mind: Mind) -> DayRules:
    """Return the rules by which a person's day is laid out in this run."""
    day = day_of(me.surroundings.at)
    return DayRules(
        anchors=context.client.rules.anchors,
        is_english=context.is_english,
        habits=me.persona.habits,
        agreed=agreed_for(me, mind, day) if me.has(APPOINTMENTS) else NOTHING,
    )


def forecast(me: Thinker, context: MindContext) -> dict[str, str]:
    """Return the day's weather as an input field; empty in a run without weather."""
    if not me.has(ENTITIES):
        return {}
    day = date_of(me.surroundings.start_date, day_of(me.surroundings.at))
    return {"weather": day_in_words(context.client.seed, day)}


def context(inputs: PlanDayInput) -> dict[str, Any]:
    """Return the wake-up minutes offered, and the promises by number."""
    return {
        "wakes": [minute_at(each) for each in inputs.wakes],
        "promises": {each.number: f"{each.time} {each.activity}" for each in inputs.promises},
        "places": list(inputs.places),
    }


def choices(inputs: PlanDayInput) -> Choices:
    """Return the wake-up times and the numbers of promises that are allowed."""
    numbers = [each.number for each in inputs.promises]
    return {"wake": list(inputs.wakes), "go_to[]": numbers, "dated[].place": inputs.places}


def fallback(inputs: PlanDayInput) -> DayOutline:
    """Return the usual day, with every promise kept."""
    wakes = [minute_at(each) for each in inputs.wakes]
    return DayOutline(
        wake=wakes[len(wakes) // 2],
        go_to=[each.number for each in inputs.promises],
        dated=[],
        morning="the usual things of the morning",
        afternoon="what the day must hold",
        evening="a quiet evening at home",
    )


async def gather(state: MindState, context: MindContext) -> StepInputs[PlanDayInput]:
    """Return the date, today's requirement, the fixed parts of the day, and memories about it."""
    me, mind = context.of(state.agent), state.mind
    date, rules = today(me), day_rules(me, context, mind)
    found = await recall(
        me,
        [f"plans and promises for {date}", "invitations, news and what I want to do"],
        MEMORIES,
    )
    myself = who(me, mind)
    memories = number_memories(me, found.found)
    inputs = asked_about(myself, date, mind.requirement, memories, rules)
    agreed = agreed_soon(me, mind)
    told = " ".join((mind.currently, mind.requirement, *agreed, *(each.text for each in memories)))
    more = {
        "goal": goals_line(mind.goals),
        "needs": format_needs(me, mind),
        "agreed": agreed,
        "places": places_offered(me, mind, (), told, "", PLACES),
        **forecast(me, context),
    }
    return StepInputs(inputs=inputs.model_copy(update=more), recall=found)


def asked_about(
    me: PersonaInput,
    date: str,
    requirement: str,
    memories: tuple[RecalledMemory, ...],
    rules: DayRules,
) -> PlanDayInput:
    """Return the inputs of the question for planning a day."""
    life = life_of(rules.habits, date, is_english=rules.is_english)
    fixed = rules.agreed.fixed
    wakes = waking_times(life, fixed, rules.anchors)
    blocks = frame(life, fixed, wakes[len(wakes) // 2], rules.anchors)
    return PlanDayInput(
        date=date,
        requirement=requirement,
        me=me,
        memories=memories,
        promises=tuple(
            PromiseCard(
                number=number,
                time="some time" if each.start is None else clock(each.start),
                activity=_undecided(each),
            )
            for number, each in enumerate(rules.agreed.asked, 1)
        ),
        wakes=tuple(clock(each) for each in wakes),
        stands=tuple(
            PlannedCard(time=block.span(), activity=block.activity)
            for block in blocks
            if not is_sleep(block.activity) and block.activity != FREE
        ),
    )


def _undecided(each: Appointment) -> str:
    """Return an agreement about which the mind decides today, with the line that was said."""
    place = f" ({each.place})" if each.place else ""
    said = f'; {each.speaker} said: "{each.said}"' if each.said else ""
    if each.by:
        return f"{each.activity}{place}, as {each.by} understood it{said}"
    return f"{each.activity}{place}{said}"


def lay_out_day(
    inputs: PlanDayInput,
    outline: DayOutline,
    rules: DayRules,
    events: Sequence[DatedEvent] | None = None,
) -> tuple[Block, ...]:
    """Return the whole day: its fixed parts, its `events`, and the gaps.

    Without `events`, they are what was agreed and what the outline dates, at places unknown. Two at
    the same time are one if they are in the same building; else the first counts.
    """
    life = life_of(rules.habits, inputs.date, is_english=rules.is_english)
    if events is None:
        agreed, dated = with_ends(rules.agreed.fixed, outline.dated)
        events = (*agreed, *map(dated_event, dated))
    kept: tuple[DatedEvent, ...] = ()
    for event in events:
        kept = with_event(kept, event) or kept
    return frame(life, kept, outline.wake, rules.anchors)


def with_ends(
    agreed: Sequence[DatedEvent], dated: Sequence[DatedThing]
) -> tuple[tuple[DatedEvent, ...], list[DatedThing]]:
    """Return what was agreed with the ends that the mind names, and what else it dates.

    Nothing goes on when something begins that was agreed elsewhere.
    """
    found, others = list(agreed), list[DatedThing]()
    for thing in dated:
        same = [each for each in found if abs(each.start - thing.start) <= NEAR]
        if not same:
            others.append(thing)
        elif same[0].is_open and thing.end is not None and thing.end > same[0].end:
            longer = replace(same[0], end=thing.end, is_open=False)
            elsewhere = [
                each.start
                for each in found
                if longer.meets(each) and not longer.is_where(each.activity, each.spot)
            ]
            end = min([thing.end, *(each for each in elsewhere if each > longer.start)])
            found[found.index(same[0])] = replace(longer, end=end)
    return tuple(found), others


def apply(
    state: MindState, context: MindContext, result: StepResult[PlanDayInput, DayOutline]
) -> Changes:
    """Lay out the day: its fixed parts, what is agreed and dated, and gaps still to be filled.

    What was agreed without an hour gets a fitting one.
    """
    outline, inputs = result.answer, result.inputs
    me, mind = context.of(state.agent), state.mind
    day = day_of(me.surroundings.at)
    rules = day_rules(me, context, mind)
    chosen = [each for number, each in enumerate(rules.agreed.asked, 1) if number in outline.go_to]
    agreed, dated = with_ends(rules.agreed.fixed, outline.dated)
    named = [
        dated_event(each, place_spot(me, mind, each.what, each.place or "", each.start))
        for each in dated
    ]
    timed = [event for each in chosen if (event := event_of(me, mind, each)) is not None]
    blocks = lay_out_day(inputs, outline, rules, (*agreed, *timed, *named))
    for each in (*rules.agreed.free, *chosen):
        if each.start is None:
            blocks = lay_agreement(me, mind, blocks, each, outline.wake + LONGEST)
    wishes = () if result.is_fallback else wishes_of(outline)
    if mind.idea is not None and mind.idea.day == day:
        wishes = (*wishes, (mind.idea.part, mind.idea.activity))
    plan = DayPlan(
        day=day,
        wake=outline.wake,
        strokes=broad_strokes(blocks),
        hours=() if gaps(blocks) else blocks,
        blocks=blocks,
        wishes=wishes,
    )
    appointments = tuple(
        replace(
            each,
            end=_end_in(agreed, each) if each.day == day else each.end,
            by="" if each in chosen else each.by,
        )
        for each in mind.appointments
    )
    return {"mind": replace(mind, plan=plan, refused=(), appointments=appointments)}


def wishes_of(outline: DayOutline) -> tuple[tuple[str, str], ...]:
    """Return the wishes of an outline, as (part of the day, wish)."""
    return tuple((part, getattr(outline, part)) for part in PARTS)


def _end_in(agreed: Sequence[DatedEvent], each: Appointment) -> int | None:
    ends = (
        event.end
        for event in agreed
        if not event.is_open and event.start == each.start and each.activity in event.activity
    )
    return next(ends, each.end)


def dated_event(thing: DatedThing, spot: Spot | None = None) -> DatedEvent:
    """Return something that the mind itself dates as an event of its day."""
    is_open = thing.end is None
    end = min(thing.start + LONGEST, DAY) if thing.end is None else thing.end
    return DatedEvent(start=thing.start, end=end, activity=thing.what, spot=spot, is_open=is_open)


def about_sample(scene: Scene) -> tuple[tuple[tuple[str, str], ...], tuple[Block, ...]]:
    """Return the wishes and the blocks of a scene's day, without contents for its gaps."""
    inputs = sample(scene)
    activities = [activity for _, activity in scene.strokes[1:-1]]
    outline = DayOutline(
        wake=minute_at(inputs.wakes[len(inputs.wakes) // 2]),
        go_to=[each.number for each in inputs.promises],
        dated=[],
        morning=activities[0],
        afternoon=activities[-2] if len(activities) > 1 else scene.tasks[0][1],
        evening=scene.errand,
    )
    return wishes_of(outline), lay_out_day(inputs, outline, DayRules(habits=scene.habits))


def sample(scene: Scene) -> PlanDayInput:
    """Return sample inputs for the prompt, made from a scene."""
    rules = DayRules(habits=scene.habits)
    asked = asked_about(scene.me, scene.date, scene.requirement, scene.recalled(), rules)
    more = {
        "weather": scene.weather,
        "goal": scene.goal,
        "needs": scene.needs,
        "agreed": scene.agreed,
        "promises": tuple(
            PromiseCard(number=1, time=scene.claimed[0], activity=each)
            for each in scene.claimed[1:]
        ),
        "places": tuple(address for address, _, _ in scene.places),
    }
    return asked.model_copy(update=more)


IMPORTANCE = 5
"""Importance of a day's plan, set by rule as in the original."""


def broad_strokes(
    blocks: tuple[Block, ...], wishes: Sequence[str] = ()
) -> tuple[tuple[int, str], ...]:
    """Return the broad strokes: waking, what was agreed, work, what the mind chose, and bed.

    All of them are in the plan at their time. Of each free time they have the wishes, or else the
    first thing. Texts of a fallback are left out, since no mind has thought them.
    """
    starts: dict[str, int] = {}
    for source, group in groupby(blocks, key=lambda block: block.source):
        stretch = [each for each in group if not each.fallback and not is_sleep(each.activity)]
        if source == "":
            wished = [each for each in stretch if says_again(each.activity, wishes)]
            stretch = wished or stretch[:1]
        for block in stretch if source in ("", PROMISE, DUTY) else ():
            starts.setdefault(block.activity, block.start)
    wake = blocks[1]
    bed = next(block for block in reversed(blocks) if is_sleep(block.activity))
    strokes = {start: activity for activity, start in starts.items()}
    return tuple(sorted({wake.start: wake.activity, **strokes, bed.start: "going to bed"}.items()))


def remember_plan(me: Thinker, mind: Mind, draft: Draft, step: str) -> tuple[Mind, Draft]:
    """Return the mind and the draft with the day's plan remembered as a thought.

    Habits are not part of the thought, since no mind has thought them.
    """
    plan = mind.plan
    assert plan is not None
    date = today(me)
    habits = {block.start for block in plan.blocks if block.source == HABIT}
    told = ", ".join(f"{what} at {clock(at)}" for at, what in plan.strokes if at not in habits)
    draft, made = draft.with_memory(
        me,
        "thought",
        f"This is {me.name}'s plan for {date}: {told}.",
        step=step,
        triple=(me.name, "plan", date),
        importance=IMPORTANCE,
    )
    return replace(mind, gathered=mind.gathered + (IMPORTANCE if made else 0)), draft


STEP = Step(
    name="plan_day",
    about="when to wake, where to go, and what a day is for",
    inputs=PlanDayInput,
    answer=DayOutline,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=plan_day,
    context=context,
    choices=choices,
    tier="strong",
    max_tokens=400,
    sheds=("memories", "places"),
)
