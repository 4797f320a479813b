"""Plan a day by rule, without any question: the usual blocks, and a usual thing in each gap."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from smolville.agents.plan import DayPlan, is_sleep
from smolville.agents.times import day_of
from smolville.graphs import plan_day, plan_hours
from smolville.graphs.context import MindContext, today, who
from smolville.graphs.frame.day import HABIT
from smolville.graphs.state import MindState

if TYPE_CHECKING:
    from langgraph.runtime import Runtime


USUAL_DAY = "lay_usual_day"


async def lay_usual_day(state: MindState, runtime: "Runtime[MindContext]") -> dict[str, Any]:
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
    gaps = plan_hours.asked_about(asked.me, asked.date, asked.requirement, (), framed)
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
    return {"mind": replace(mind, plan=plan, refused=()), "path": [*state.path, USUAL_DAY]}
