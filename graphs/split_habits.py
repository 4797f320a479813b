"""Split habits that are about to start into their usual parts, by rule and without a model call."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.mind import Mind
from agents.plan import Block, lay_out, splice
from graphs.activities.splitting import kind_for, names_of, split
from graphs.context import MindContext, Thinker, who
from graphs.decompose import about_to_start, window
from graphs.frame.day import HABIT
from graphs.state import MindSeen

STEP = "split_habits"
_PART = 15
"""Minutes of a part, approximately."""


def habits_to_split(mind: Mind, at: int) -> tuple[Block, ...]:
    """Return the unsplit habits of an hour or more that are about to start."""
    return tuple(block for block in about_to_start(mind, at) if block.source == HABIT)


async def split_habits(state: MindSeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Replace the next habits in the plan by their usual parts."""
    context = runtime.context
    me, mind = context.of(state.agent), state.mind
    for block in habits_to_split(mind, me.surroundings.at):
        mind = _with_parts(me, mind, block, context)
    return {"mind": mind, "path": [STEP]}


def _with_parts(me: Thinker, mind: Mind, block: Block, context: MindContext) -> Mind:
    """Return the mind with one habit split into its parts; the parts are habits too."""
    assert mind.plan is not None
    start, end = window(block, me.surroundings.at)
    dice = context.dice(STEP, start)
    sort = kind_for(block.activity, who(me, mind))
    count = max(1, -(-(end - start) // 60), round((end - start) / _PART))
    if sort is not None:
        count = min(count, len(sort.tasks))
    names = names_of(block.activity, sort.tasks if sort else (), count, dice)
    tasks = list(zip(names, split(end - start, len(names), dice), strict=True))
    parts = [replace(each, source=HABIT) for each in lay_out(start, tasks, block.activity)]
    blocks = splice(mind.plan.blocks, start, end, parts)
    return replace(mind, plan=replace(mind.plan, blocks=blocks))
