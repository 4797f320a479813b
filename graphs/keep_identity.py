"""Begin another day by rule: concerns stay, and the day has the usual requirement.

Asked for a new day's requirement, models of one or two billion parameters write about yesterday and
other people's plans; a day planned by that lacks the person's own work (docs/small-models.md).
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents.mind import Mind
from graphs.context import MindContext, Thinker, now
from graphs.revise_identity import with_new_goal
from graphs.spoken_times import is_over
from graphs.state import MindSeen
from models.standin.words import sentences

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

KEEP_IDENTITY = "keep_identity"
"""The node's name."""
_GOES_ON = re.compile(r"^(?:She|He|They)\b")
"""A sentence that speaks of the same matter as the one before it."""


async def keep_identity(state: MindSeen, runtime: "Runtime[MindContext]") -> dict[str, Any]:
    """Keep the concerns without past events, and set today's requirement to the usual one."""
    me = runtime.context.of(state.agent)
    return {"mind": with_another_day(state.mind, me), "path": [KEEP_IDENTITY]}


def with_another_day(mind: Mind, me: Thinker) -> Mind:
    """Return the mind as a new day begins."""
    currently = still_on_mind(mind.currently, now(me))
    currently = currently or f"{me.persona.first_name} takes the days as they come."
    kept = with_new_goal(mind, me, currently)
    return replace(kept, currently=currently, requirement=me.persona.daily_requirement)


def still_on_mind(currently: str, now: str) -> str:
    """Return a person's concerns without past events and whatever depended on them."""
    kept: list[str] = []
    is_past = False
    for sentence in sentences(currently):
        is_past = is_over(sentence, now) or (is_past and _GOES_ON.match(sentence) is not None)
        if not is_past:
            kept.append(sentence)
    return " ".join(kept)
