"""Perceive places and events in sight, and remember the new events."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.entities import IMPORTANCE
from smolville.agents.mind import KnownPlace, Mind
from smolville.agents.places import arena_of, object_of
from smolville.agents.plan import Block, Spot
from smolville.agents.times import minute_of
from smolville.graphs.appointments import notice_partners, with_claims
from smolville.graphs.components import OBSERVATION
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.draft import Draft
from smolville.graphs.rate_importance import routine_importance
from smolville.graphs.settled_places import spot_in
from smolville.graphs.state import MindState
from smolville.graphs.surroundings import ANNOUNCED, Percept, Senses, Sight

STEP = "perceive"

NEWS, WRITTEN = "news", ("letter", "notice")
"""Subjects of percepts that are heard at a place, and of those that are read there."""
MOST_REFUSALS = 2
"""Number of objects found taken after which the agent does without one and stays in the room."""


async def perceive(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Learn the places in sight, and remember the new events, the agent's own actions included.

    An event that was seen is not new again during the persona's retention time, however many others
    follow. The importance of routine activities is set by rule; other events wait for a rating.
    """
    me, draft = runtime.context.of(state.agent), state.draft
    around, mind = me.surroundings, with_claims(me, state.mind)
    forgotten = around.at - me.persona.retention * 3600
    seen = {key: at for key, at in mind.seen.items() if at >= forgotten}
    events = (*_perceive_announcements(around), *around.percepts)
    unseen = tuple(percept for percept in events if percept.key not in seen)
    fresh = tuple(percept for percept in unseen if not _was_read(me, percept))
    unrated, gathered = list(mind.unrated), mind.gathered
    for percept in fresh if me.has(OBSERVATION) else ():
        triple = (percept.subject, percept.predicate, percept.object)
        importance = routine_importance(percept.activity) if percept.is_person else None
        draft, made = draft.with_memory(
            me, "event", percept.text, step=STEP, triple=triple, importance=importance
        )
        if made and importance is None:
            unrated.append(made.id)
        elif made and importance is not None:
            gathered += importance
    seen.update((percept.key, around.at) for percept in unseen)
    news = tuple(each for each in around.heard if _is_new(each, mind, seen))
    seen.update((each.key, around.at) for each in news if each.subject == NEWS)
    for percept in news if me.has(OBSERVATION) else ():
        draft, made = draft.with_memory(
            me,
            "event",
            percept.text,
            step=STEP,
            triple=(percept.subject, percept.predicate, percept.object),
            importance=(importance := IMPORTANCE[percept.subject]),
        )
        gathered += importance if made else 0
    draft, unrated = _remember_refusal(me, draft, unrated)
    mind = replace(
        mind,
        heard=max((mind.heard, *(each.origin for each in news))),
        places=learn_places(mind, around.sights, around.at),
        seen=seen,
        unrated=tuple(unrated),
        gathered=gathered,
    )
    mind, draft = notice_partners(me, without_refused(me, mind), draft)
    return {"mind": mind, "fresh": fresh, "draft": draft, "path": [*state.path, STEP]}


def _remember_refusal(me: Thinker, draft: Draft, unrated: list[str]) -> tuple[Draft, list[str]]:
    body = me.surroundings.body
    if not body.refused_by or not me.has(OBSERVATION):
        return draft, unrated
    triple = (body.refused_by, "does not talk with", me.name)
    draft, made = draft.with_memory(me, "event", body.refused, step=STEP, triple=triple)
    return draft, [*unrated, made.id] if made else unrated


def _was_read(me: Thinker, percept: Percept) -> bool:
    """Return True for a letter or notice that the agent remembers: it stays in sight after that."""
    is_written = percept.subject in WRITTEN
    return is_written and me.stream.with_text(percept.text, me.surroundings.at) is not None


def _is_new(percept: Percept, mind: Mind, seen: Mapping[str, int]) -> bool:
    """Return True for an event begun since the last thought, or for news not yet heard here."""
    is_news_of_here = percept.subject == NEWS and percept.key not in seen
    return is_news_of_here or percept.origin > mind.heard


def _perceive_announcements(around: Senses) -> tuple[Percept, ...]:
    return tuple(
        Percept(
            subject="announcement",
            predicate="says",
            object=stimulus.text,
            text=f"{ANNOUNCED}{stimulus.text}",
            place=around.body.place,
            distance=0,
            is_person=False,
            origin=around.at,
        )
        for stimulus in around.stimuli
        if stimulus.kind == "announcement"
    )


def learn_places(mind: Mind, sights: tuple[Sight, ...], at: int) -> dict[str, KnownPlace]:
    """Return the known places plus everything in sight; nothing is ever forgotten."""
    places = dict(mind.places)
    for sight in sights:
        old = places.get(sight.arena, KnownPlace())
        objects = old.objects + tuple(x for x in sight.objects if x not in old.objects)
        inside = set(sight.objects)
        states = old.states
        if not sight.is_elsewhere:
            states = tuple(pair for pair in old.states if pair[0] not in inside) + sight.states
        if objects != old.objects or states != old.states or old.seen < 0:
            places[sight.arena] = KnownPlace(
                objects=objects, states=states, owners=sight.owners, seen=at
            )
    return places


def without_refused(me: Thinker, mind: Mind) -> Mind:
    """Return the mind with its latest refused place noted, and another one in its plan.

    Instead of a refused object, another one of the same room is used, or none. From the third
    refusal on, the plan is not changed: the agent stays in the planned room and does without the
    object. Refusals are forgotten as soon as the agent begins something else.
    """
    around = me.surroundings
    kinds = {stimulus.kind for stimulus in around.stimuli}
    if "refused" not in kinds or around.body.refused_by:
        return replace(mind, refused=()) if "action_ended" in kinds else mind
    refused = (*mind.refused, around.body.refused_place)
    mind = replace(mind, refused=refused)
    if mind.plan is None or len(refused) > MOST_REFUSALS:
        return mind
    minute = minute_of(around.at)
    blocks = tuple(
        replace(block, spot=_another_spot(me, mind, block, block.spot))
        if block.spot and block.spot.place in refused and block.end > minute
        else block
        for block in mind.plan.blocks
    )
    return replace(mind, plan=replace(mind.plan, blocks=blocks))


def _another_spot(me: Thinker, mind: Mind, block: Block, old: Spot) -> Spot | None:
    """Return a spot in the room of a refused one; None if it was no object but the room itself."""
    if not object_of(old.place) or arena_of(old.place) not in mind.places:
        return None
    new = spot_in(me, mind, block, arena_of(old.place))
    return replace(new, fallback=old.fallback, by_rule=old.by_rule)
