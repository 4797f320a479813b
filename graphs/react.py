"""Decide how to react to people in sight who are worth a decision, or to an urgent need."""

from dataclasses import replace
from typing import Any

from smolville.agents.action import Action
from smolville.agents.goals import goals_line
from smolville.agents.memory import Memory
from smolville.agents.mind import Mind
from smolville.agents.plan import Block, splice
from smolville.agents.times import at_of, clock, date_text, day_of, minute_of
from smolville.graphs.activities.kinds import is_in_the_way
from smolville.graphs.agreed_plan import free_until
from smolville.graphs.appointments import agreed_soon
from smolville.graphs.bonds import bond
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
from smolville.graphs.noteworthy import noteworthy
from smolville.graphs.recall import is_passing, recall, seeds_last
from smolville.graphs.reflect_questions import is_own_doing
from smolville.graphs.scenes import Scene, planned_at
from smolville.graphs.settled_places import spot_here
from smolville.graphs.standin.encounter import react
from smolville.graphs.state import MindState
from smolville.graphs.surroundings import Intent, Percept
from smolville.graphs.talk_memories import plan_from_now
from smolville.parsers.prompt_inputs import (
    PersonCard,
)
from smolville.parsers.react import ReactInput, Reaction

MEMORIES, AMONG = 5, 10
"""Number of memories shown, and of the best ones from which they are taken."""


def context(inputs: ReactInput) -> dict[str, Any]:
    """Return the people present, those who can be talked to, and the place."""
    return {
        "names": [person.name for person in inputs.people],
        "can_talk": [person.name for person in inputs.people if person.can_talk],
        "place": inputs.place,
        "has_need": inputs.need is not None,
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
    body, found = me.surroundings.body(), noteworthy(state, me)
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
    """Return the changes that a decision makes: an intent, or a new block in the plan."""
    at = me.surroundings.at
    if answer.choice == "talk":
        intent = Intent(start_talk=answer.person or "", joins=me.has(GROUPS), reason=answer.reason)
        return {"mind": mind, "intent": intent}
    if answer.choice == "wait":
        wait = Action(
            kind="wait",
            activity=f"waiting for {answer.person}",
            place=me.surroundings.body().place,
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
    """Return the card of somebody in sight."""
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
