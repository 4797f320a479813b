"""Conditions of a thought's edges: what a mind must do next, derived from its state by code."""

from smolville.agents.times import day_of
from smolville.graphs import (
    decompose,
    heed_inner_voice,
    rate_importance,
    reflect_questions,
    replan,
    wander,
)
from smolville.graphs.components import PLANNING as PLANS
from smolville.graphs.context import Thinker
from smolville.graphs.decompose import habits_to_split
from smolville.graphs.heed_inner_voice import whispers_in_doubt
from smolville.graphs.noteworthy import noteworthy
from smolville.graphs.routing import Condition
from smolville.graphs.settled_places import to_ground
from smolville.graphs.state import MindSeen


def has_stimulus(kind: str) -> Condition:
    """Return a condition that is true when the thought has a stimulus of this kind."""
    return lambda state, me: any(each.kind == kind for each in me.surroundings.stimuli())


def has_whispers_left(state: MindSeen, me: Thinker) -> bool:
    """Return True while whispers that need a model are still to be heeded."""
    heeded = state.draft.ordinal(heed_inner_voice.STEP.name)
    return heeded < len(whispers_in_doubt(me))


def is_new_day(state: MindSeen, me: Thinker) -> bool:
    """Return True when the mind has no plan for today yet."""
    plan = state.mind.plan
    return plan is None or plan.day < day_of(me.surroundings.at)


def is_another_day(state: MindSeen, me: Thinker) -> bool:
    """Return True on every new day but the first."""
    return state.mind.plan is not None and is_new_day(state, me)


def may_wander(state: MindSeen, me: Thinker) -> bool:
    """Return True on every new day but the first, if the mind has enough memories for `wander`."""
    return is_another_day(state, me) and wander.wants_to_wander(me)


def plans_nothing(state: MindSeen, me: Thinker) -> bool:
    """Return True when the run leaves planning out."""
    return not me.has(PLANS)


def has_gaps(state: MindSeen, me: Thinker) -> bool:
    """Return True when the day's gaps are not filled yet."""
    return state.mind.plan is not None and not state.mind.plan.hours


def is_full(state: MindSeen, me: Thinker) -> bool:
    """Return True when the whole day is planned."""
    return not has_gaps(state, me)


def wants_replan(state: MindSeen, me: Thinker) -> bool:
    """Return True when the rest of the hour was interrupted and is long enough for a new plan."""
    is_wanted = bool(state.disturbed) and state.intent is None and me.has(PLANS)
    return is_wanted and replan.window(state.mind, me.surroundings.at) is not None


def is_noteworthy(state: MindSeen, me: Thinker) -> bool:
    """Return True when somebody or something new, or an urgent need, requires a decision."""
    return state.urgent != "" or bool(noteworthy(state, me))


def has_blocks_to_split(state: MindSeen, me: Thinker) -> bool:
    """Return True when a block of an hour or more is about to start."""
    return decompose.to_split(state.mind, me.surroundings.at) != ()


def has_habits_to_split(state: MindSeen, me: Thinker) -> bool:
    """Return True when a habit of an hour or more is about to start, which is split by rule."""
    return habits_to_split(state.mind, me.surroundings.at) != ()


def has_tasks_to_ground(state: MindSeen, me: Thinker) -> bool:
    """Return True when tasks have no place even after the rules were applied."""
    return to_ground(state.mind, me.surroundings.at) != ()


def has_tasks_elsewhere(state: MindSeen, me: Thinker) -> bool:
    """Return True when tasks fit none of the places offered."""
    return bool(state.elsewhere)


def wants_plan(state: MindSeen, me: Thinker) -> bool:
    """Return True when the day is not planned yet, or still has gaps."""
    return is_new_day(state, me) or has_gaps(state, me)


def wants_reaction(state: MindSeen, me: Thinker) -> bool:
    """Return True when something requires a decision, or has interrupted the plan for this hour."""
    return is_noteworthy(state, me) or wants_replan(state, me)


def wants_reflection(state: MindSeen, me: Thinker) -> bool:
    """Return True when new ratings have to be stored, or a reflection is due."""
    return rate_importance.is_chosen(state, me) or reflect_questions.is_due(state, me)


def wants_no_reflection(state: MindSeen, me: Thinker) -> bool:
    """Return True when no reflection is due, even with the new ratings."""
    return not reflect_questions.is_due(state, me)
