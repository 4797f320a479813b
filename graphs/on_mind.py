"""What is on somebody's mind about an activity: a few memories and insights, but no deeds."""

from smolville.agents.memory import Memory
from smolville.graphs.context import Thinker
from smolville.graphs.recall import RecallResult, recall, seeds_last

SHOWN = 3
"""Maximum number of memories shown."""
AMONG = 12
"""Number of best memories from which they are taken."""


async def on_mind(me: Thinker, about: str) -> RecallResult:
    """Return what was said, thought or decided about something; no actions and no plans of days.

    What is of the last day comes first, so that a wish does not stay in mind once it is fulfilled.
    """
    found = await recall(me, [about], AMONG, keep=_is_thought)
    return seeds_last(found, me.surroundings.at, SHOWN)


def _is_thought(memory: Memory, query: str) -> bool:
    return memory.kind in ("thought", "talk") and memory.predicate != "plan"
