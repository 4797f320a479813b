"""The broad strokes of a day: the purpose of each of its parts, and how they are remembered."""

from dataclasses import replace

from agents.mind import Mind
from agents.plan import Block, is_sleep
from agents.times import DAY, clock
from graphs.context import Thinker, today
from graphs.draft import Draft
from graphs.frame.day import DUTY, HABIT, PROMISE, gaps
from parsers.plan_day import DayOutline

PARTS = (("morning", 0), ("afternoon", 720), ("evening", 1080))
"""The parts of a day, with the minute at which each begins."""

IMPORTANCE = 5
"""Importance of a day's plan, set by rule as in the original."""


def broad_strokes(
    blocks: tuple[Block, ...], outline: DayOutline, *, is_thought: bool
) -> tuple[tuple[int, str], ...]:
    """Return the broad strokes: waking, promises, work, and the purpose of each part of the day.

    Texts of a fallback are left out, since no mind has thought them.
    """
    kept = {block.start: block.activity for block in blocks if block.source in (PROMISE, DUTY)}
    free = [block.start for block in gaps(blocks)]
    strokes = {outline.wake: blocks[1].activity}
    for start, activity in kept.items():
        if activity not in strokes.values():
            strokes[start] = activity
    for part, (name, first) in enumerate(PARTS if is_thought else ()):
        last = PARTS[part + 1][1] if part + 1 < len(PARTS) else DAY
        within = [start for start in free if first <= start < last and start not in strokes]
        start = within[0] if within else max(first, outline.wake + 30)
        while start in strokes:
            start += 15
        strokes[start] = getattr(outline, name)
    bed = next(block for block in reversed(blocks) if is_sleep(block.activity))
    strokes[bed.start] = "going to bed"
    return tuple(sorted(strokes.items()))


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
