"""The phases of a thought, from perception to reflection: their nodes and the edges between them.

A node leads to the next one in the list, unless edges are declared for it. Every edge has a name,
the condition under which it is taken; the first condition that holds decides. A node is skipped by
an edge that leads past it.
"""

from langgraph.constants import END, START

from agents.times import day_of
from graphs import (
    choose_place,
    conclude_talk,
    decompose,
    dream,
    ground_block,
    heed_inner_voice,
    plan_day,
    plan_hours,
    rate_importance,
    react,
    reflect_insights,
    reflect_questions,
    replan,
    revise_goal,
    revise_identity,
    wander,
)
from graphs.act import act, wants_place, wants_to_act
from graphs.appointments import KEEP, has_agreed, keep_appointments
from graphs.components import PLANNING as PLANS
from graphs.context import Thinker
from graphs.decompose import habits_to_split, split_habits
from graphs.draw_memories import draws_for
from graphs.heed_inner_voice import hear_whispers, whispers_in_doubt
from graphs.needs import FEEL_NEEDS, feel_needs, feels_needs
from graphs.norms import LEAVE_FORBIDDEN, leave_forbidden, stands_in_forbidden_place
from graphs.perceive import perceive
from graphs.routines import (
    REUSE_SPOTS,
    REUSE_TASKS,
    may_reuse_spots,
    may_reuse_tasks,
    reuse_spots,
    reuse_tasks,
)
from graphs.routing import Condition, ConditionalEdge, Phase
from graphs.settled_places import place_named, reuse_places, to_ground
from graphs.state import MindSeen
from graphs.usual_day import USUAL_DAY, lay_usual_day


def _has(kind: str) -> Condition:
    """Return a condition that is true when the thought has a stimulus of this kind."""
    return lambda state, me: any(each.kind == kind for each in me.surroundings.stimuli())


def _has_whispers_left(state: MindSeen, me: Thinker) -> bool:
    """Return True while whispers without a certain rule are left to heed."""
    heeded = state.draft.ordinal(heed_inner_voice.STEP.name)
    return heeded < len(whispers_in_doubt(me))


def is_new_day(state: MindSeen, me: Thinker) -> bool:
    """Return True when the mind has no plan for today yet."""
    plan = state.mind.plan
    return plan is None or plan.day < day_of(me.surroundings.at)


def _is_another_day(state: MindSeen, me: Thinker) -> bool:
    """Return True on every new day but the first."""
    return state.mind.plan is not None and is_new_day(state, me)


def _may_wander(state: MindSeen, me: Thinker) -> bool:
    """Return True on every new day but the first, when memories may come up by themselves."""
    return _is_another_day(state, me) and wander.wants_to_wander(me)


def _plans_nothing(state: MindSeen, me: Thinker) -> bool:
    """Return True when the run leaves planning out."""
    return not me.has(PLANS)


def _has_gaps(state: MindSeen, me: Thinker) -> bool:
    """Return True when the day's gaps are not filled yet."""
    return state.mind.plan is not None and not state.mind.plan.hours


def _is_full(state: MindSeen, me: Thinker) -> bool:
    """Return True when the whole day is planned."""
    return not _has_gaps(state, me)


def _wants_replan(state: MindSeen, me: Thinker) -> bool:
    """Return True when the rest of the hour is disturbed and long enough for a new plan."""
    window = replan.window(state.mind, me.surroundings.at)
    is_wanted = bool(state.disturbed) and state.intent is None and me.has(PLANS)
    return is_wanted and window is not None


def _is_noteworthy(state: MindSeen, me: Thinker) -> bool:
    """Return True when somebody or something new, or an urgent need, requires a decision."""
    return state.urgent != "" or bool(react.noteworthy(state, me))


def _has_blocks_to_split(state: MindSeen, me: Thinker) -> bool:
    """Return True when a block of an hour or more is about to start."""
    return decompose.to_split(state.mind, me.surroundings.at) != ()


def _has_habits_to_split(state: MindSeen, me: Thinker) -> bool:
    """Return True when a habit of an hour or more is about to start."""
    return habits_to_split(state.mind, me.surroundings.at) != ()


def _has_tasks_to_ground(state: MindSeen, me: Thinker) -> bool:
    """Return True when tasks have no place even after the rules were applied."""
    return to_ground(state.mind, me.surroundings.at) != ()


def _has_tasks_elsewhere(state: MindSeen, me: Thinker) -> bool:
    """Return True when tasks fit none of the places offered."""
    return bool(state.elsewhere)


def wants_plan(state: MindSeen, me: Thinker) -> bool:
    """Return True when the day is not planned."""
    return is_new_day(state, me) or _has_gaps(state, me)


def wants_reaction(state: MindSeen, me: Thinker) -> bool:
    """Return True when something requires a decision, or has disturbed the hour."""
    return _is_noteworthy(state, me) or _wants_replan(state, me)


_CONCLUDE = ConditionalEdge("a talk has ended", "conclude_talk", _has("talk_ended"))
_AGREED = ConditionalEdge("a meeting was agreed", KEEP, has_agreed)
_HEAR = ConditionalEdge("a voice whispers", "hear_whispers", _has("inner_voice"))
_HEED = ConditionalEdge("a whisper is in doubt", "heed_inner_voice", _has_whispers_left)
_HEED_AGAIN = ConditionalEdge("another whisper is in doubt", "heed_inner_voice", _has_whispers_left)


def _rates_by_rule(state: MindSeen, me: Thinker) -> bool:
    """Return True when memories wait for a rating, and the model is too small to rate them."""
    return me.is_narrow and rate_importance.is_due(state, me)


def _reflects_by_rule(state: MindSeen, me: Thinker) -> bool:
    """Return True when the model is too small to ask itself questions."""
    return me.is_narrow


_RATE_BY_RULE = ConditionalEdge(
    "a small model's memories wait for a rating", rate_importance.BY_RULE, _rates_by_rule
)
_RATE = ConditionalEdge("memories wait for a rating", "rate_importance", rate_importance.is_due)
_TAKEN_IN = ConditionalEdge("all is taken in", END)

PERCEPTION = Phase(
    way=ConditionalEdge("always", "perception"),
    nodes=(
        (FEEL_NEEDS, feel_needs),
        ("perceive", perceive),
        conclude_talk.STEP,
        (KEEP, keep_appointments),
        ("hear_whispers", hear_whispers),
        heed_inner_voice.STEP,
        rate_importance.STEP,
        (rate_importance.BY_RULE, rate_importance.rate_by_rule),
    ),
    ways={
        START: (
            ConditionalEdge("needs are felt", FEEL_NEEDS, feels_needs),
            ConditionalEdge("needs are left out", "perceive"),
        ),
        "perceive": (_CONCLUDE, _HEAR, _RATE_BY_RULE, _RATE, _TAKEN_IN),
        "conclude_talk": (_AGREED, _HEAR, _RATE_BY_RULE, _RATE, _TAKEN_IN),
        KEEP: (_HEAR, _RATE_BY_RULE, _RATE, _TAKEN_IN),
        "hear_whispers": (_HEED, _RATE_BY_RULE, _RATE, _TAKEN_IN),
        "heed_inner_voice": (_HEED_AGAIN, _RATE_BY_RULE, _RATE, _TAKEN_IN),
        "rate_importance": (_TAKEN_IN,),
    },
)
"""Feels needs, takes in what is new (sights, talks, whispers), and rates its importance."""

_FOR_DREAM, _FOR_IDEA = draws_for(dream.STEP.name), draws_for(wander.STEP.name)

DREAMING = Phase(
    way=ConditionalEdge("asleep, and no dream yet", "dreaming", dream.wants_dream),
    nodes=(_FOR_DREAM, dream.STEP),
)
"""Lets memories come up in sleep, and dreams of them."""

PLANNING = Phase(
    way=ConditionalEdge("a day wants a plan", "planning", wants_plan),
    nodes=(
        (USUAL_DAY, lay_usual_day),
        _FOR_IDEA,
        wander.STEP,
        revise_identity.STEP,
        plan_day.STEP,
        plan_hours.STEP,
    ),
    ways={
        START: (
            ConditionalEdge("planning is left out", USUAL_DAY, _plans_nothing),
            ConditionalEdge("the mind may wander", _FOR_IDEA[0], _may_wander),
            ConditionalEdge("another day begins", "revise_identity", _is_another_day),
            ConditionalEdge("a new day begins", "plan_day", is_new_day),
            ConditionalEdge("the day has gaps", "plan_hours"),
        ),
        USUAL_DAY: (ConditionalEdge("the usual day is laid", END),),
        "plan_day": (
            ConditionalEdge("nothing is left to fill", END, _is_full),
            ConditionalEdge("the day has gaps", "plan_hours"),
        ),
    },
)
"""Plans a new day: revises the identity, then plans the day and its hours."""

REACTION = Phase(
    way=ConditionalEdge("something wants a decision", "reaction", wants_reaction),
    nodes=(
        react.STEP,
        replan.STEP,
    ),
    ways={
        START: (
            ConditionalEdge("something is new, or a need is urgent", "react", _is_noteworthy),
            ConditionalEdge("the hour was disturbed", "replan"),
        ),
        "react": (
            ConditionalEdge("the hour was disturbed", "replan", _wants_replan),
            ConditionalEdge("the plan holds", END),
        ),
    },
)
"""Decides how to react to newcomers, and replans a disturbed hour."""

_REUSE = ConditionalEdge("such an hour may be known", REUSE_TASKS, may_reuse_tasks)
_SPLIT = ConditionalEdge("an hour or more is about to start", "decompose", _has_blocks_to_split)
_LEAVE = ConditionalEdge(
    "a rule forbids the place of the task", LEAVE_FORBIDDEN, stands_in_forbidden_place
)
_PLACE = ConditionalEdge("the next task has no place yet", "reuse_places", wants_place)
_READY = ConditionalEdge("the next task has its place", "act")

ACTION = Phase(
    way=ConditionalEdge("something new is to be done", "action", wants_to_act),
    nodes=(
        ("split_habits", split_habits),
        (REUSE_TASKS, reuse_tasks),
        decompose.STEP,
        (LEAVE_FORBIDDEN, leave_forbidden),
        ("reuse_places", reuse_places),
        ("place_named", place_named),
        (REUSE_SPOTS, reuse_spots),
        ground_block.STEP,
        choose_place.STEP,
        ("act", act),
    ),
    ways={
        START: (
            ConditionalEdge("a habit is about to start", "split_habits", _has_habits_to_split),
            _REUSE,
            _SPLIT,
            _LEAVE,
            _PLACE,
            _READY,
        ),
        "split_habits": (_REUSE, _SPLIT, _LEAVE, _PLACE, _READY),
        REUSE_TASKS: (
            ConditionalEdge("no routine fits", "decompose", _has_blocks_to_split),
            _LEAVE,
            _PLACE,
            _READY,
        ),
        "decompose": (
            ConditionalEdge("another block is about to start", "decompose", _has_blocks_to_split),
            _LEAVE,
            _PLACE,
            _READY,
        ),
        "place_named": (
            ConditionalEdge("such a task may have its place", REUSE_SPOTS, may_reuse_spots),
            ConditionalEdge("tasks are left without a place", "ground_block", _has_tasks_to_ground),
            ConditionalEdge("all have a place", "act"),
        ),
        REUSE_SPOTS: (
            ConditionalEdge("no routine fits", "ground_block", _has_tasks_to_ground),
            ConditionalEdge("all have a place", "act"),
        ),
        "ground_block": (
            ConditionalEdge("a task fits none of the places", "choose_place", _has_tasks_elsewhere),
            ConditionalEdge("all have a place", "act"),
        ),
        "choose_place": (ConditionalEdge("the sector is chosen", "ground_block"),),
    },
)
"""Turns the plan's current block into an action at a place."""

_ANSWER = ConditionalEdge("memories can answer", "reflect_insights", reflect_insights.is_wanted)
_FORGET = ConditionalEdge("nothing is remembered", END)

REFLECTION = Phase(
    way=ConditionalEdge("enough has happened", "reflection", reflect_questions.is_due),
    nodes=(
        reflect_questions.STEP,
        (reflect_questions.BY_RULE, reflect_questions.reflect_by_rule),
        reflect_insights.STEP,
    ),
    ways={
        START: (
            ConditionalEdge("a small model thinks", reflect_questions.BY_RULE, _reflects_by_rule),
            ConditionalEdge("a model asks itself", "reflect_questions"),
        ),
        "reflect_questions": (_ANSWER, _FORGET),
        reflect_questions.BY_RULE: (_ANSWER, _FORGET),
    },
)
"""Draws insights from recent memories."""

MOTIVATION = Phase(
    way=ConditionalEdge("something concerns a goal", "motivation", revise_goal.is_due),
    nodes=(revise_goal.STEP,),
)
"""Revises a goal after an insight, a talk or a night that concerns it."""

PHASES = (PERCEPTION, DREAMING, PLANNING, REACTION, ACTION, REFLECTION, MOTIVATION)
"""All phases in order."""
