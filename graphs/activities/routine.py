"""The importance of routine activities, which is set by rule instead of by a model.

Small models rate all memories of a list alike, or a shower above a party. So routine activities are
rated by rule, and a model rates only talks, thoughts and unusual events.
"""

import re
from functools import cache, lru_cache

from graphs.activities.kinds import Kind, kind_of, kinds
from models.standin.words import stems

_EVENTFUL = frozenset(("party", "party_preparing", "campaign", "worship"))
"""Kinds of activities that may well be memorable."""
_TOUCHING = stems(
    "party wedding funeral birthday quarrel argue cry shout fight fire accident ill sick hurt dead"
    " stolen lost found secret love kiss prize contest election festival surprise help ask invite"
)
"""Words that make even a routine activity worth rating by a model."""


_TALKING = re.compile(r"(?:talking|chatting) (?:with|to)\b", re.IGNORECASE)
_LIKE = 0.7
"""Share of an activity's words that must be in a known task for the two to count as the same."""


@lru_cache(maxsize=8192)
def routine_importance(activity: str) -> int | None:
    """Return the importance of a routine activity, 2 to 4 of 10, or None if a model must rate it.

    Activities are recognised by English words; any other activity is unknown and goes to a model.
    """
    if stems(activity) & _TOUCHING:
        return None
    if _TALKING.match(activity):
        return 4
    kind = _kind_of_task(activity) or kind_of(activity)
    if kind is None or kind.name in _EVENTFUL:
        return None
    return 2 if kind.where == "home" else 4 if kind.name in ("friends", "games", "music") else 3


def _kind_of_task(activity: str) -> Kind | None:
    """Return the kind that has this activity among its tasks, in any of a task's wordings."""
    said = stems(activity)
    shares = [(len(said & words), kind) for words, kind in _tasks() if said]
    best = max(shares, key=lambda each: each[0], default=None)
    return best[1] if best is not None and best[0] >= _LIKE * len(said) else None


@cache
def _tasks() -> tuple[tuple[frozenset[str], Kind], ...]:
    """Return the stems of every known task, all alternative wordings together, with its kind."""
    return tuple((stems(task), kind) for kind in kinds() for task in kind.tasks)
