"""Set an agent's intent from the current block of its plan."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.action import Action, describe_start
from smolville.agents.mind import Mind
from smolville.agents.plan import Block, block_at, is_sleep
from smolville.agents.times import at_of, day_of, minute_of
from smolville.graphs.components import OBSERVATION
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.draft import Draft
from smolville.graphs.norms import allowed_until
from smolville.graphs.rate_importance import routine_importance
from smolville.graphs.settled_places import bed_spot
from smolville.graphs.state import MindState
from smolville.graphs.surroundings import Intent


def wants_to_act(state: MindState, me: Thinker) -> bool:
    """Return True when the current action is over, was refused, or no longer follows the plan."""
    body = me.surroundings.body
    if state.intent is not None:
        return False
    over = body.action is None or body.action.end <= me.surroundings.at
    return over or state.changed or (body.refused != "" and not body.refused_by)


def present_block(state: MindState, me: Thinker) -> Block:
    """Return the plan's current block."""
    assert state.mind.plan is not None
    return block_at(state.mind.plan.blocks, minute_of(me.surroundings.at))


def wants_place(state: MindState, me: Thinker) -> bool:
    """Return True when the current block still needs a place chosen by the model."""
    block = present_block(state, me)
    return block.spot is None and not is_sleep(block.activity)


async def act(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Set the agent's intent from the plan: the current block's activity until the block ends."""
    me, mind = runtime.context.of(state.agent), state.mind
    block = present_block(state, me)
    asleep = is_sleep(block.activity)
    spot = bed_spot(me, mind) if asleep else block.spot
    assert spot is not None
    place = spot.place
    if not asleep and place in mind.refused:
        place = place.rsplit(": ", 1)[0]
    at = me.surroundings.at
    action = Action(
        kind="sleep" if asleep else "do",
        activity=block.activity,
        place=place,
        start=at,
        end=at_of(day_of(at), block.end if asleep else allowed_until(me, block, place)),
        emoji=spot.emoji,
        predicate=spot.predicate,
        object=spot.object,
        object_state=spot.object_state if place == spot.place else "",
        object_emoji=spot.object_emoji if place == spot.place else "",
        fallback=block.fallback or spot.fallback != "",
        nowhere=spot.nowhere,
    )
    mind, draft = _remember_action(me, mind, state.draft, action)
    return {
        "intent": Intent(action=action),
        "mind": mind,
        "draft": draft,
        "path": [*state.path, "act"],
    }


def _remember_action(me: Thinker, mind: Mind, draft: Draft, action: Action) -> tuple[Mind, Draft]:
    """Return mind and draft with the action remembered, since own actions are events too."""
    if action.kind == "sleep" or not me.has(OBSERVATION):
        return mind, draft
    importance = routine_importance(action.activity)
    draft, made = draft.with_memory(
        me,
        "event",
        describe_start(me.name, action, me.surroundings.body.place),
        step="act",
        triple=(me.name, action.predicate, action.object),
        importance=importance,
    )
    if made is None:
        return mind, draft
    if importance is None:
        return replace(mind, unrated=(*mind.unrated, made.id)), draft
    return replace(mind, gathered=mind.gathered + importance), draft
