"""Plan a new day: when to wake, and its broad strokes."""

import re
from dataclasses import replace
from textwrap import shorten

from agents.plan import DayPlan, cover_day
from agents.times import day_of
from graphs.cards import Card, Recalled, Who
from graphs.context import MindContext, recall, recalled, today, who
from graphs.loop.step import Changes, Gathered, Step, StepResult
from graphs.scenes import Scene
from graphs.sense.days import DAY_CHECKS
from graphs.standin.days import plan_day
from graphs.state import MindSeen
from parsers.plan_day import DayOutline, Stroke

MEMORIES = 8
"""So many memories about the day go into its plan."""

_WAKES = re.compile(
    r"(?:wakes?|awakes?|gets?|rises?)(?: up)? (?:at |around |about )?(\d{1,2})\s*am"
)


class PlanDayInput(Card):
    """What the prompt `plan_day` shows."""

    date: str
    """`Monday 6 May`."""
    requirement: str
    """What today must hold."""
    me: Who
    memories: tuple[Recalled, ...]
    """What matters for today: promises, news, plans."""


def fallback(inputs: PlanDayInput) -> DayOutline:
    """Return a plain day around the persona's own waking hour."""
    found = _WAKES.search(inputs.me.lifestyle)
    wake = min(max(int(found.group(1)) * 60, 240), 540) if found else 420
    brief = shorten(inputs.requirement, 90, placeholder=" …")
    plain = ((0, "waking up and washing"), (60, "breakfast"), (120, f"the day's work: {brief}"))
    strokes = [Stroke(start=wake + after, activity=activity) for after, activity in plain]
    strokes.append(Stroke(start=1080, activity="dinner and a quiet evening at home"))
    strokes.append(Stroke(start=1350, activity="sleeping"))
    return DayOutline(wake=wake, strokes=strokes)


def case(inputs: PlanDayInput) -> str:
    """Return this case as examples are told."""
    return f"Habits: {inputs.me.lifestyle}\nToday must hold: {inputs.requirement}"


async def gather(state: MindSeen, context: MindContext) -> Gathered[PlanDayInput]:
    """Return the date, what the day must hold, and what comes to mind about it."""
    me = context.of(state.agent)
    date = today(me)
    found = await recall(
        me,
        [f"plans and promises for {date}", "invitations, news and what I want to do"],
        MEMORIES,
    )
    inputs = PlanDayInput(
        date=date,
        requirement=state.mind.requirement,
        me=who(me, state.mind),
        memories=recalled(me, found.found),
    )
    return Gathered(inputs=inputs, recall=found)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[PlanDayInput, DayOutline]
) -> Changes:
    """Lay the broad strokes over the day."""
    outline = result.answer
    strokes = tuple((stroke.start, stroke.activity) for stroke in outline.strokes)
    blocks = cover_day([(outline.wake, strokes[0][1]), *strokes[1:]])
    if result.is_fallback:
        blocks = tuple(replace(block, fallback=True) for block in blocks)
    plan = DayPlan(
        day=day_of(context.of(state.agent).surroundings.at),
        wake=outline.wake,
        strokes=strokes,
        hours=(),
        blocks=blocks,
    )
    return {"mind": replace(state.mind, plan=plan, refused=())}


def sample(scene: Scene) -> PlanDayInput:
    """Return believable inputs, made from a scene."""
    return PlanDayInput(
        date=scene.date,
        requirement=scene.requirement,
        me=scene.me,
        memories=scene.recalled(),
    )


STEP = Step(
    name="plan_day",
    about="the broad strokes of a day",
    inputs=PlanDayInput,
    answer=DayOutline,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=plan_day,
    sense=DAY_CHECKS,
    tier="strong",
    max_tokens=600,
    case=case,
    sheds=("memories",),
)
