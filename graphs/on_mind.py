"""What is on somebody's mind about an activity: a few memories and insights, but no deeds."""

from dataclasses import replace

from graphs.context import Thinker
from graphs.recall import RecallResult, recall

SHOWN = 3
"""Maximum number of memories shown."""
AMONG = 12
"""Number of best memories from which they are taken."""


async def on_mind(me: Thinker, about: str) -> RecallResult:
    """Return what was said, thought or decided about something; no actions and no plans of days."""
    found = await recall(me, [about], AMONG)
    best = {each: rank for rank, each in enumerate(found.accessed)}
    told = [
        each
        for each in found.found
        if each.memory.kind in ("thought", "talk") and each.memory.predicate != "plan"
    ]
    shown = sorted(told, key=lambda each: best[each.memory.id])[:SHOWN]
    ids = tuple(each.memory.id for each in shown)
    record = None if found.record is None else replace(found.record, ids=ids)
    kept = tuple(each for each in found.found if each in shown)
    return RecallResult(found=kept, accessed=ids, record=record)
