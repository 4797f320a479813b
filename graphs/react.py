"""Decide how to react to people in sight who are worth a decision, or to an urgent need."""

from dataclasses import replace
from typing import Any

from smolville.agents.action import Action
from smolville.agents.closeness import patience
from smolville.agents.memory import Memory
from smolville.agents.mind import Mind, goals_line
from smolville.agents.places import sector_of
from smolville.agents.plan import Block, splice
from smolville.agents.times import at_of, clock, date_text, day_of, minute_of
from smolville.graphs.agreed_plan import free_until
from smolville.graphs.appointments import agreed_soon, is_awaited
from smolville.graphs.components import GROUPS
from smolville.graphs.context import (
    MindContext,
    Thinker,
    format_past_time,
    now,
    number_memories,
    who,
)
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.needs import format_needs, lay_need, need_card
from smolville.graphs.recall import is_own_doing, is_passing, recall, seeds_last
from smolville.graphs.scenes import Scene, planned_at
from smolville.graphs.settled_places import spot_here
from smolville.graphs.standin.talk import react
from smolville.graphs.state import MindState
from smolville.graphs.surroundings import Intent, Percept
from smolville.graphs.talk_memories import LOOKED_AT, NOTABLE, bond, mentions, plan_from_now
from smolville.parsers.prompt_inputs import PersonCard
from smolville.parsers.react import ReactInput, Reaction, is_in_the_way

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
    action = around.body.action
    late = around.at % 86_400 // 3600 >= LAST_TALK_HOUR
    if action is None or action.kind in ("sleep", "talk") or late:
        return ()
    fresh = {percept.key for percept in state.fresh}
    came = {percept.key for percept in state.fresh if not percept.stays}
    staying = [each for each in around.percepts if each.is_person and each.key not in fresh]
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
    return is_due and hosts(me, mind, me.surroundings.body.place) and has_come_in(mind, name, at)


def _is_open_to(me: Thinker, mind: Mind, percept: Percept, *, is_new: bool) -> bool:
    """Return True if it is time to consider a person in sight.

    The closer two people are, the sooner they talk again.
    """
    at, name, place = me.surroundings.at, percept.subject, me.surroundings.body.place
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


MEMORIES, AMONG = 5, 10
"""Number of memories shown, and of the best ones from which they are taken."""


def context(inputs: ReactInput) -> dict[str, Any]:
    """Return the people present, those who can be talked to, and the place."""
    return {
        "names": [person.name for person in inputs.people],
        "can_talk": [person.name for person in inputs.people if person.can_talk],
        "place": inputs.place,
    }


def choices(inputs: ReactInput) -> Choices:
    """Return the choices possible at this moment, and the names of the people in sight.

    `talk` needs a person who is free to talk. `wait` needs a person who uses what the agent needs:
    without this limit small models wait for anybody.
    """
    free = any(person.can_talk for person in inputs.people)
    waits = any(is_in_the_way(person.doing, inputs.doing) for person in inputs.people)
    can = ["continue", *(["talk"] if free else []), *(["wait"] if waits else [])]
    is_about_others = bool(inputs.people or inputs.events or inputs.need is None)
    can += ["other"] if is_about_others else []
    can += ["now", "later"] if inputs.need else []
    people = {"person": [person.name for person in inputs.people]} if inputs.people else {}
    return {"choice": can, **people}


def fallback(inputs: ReactInput) -> Reaction:
    """Return the reaction to continue as before."""
    return Reaction(reason="no decision was made", choice="continue")


async def gather(state: MindState, context: MindContext) -> StepInputs[ReactInput]:
    """Return all newcomers of this moment, the memories recalled about them, and the need."""
    me, mind = context.of(state.agent), state.mind
    body, found = me.surroundings.body, noteworthy(state, me)
    assert body.action is not None
    people = [percept.subject for percept in found if percept.is_person]
    need = need_card(me, mind, state.urgent)
    about = [percept.text for percept in found] or [need.told if need else ""]

    def keep(memory: Memory, query: str) -> bool:
        return not (is_passing(memory) or is_own_doing(memory, me.name))

    recalled = await recall(me, about, AMONG, people, keep=keep)
    memories = seeds_last(recalled, me.surroundings.at, MEMORIES)
    inputs = ReactInput(
        me=who(me, mind),
        now=now(me),
        place=body.place,
        doing=body.doing,
        until=clock(minute_of(body.action.end)) if body.action.end > me.surroundings.at else "",
        people=tuple(_person(me, mind, percept) for percept in found if percept.is_person),
        events=tuple(percept.text for percept in found if not percept.is_person),
        memories=number_memories(me, memories.found),
        goal=goals_line(mind.goals),
        needs="" if need else format_needs(me, mind),
        need=need,
        agreed=agreed_soon(me, mind),
        plan=plan_from_now(me, mind),
    )
    return StepInputs(inputs=inputs, recall=memories)


def apply(
    state: MindState, context: MindContext, result: StepResult[ReactInput, Reaction]
) -> Changes:
    """Carry out the decision; people just considered are not considered again for a while.

    Whoever decides to go on does not talk at this tick with anybody who was considered. A fallback
    is nobody's decision.
    """
    me = context.of(state.agent)
    at = me.surroundings.at
    people = [percept.subject for percept in noteworthy(state, me) if percept.is_person]
    considered = {**state.mind.considered, **dict.fromkeys(people, at)}
    mind = replace(state.mind, considered=considered)
    if result.answer.choice in ("now", "later") and state.urgent:
        is_now = result.answer.choice == "now"
        return {"mind": lay_need(me, mind, state.urgent, is_now=is_now), "changed": is_now}
    can_talk = tuple(person.name for person in result.inputs.people if person.can_talk)
    if result.answer.choice == "continue" and can_talk and not result.is_fallback:
        return {"mind": mind, "declined": can_talk}
    return _carried_out(me, mind, result.answer)


def _carried_out(me: Thinker, mind: Mind, answer: Reaction) -> Changes:
    at = me.surroundings.at
    if answer.choice == "talk":
        intent = Intent(start_talk=answer.person or "", joins=me.has(GROUPS), reason=answer.reason)
        return {"mind": mind, "intent": intent}
    if answer.choice == "wait":
        wait = Action(
            kind="wait",
            activity=f"waiting for {answer.person}",
            place=me.surroundings.body.place,
            start=at,
            end=_find_activity_end(mind, at, answer.minutes or 1),
            emoji="⌛",
            predicate="waits for",
            object=answer.person or "",
            partners=(answer.person or "",),
        )
        return {"mind": mind, "intent": Intent(action=wait, reason=answer.reason)}
    if answer.choice == "other" and mind.plan is not None:
        start = minute_of(at)
        end = min(start + (answer.minutes or 1), free_until(mind.plan, start))
        new = Block(
            start=start,
            minutes=end - start,
            activity=answer.activity or "",
            part_of=answer.activity or "",
        )
        new = replace(new, spot=spot_here(me, mind, new))
        blocks = splice(mind.plan.blocks, start, end, [new])
        return {"mind": replace(mind, plan=replace(mind.plan, blocks=blocks)), "changed": True}
    return {"mind": mind}


def _find_activity_end(mind: Mind, at: int, minutes: int) -> int:
    """Return when an activity of `minutes` ends: before this hour ends, or an agreement begins."""
    end = at + 60 * minutes
    if mind.plan is None:
        return end
    return min(end, at_of(day_of(at), free_until(mind.plan, minute_of(at))))


def _person(me: Thinker, mind: Mind, percept: Percept) -> PersonCard:
    name = percept.subject
    return PersonCard(
        name=name,
        doing=percept.activity,
        relationship=bond(me, mind, name, percept.about),
        last_talk=_last_talk(me, mind, name),
        can_talk=percept.can_talk,
        until=clock(minute_of(percept.until)) if percept.until > me.surroundings.at else "",
    )


def _last_talk(me: Thinker, mind: Mind, name: str) -> str:
    """Return when the last talk with somebody was, and what it was about.

    People who know each other have talked before this town's first day, which nothing records.
    """
    talked, impression = mind.talked.get(name), mind.impressions.get(name)
    if talked is not None:
        about = f": {impression.summary}" if impression and impression.summary else ""
        return f"{format_past_time(me, talked)}{about}"
    if name not in me.persona.relationships:
        return "never"
    if day_of(me.surroundings.at) == 1:
        return "not yet today"
    return f"not since {date_text(me.surroundings.start_date, 1)}"


def sample(scene: Scene) -> ReactInput:
    """Return sample inputs for the prompt, made from a scene."""
    return ReactInput(
        me=scene.me,
        now=scene.now,
        place=scene.place,
        doing=scene.doing,
        until=scene.until,
        people=scene.people,
        events=scene.events,
        memories=scene.recalled(),
        goal=scene.goal,
        needs=scene.needs,
        need=scene.need,
        agreed=scene.agreed,
        plan=planned_at(scene.strokes[3:5]),
    )


STEP = Step(
    name="react",
    about="what to do about whoever comes into sight",
    inputs=ReactInput,
    answer=Reaction,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=react,
    context=context,
    choices=choices,
    max_tokens=220,
    sheds=("memories",),
)
