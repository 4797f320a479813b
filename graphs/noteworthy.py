"""Select the people and things in sight that are worth a decision (`react`)."""

from smolville.agents.closeness import patience
from smolville.agents.mind import Mind
from smolville.agents.places import sector_of
from smolville.agents.times import day_of
from smolville.graphs.appointments import is_awaited
from smolville.graphs.context import Thinker
from smolville.graphs.reflect_questions import is_own_doing
from smolville.graphs.state import MindState
from smolville.graphs.surroundings import Percept
from smolville.graphs.talk_memories import LOOKED_AT, NOTABLE, mentions

CONSIDER_AGAIN = 1500
"""Seconds after which somebody who came into sight and was considered is considered again."""
TALK_AGAIN = 4500
"""Seconds after a talk, or after considering somebody who stays, until the next; longer for
strangers and shorter for those who are close."""
QUIET = 2700
"""Seconds after any talk during which others are not considered, to leave time for other things."""
CAME_IN = 1800
"""Seconds for which a person must have been out of sight to have come in."""
LAST_TALK_HOUR = 23
"""Hour of the day from which nobody begins a talk."""


def noteworthy(state: MindState, me: Thinker) -> tuple[Percept, ...]:
    """Return what is worth a decision: new things in an unusual state, and people who can talk.

    A person is worth one who has come into sight, unless they were considered or talked to a short
    while ago; and so is one who stays in the same room, whatever they begin there, after a longer
    pause. A host notices guests who come in even shortly after another talk.
    """
    around, mind = me.surroundings, state.mind
    action = around.body().action
    late = around.at % 86_400 // 3600 >= LAST_TALK_HOUR
    if action is None or action.kind in ("sleep", "talk") or late:
        return ()
    fresh = {percept.key for percept in state.fresh}
    came = {percept.key for percept in state.fresh if not percept.stays}
    staying = [each for each in around.percepts() if each.is_person and each.key not in fresh]
    return tuple(
        each
        for each in (*state.fresh, *staying)
        if not each.is_person
        or (
            each.can_talk
            and (
                # Whoever is met by agreement is there, whatever was said or considered lately.
                is_awaited(me, mind, each.subject)
                or _is_guest(me, mind, each, is_new=each.key in came)
                or (
                    _is_open_to(me, mind, each, is_new=each.key in came)
                    and _has_news_for(state, me, each.subject)
                )
            )
        )
    )


def _is_guest(me: Thinker, mind: Mind, percept: Percept, *, is_new: bool) -> bool:
    """Return True for somebody who has just come in where the agent is the host."""
    at, name = me.surroundings.at, percept.subject
    last = max(each.get(name, -CONSIDER_AGAIN) for each in (mind.talked, mind.considered))
    is_due = is_new and at - last >= CONSIDER_AGAIN
    return is_due and hosts(me, mind, me.surroundings.body().place) and has_come_in(mind, name, at)


def _is_open_to(me: Thinker, mind: Mind, percept: Percept, *, is_new: bool) -> bool:
    """Return True if it is time to consider a person in sight.

    The closer two people are, the sooner they talk again.
    """
    at, name, place = me.surroundings.at, percept.subject, me.surroundings.body().place
    impression = mind.impressions.get(name)
    pause = TALK_AGAIN * patience(impression.closeness if impression else None)
    considered = at - mind.considered.get(name, -2 * TALK_AGAIN)
    if at - mind.talked.get(name, -2 * TALK_AGAIN) < pause:
        return False
    if at - max(mind.talked.values(), default=-QUIET) < QUIET:
        return False
    return (
        considered >= CONSIDER_AGAIN if is_new else percept.place == place and considered >= pause
    )


def hosts(me: Thinker, mind: Mind, place: str) -> bool:
    """Return whether the agent works at a place or lives there, so that others are its guests."""
    known = mind.places.get(place)
    is_owner = known is not None and me.name in known.owners
    return is_owner or (bool(me.persona.work) and sector_of(me.persona.work) == sector_of(place))


def has_come_in(mind: Mind, name: str, at: int) -> bool:
    """Return whether the agent has not seen a person for a while before this moment."""
    return not any(
        at - CAME_IN <= seen < at for key, seen in mind.seen.items() if key.startswith(f"{name}|")
    )


def _has_news_for(state: MindState, me: Thinker, name: str) -> bool:
    """Return whether the agent may have news for a person; True if they have not talked today.

    News is a talk, thought or unusual event since their last talk, if that person was not involved.
    """
    at, talked = me.surroundings.at, state.mind.talked.get(name)
    if talked is None or day_of(talked) < day_of(at):
        return True
    return any(
        memory.created > talked
        and (memory.importance is None or memory.importance >= NOTABLE)
        and not is_own_doing(memory, me.name)
        and not mentions(memory.text, name)
        for memory in state.draft.latest(me, LOOKED_AT)
    )
