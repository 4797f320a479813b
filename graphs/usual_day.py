"""Begin and plan a day by rule, without any question: lasting concerns, and the usual blocks."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents.mind import Mind
from agents.plan import DayPlan, is_sleep
from agents.times import day_of
from graphs import plan_day, plan_hours
from graphs.context import MindContext, Thinker, now, today, who
from graphs.day_rules import day_rules
from graphs.frame.day import HABIT
from graphs.revise_identity import with_new_goal
from graphs.spoken_times import is_over
from graphs.state import MindSeen
from models.standin.words import sentences

if TYPE_CHECKING:
    from langgraph.runtime import Runtime


KEEP_IDENTITY = "keep_identity"
"""Name of the node."""
_GOES_ON = re.compile(r"^(?:She|He|They)\b")
"""A sentence that continues the subject of the sentence before it."""

USUAL_DAY = "lay_usual_day"


async def keep_identity(state: MindSeen, runtime: "Runtime[MindContext]") -> dict[str, Any]:
    """Keep the concerns except past events, and reset today's requirement to the usual one."""
    me = runtime.context.of(state.agent)
    return {"mind": with_another_day(state.mind, me), "path": [KEEP_IDENTITY]}


def with_another_day(mind: Mind, me: Thinker) -> Mind:
    """Return the mind with the concerns, goal and requirement that it begins a new day with."""
    currently = still_on_mind(mind.currently, now(me))
    currently = currently or f"{me.persona.first_name} takes the days as they come."
    kept = with_new_goal(mind, me, currently)
    return replace(kept, currently=currently, requirement=me.persona.daily_requirement)


def still_on_mind(currently: str, now: str) -> str:
    """Return a person's concerns without past events and the sentences that depend on them."""
    kept: list[str] = []
    is_past = False
    for sentence in sentences(currently):
        is_past = is_over(sentence, now) or (is_past and _GOES_ON.match(sentence) is not None)
        if not is_past:
            kept.append(sentence)
    return " ".join(kept)


async def lay_usual_day(state: MindSeen, runtime: "Runtime[MindContext]") -> dict[str, Any]:
    """Plan sleep, meals and work as in the persona file, and the first idea for each gap.

    Every block is a habit: it is not chosen by a mind, is split by rule, and is never remembered as
    a plan.
    """
    context = runtime.context
    me, mind = context.of(state.agent), state.mind
    rules = day_rules(me, context, mind)
    asked = plan_day.asked_about(who(me, mind), today(me), me.persona.daily_requirement, (), rules)
    outline = plan_day.fallback(asked)
    framed = plan_day.lay_out_day(asked, outline, rules)
    gaps = plan_hours.asked_about(asked.me, asked.date, asked.requirement, (), framed)
    if context.is_english:
        gaps = plan_hours.with_ideas(gaps, context.dice(USUAL_DAY))
    blocks = tuple(
        block if is_sleep(block.activity) else replace(block, source=HABIT)
        for block in plan_hours.fill_gaps(framed, plan_hours.fallback(gaps))
    )
    plan = DayPlan(
        day=day_of(me.surroundings.at),
        wake=outline.wake,
        strokes=tuple((block.start, block.activity) for block in blocks[1:]),
        hours=blocks,
        blocks=blocks,
    )
    return {"mind": replace(mind, plan=plan, refused=()), "path": [USUAL_DAY]}
