"""Select the people and things in sight that are worth a decision (`react`)."""

from agents.closeness import patience
from agents.mind import Mind
from agents.times import day_of
from graphs.appointments import is_awaited
from graphs.bonds import has_untold
from graphs.context import Thinker, now, who
from graphs.reflect_questions import is_own_doing
from graphs.state import MindSeen
from graphs.surroundings import Percept

CONSIDER_AGAIN = 1500
"""Seconds after which a person who was considered is considered again."""
TALK_AGAIN = 8000
"""Seconds after a talk during which neither begins a new one (the original's 800 steps of 10 s)."""
QUIET = 2700
"""Seconds after any talk during which newcomers are not considered, to leave time for other
things."""
LOOKED_AT, NOTABLE = 100, 5
"""Number of latest memories that are searched for news, and minimum importance of news."""
LAST_TALK_HOUR = 23
"""Hour of the day from which nobody begins a talk."""


def noteworthy(state: MindSeen, me: Thinker) -> tuple[Percept, ...]:
    """Return the new events that are worth a decision.

    These are people who can talk, unless they were considered or talked to recently, and objects in
    an unusual state.
    """
    at, mind = me.surroundings.at, state.mind
    action = me.surroundings.body().action
    if action is None or action.kind in ("sleep", "talk") or at % 86_400 // 3600 >= LAST_TALK_HOUR:
        return ()
    last = max(mind.talked.values(), default=-QUIET)
    people = [each for each in state.fresh if each.is_person and at - last >= QUIET]
    found = [
        each
        for each in people
        if each.can_talk
        and _is_open_to(mind, each.subject, at)
        and _has_news_for(state, me, each.subject)
    ]
    # Whoever is met by agreement is there, whatever was said or considered lately.
    awaited = [
        each
        for each in me.surroundings.percepts()
        if each.can_talk and is_awaited(me, mind, each.subject)
    ]
    seen = tuple(each for each in state.fresh if each in found or not each.is_person)
    return (*awaited, *(each for each in seen if each not in awaited))


def _has_news_for(state: MindSeen, me: Thinker, name: str) -> bool:
    """Return whether the agent may have news for a person; True if they have not talked today.

    News is a talk, thought or unusual event since their last talk, if that person was not involved.
    After a single talk today, it may also be a concern that the agent has not told the person yet.
    """
    at, talked = me.surroundings.at, state.mind.talked.get(name)
    if talked is None or day_of(talked) < day_of(at):
        return True
    first = name.split()[0]
    return _has_untold(state, me, name) or any(
        memory.created > talked
        and (memory.importance is None or memory.importance >= NOTABLE)
        and not is_own_doing(memory, me.name)
        and first not in memory.text
        for memory in state.draft.latest(me, LOOKED_AT)
    )


def _has_untold(state: MindSeen, me: Thinker, name: str) -> bool:
    """Return whether the agent has a concern to tell a person; False after two talks today."""
    at, mind = me.surroundings.at, state.mind
    today = [
        memory
        for memory in state.draft.latest(me, LOOKED_AT, ("talk",))
        if day_of(memory.created) == day_of(at) and name in memory.text.partition(": ")[0]
    ]
    return len(today) < 2 and has_untold(who(me, mind), name, mind.impressions.get(name), now(me))


def _is_open_to(mind: Mind, name: str, at: int) -> bool:
    """Return True if there was no recent talk with a person and no recent decision about them.

    The closer two people are, the sooner they talk again.
    """
    impression = mind.impressions.get(name)
    pause = TALK_AGAIN * patience(impression.closeness if impression else None)
    return (
        at - mind.talked.get(name, -2 * TALK_AGAIN) >= pause
        and at - mind.considered.get(name, -CONSIDER_AGAIN) >= CONSIDER_AGAIN
    )
