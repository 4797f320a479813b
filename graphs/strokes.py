"""The broad strokes of a day: what somebody means to do on it, and how that is remembered."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from smolville.agents.mind import Mind
from smolville.agents.plan import Block, is_sleep
from smolville.agents.times import clock
from smolville.graphs.context import Thinker, today
from smolville.graphs.draft import Draft
from smolville.graphs.frame.day import DUTY, HABIT, PROMISE
from smolville.parsers.plan_hours import says_again

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
