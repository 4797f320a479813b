"""Decide what to do about whoever has just come into sight."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.action import Action
from agents.mind import Mind
from agents.plan import Block, block_at, splice
from agents.times import at_of, clock, day_of, minute_of
from graphs.cards import Card, PersonCard, Recalled, Who
from graphs.gather import now, recalled, relation, when, who
from graphs.loop.step import Choices, Step
from graphs.recall import recall
from graphs.surroundings import Intent, Percept
from graphs.thinking import Thinking, Thought
from parsers.react import Reaction

MEMORIES = 5
CONSIDER_AGAIN = 1500
"""Seconds after which somebody seen again is worth a thought again, when nothing came of it."""
TALK_AGAIN = 8000
"""Seconds after a talk during which no new one is begun (the original's 800 steps of 10 s)."""
QUIET = 2700
"""Seconds after any talk during which nobody new is considered: there are things to do."""
LAST_TALK_HOUR = 23
"""From this hour on nobody begins to talk."""


class ReactInput(Card):
    """What the prompt `react` shows."""

    me: Who
    now: str
    place: str
    doing: str
    """What I do."""
    until: str
    """Clock at which it ends."""
    people: tuple[PersonCard, ...]
    """The newcomers."""
    events: tuple[str, ...]
    """Other noteworthy things in sight."""
    memories: tuple[Recalled, ...]
    """About them."""


def context(inputs: ReactInput) -> dict[str, Any]:
    """Return who is there, who of them can be talked to, and where that is."""
    return {
        "names": [person.name for person in inputs.people],
        "can_talk": [person.name for person in inputs.people if person.can_talk],
        "place": inputs.place,
    }


def choices(inputs: ReactInput) -> Choices:
    """Return the people in sight as the only ones allowed."""
    return {"person": [person.name for person in inputs.people]} if inputs.people else {}


def fallback(inputs: ReactInput) -> Reaction:
    """Return that the agent goes on as before."""
    return Reaction(reason="no decision was made", choice="continue")


def case(inputs: ReactInput) -> str:
    """Return this case as examples are told."""
    seen = "; ".join(
        f"{each.name}: {each.doing}, can talk: {'yes' if each.can_talk else 'no'}. "
        f"To you: {(each.relationship or 'a stranger').rstrip('.')}. Last talk: {each.last_talk}"
        for each in inputs.people
    )
    others = "; ".join(inputs.events) or "none"
    return (
        f"You are doing: {inputs.doing}\nIN SIGHT: {seen or 'nobody new'}\nOTHER THINGS: {others}"
    )


STEP = Step(
    name="react",
    inputs=ReactInput,
    answer=Reaction,
    fallback=fallback,
    context=context,
    choices=choices,
    max_tokens=220,
    case=case,
    sheds=("memories",),
)


def noteworthy(state: Thinking, thought: Thought) -> tuple[Percept, ...]:
    """Return the new events that are worth a decision.

    People who can talk, unless they were considered or talked to a short while ago, and objects
    in an unusual state.
    """
    at, mind = thought.surroundings.at, state.mind
    action = thought.surroundings.body().action
    if action is None or action.kind in ("sleep", "talk") or at % 86_400 // 3600 >= LAST_TALK_HOUR:
        return ()
    last = max(mind.talked.values(), default=-QUIET)
    return tuple(
        percept
        for percept in state.fresh
        if not percept.is_person
        or (at - last >= QUIET and percept.can_talk and _is_open_to(mind, percept.subject, at))
    )


def _is_open_to(mind: Mind, name: str, at: int) -> bool:
    """True when neither a talk nor a decision about somebody is still fresh."""
    return (
        at - mind.talked.get(name, -TALK_AGAIN) >= TALK_AGAIN
        and at - mind.considered.get(name, -CONSIDER_AGAIN) >= CONSIDER_AGAIN
    )


async def react(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask once about all newcomers of this moment."""
    thought, mind = runtime.context, state.mind
    body, at = thought.surroundings.body(), thought.surroundings.at
    assert body.action is not None
    found = noteworthy(state, thought)
    people = [percept for percept in found if percept.is_person]
    events = [percept.text for percept in found if not percept.is_person]
    memories = await recall(thought, [percept.text for percept in found], MEMORIES)
    inputs = ReactInput(
        me=who(thought, mind),
        now=now(thought),
        place=body.place,
        doing=body.action.activity,
        until=clock(minute_of(body.action.end)),
        people=tuple(_person(thought, mind, percept) for percept in people),
        events=tuple(events),
        memories=recalled(thought, memories),
    )
    taken = await STEP.take(thought, inputs, memories)
    considered = {**mind.considered, **{percept.subject: at for percept in people}}
    mind = replace(mind, considered=considered)
    return _carried_out(thought, mind, taken.answer, body.place)


def _carried_out(thought: Thought, mind: Mind, answer: Reaction, here: str) -> dict[str, Any]:
    """Return what a decision changes: an intent, or a new block in the plan."""
    at = thought.surroundings.at
    if answer.choice == "talk":
        intent = Intent(start_talk=answer.person or "", reason=answer.reason)
        return {"mind": mind, "intent": intent}
    if answer.choice == "wait":
        wait = Action(
            kind="wait",
            activity=f"waiting for {answer.person}",
            place=here,
            start=at,
            end=_until(mind, at, answer.minutes or 1),
            emoji="⌛",
            predicate="waits for",
            object=answer.person or "",
            partners=(answer.person or "",),
        )
        return {"mind": mind, "intent": Intent(action=wait, reason=answer.reason)}
    if answer.choice == "other" and mind.plan is not None:
        start = minute_of(at)
        end = min(start + (answer.minutes or 1), block_at(mind.plan.hours, start).end)
        new = Block(
            start=start,
            minutes=end - start,
            activity=answer.activity or "",
            part_of=answer.activity or "",
        )
        blocks = splice(mind.plan.blocks, start, end, [new])
        return {"mind": replace(mind, plan=replace(mind.plan, blocks=blocks)), "changed": True}
    return {"mind": mind}


def _until(mind: Mind, at: int, minutes: int) -> int:
    """Return when something of so many minutes ends: with the present hour's plan at the latest."""
    end = at + 60 * minutes
    if mind.plan is None:
        return end
    return min(end, at_of(day_of(at), block_at(mind.plan.hours, minute_of(at)).end))


def _person(thought: Thought, mind: Mind, percept: Percept) -> PersonCard:
    """Return somebody in sight as the prompt shows them."""
    name = percept.subject
    talked = mind.talked.get(name)
    impression = mind.impressions.get(name)
    about = f", about {impression.summary}" if impression and impression.summary else ""
    return PersonCard(
        name=name,
        doing=percept.activity,
        relationship=relation(thought, mind, name, percept.about),
        last_talk="never" if talked is None else f"{when(thought, talked)}{about}",
        can_talk=percept.can_talk,
        until=clock(minute_of(percept.until)),
    )
