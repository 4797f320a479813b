"""Remember a day's plan as a thought, for the steps that complete it."""

from dataclasses import replace

from agents.mind import Mind
from agents.times import clock
from graphs.context import Thinker, today
from graphs.draft import Draft
from graphs.frame.day import HABIT

IMPORTANCE = 5
"""Importance of a day's plan, by rule, as in the original."""


def remember_plan(me: Thinker, mind: Mind, draft: Draft, step: str) -> tuple[Mind, Draft]:
    """Return the mind and the draft with the day's plan remembered as a thought.

    Habits are not part of it, since nobody thought them.
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
