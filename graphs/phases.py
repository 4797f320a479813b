"""The phases of a thought, from perception to reflection: their nodes and the edges between them.

A node leads to the next one in the list, unless edges are declared for it. Every edge has a name,
the condition under which it is taken; the first condition that holds decides. An edge that leads
past a node skips it.
"""

from langgraph.constants import END, START

from smolville.graphs import (
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
from smolville.graphs.act import act, wants_place, wants_to_act
from smolville.graphs.conditions import (
    has_blocks_to_split,
    has_habits_to_split,
    has_stimulus,
    has_tasks_elsewhere,
    has_tasks_to_ground,
    has_whispers_left,
    is_another_day,
    is_full,
    is_new_day,
    is_noteworthy,
    may_wander,
    plans_nothing,
    wants_no_reflection,
    wants_plan,
    wants_reaction,
    wants_reflection,
    wants_replan,
)
from smolville.graphs.decompose import split_habits
from smolville.graphs.draw_memories import draws_for
from smolville.graphs.heed_inner_voice import hear_whispers
from smolville.graphs.needs import FEEL_NEEDS, feel_needs, feels_needs
from smolville.graphs.norms import LEAVE_FORBIDDEN, leave_forbidden, stands_in_forbidden_place
from smolville.graphs.perceive import perceive
from smolville.graphs.routines import (
    REUSE_SPOTS,
    REUSE_TASKS,
    may_reuse_spots,
    may_reuse_tasks,
    reuse_spots,
    reuse_tasks,
)
from smolville.graphs.routing import ConditionalEdge, Phase
from smolville.graphs.settled_places import place_named, reuse_places
from smolville.graphs.usual_day import USUAL_DAY, lay_usual_day

_CONCLUDE = ConditionalEdge("a talk has ended", "conclude_talk", has_stimulus("talk_ended"))
_HEAR = ConditionalEdge("a voice whispers", "hear_whispers", has_stimulus("inner_voice"))
_HEED = ConditionalEdge("a whisper is in doubt", "heed_inner_voice", has_whispers_left)
_HEED_AGAIN = ConditionalEdge("another whisper is in doubt", "heed_inner_voice", has_whispers_left)
_RATE = ConditionalEdge(
    "memories wait for a rating", rate_importance.CHOOSE, rate_importance.is_due
)
_TAKEN_IN = ConditionalEdge("all is taken in", END)

PERCEPTION = Phase(
    way=ConditionalEdge("always", "perception"),
    nodes=(
        (FEEL_NEEDS, feel_needs),
        ("perceive", perceive),
        conclude_talk.STEP,
        ("hear_whispers", hear_whispers),
        heed_inner_voice.STEP,
        (rate_importance.CHOOSE, rate_importance.choose_unrated),
    ),
    ways={
        START: (
            ConditionalEdge("needs are felt", FEEL_NEEDS, feels_needs),
            ConditionalEdge("needs are left out", "perceive"),
        ),
        "perceive": (_CONCLUDE, _HEAR, _RATE, _TAKEN_IN),
        "conclude_talk": (_HEAR, _RATE, _TAKEN_IN),
        "hear_whispers": (_HEED, _RATE, _TAKEN_IN),
        "heed_inner_voice": (_HEED_AGAIN, _RATE, _TAKEN_IN),
        rate_importance.CHOOSE: (_TAKEN_IN,),
    },
)
"""Feels needs, takes in what is new (sights, talks, whispers), and chooses the memories to rate."""

RATING = Phase(
    way=ConditionalEdge("memories are to be rated", "rating", rate_importance.is_chosen),
    nodes=(rate_importance.STEP,),
    joins="reflection",
)
"""Rates how important memories are, in parallel to the phases before reflection."""

_FOR_DREAM, _FOR_IDEA = draws_for(dream.STEP.name), draws_for(wander.STEP.name)

DREAMING = Phase(
    way=ConditionalEdge("asleep, and no dream yet", "dreaming", dream.wants_dream),
    nodes=(_FOR_DREAM, dream.STEP),
)
"""Chooses memories at random during sleep, and makes a dream of them."""

MOTIVATION = Phase(
    way=ConditionalEdge("something bears on a goal", "motivation", revise_goal.is_due),
    nodes=(revise_goal.STEP,),
    ways={
        START: (
            ConditionalEdge("a goal is in question", "revise_goal", revise_goal.is_due),
            ConditionalEdge("nothing bears on a goal", END),
        ),
    },
)
"""Revises a goal on which something new bears, before a day is planned or a reaction decided."""

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
            ConditionalEdge("planning is left out", USUAL_DAY, plans_nothing),
            ConditionalEdge("the mind may wander", _FOR_IDEA[0], may_wander),
            ConditionalEdge("another day begins", "revise_identity", is_another_day),
            ConditionalEdge("a new day begins", "plan_day", is_new_day),
            ConditionalEdge("the day has gaps", "plan_hours"),
        ),
        USUAL_DAY: (ConditionalEdge("the usual day is laid", END),),
        "plan_day": (
            ConditionalEdge("nothing is left to fill", END, is_full),
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
            ConditionalEdge("something is new, or a need is urgent", "react", is_noteworthy),
            ConditionalEdge("the hour was disturbed", "replan"),
        ),
        "react": (
            ConditionalEdge("the hour was disturbed", "replan", wants_replan),
            ConditionalEdge("the plan holds", END),
        ),
    },
)
"""Decides how to react to newcomers, and replans an interrupted hour."""

_REUSE = ConditionalEdge("such an hour may be known", REUSE_TASKS, may_reuse_tasks)
_SPLIT = ConditionalEdge("an hour or more is about to start", "decompose", has_blocks_to_split)
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
            ConditionalEdge("a habit is about to start", "split_habits", has_habits_to_split),
            _REUSE,
            _SPLIT,
            _LEAVE,
            _PLACE,
            _READY,
        ),
        "split_habits": (_REUSE, _SPLIT, _LEAVE, _PLACE, _READY),
        REUSE_TASKS: (
            ConditionalEdge("no routine fits", "decompose", has_blocks_to_split),
            _LEAVE,
            _PLACE,
            _READY,
        ),
        "decompose": (
            ConditionalEdge("another block is about to start", "decompose", has_blocks_to_split),
            _LEAVE,
            _PLACE,
            _READY,
        ),
        "place_named": (
            ConditionalEdge("such a task may have its place", REUSE_SPOTS, may_reuse_spots),
            ConditionalEdge("tasks are left without a place", "ground_block", has_tasks_to_ground),
            ConditionalEdge("all have a place", "act"),
        ),
        REUSE_SPOTS: (
            ConditionalEdge("no routine fits", "ground_block", has_tasks_to_ground),
            ConditionalEdge("all have a place", "act"),
        ),
        "ground_block": (
            ConditionalEdge("a task fits none of the places", "choose_place", has_tasks_elsewhere),
            ConditionalEdge("all have a place", "act"),
        ),
        "choose_place": (ConditionalEdge("the sector is chosen", "ground_block"),),
    },
)
"""Turns the plan's current block into an action at a place."""

REFLECTION = Phase(
    way=ConditionalEdge("ratings are made, or enough has happened", "reflection", wants_reflection),
    nodes=(
        (rate_importance.KEEP, rate_importance.keep_ratings),
        reflect_questions.STEP,
        reflect_insights.STEP,
    ),
    ways={
        START: (
            ConditionalEdge("ratings are made", rate_importance.KEEP, rate_importance.is_chosen),
            ConditionalEdge("enough has happened", "reflect_questions"),
        ),
        rate_importance.KEEP: (
            ConditionalEdge("too little has happened", END, wants_no_reflection),
            ConditionalEdge("enough has happened", "reflect_questions"),
        ),
        "reflect_questions": (
            ConditionalEdge("memories can answer", "reflect_insights", reflect_insights.is_wanted),
            ConditionalEdge("nothing is remembered", END),
        ),
    },
)
"""Stores ratings, and draws insights from recent memories."""

PHASES = (PERCEPTION, RATING, DREAMING, MOTIVATION, PLANNING, REACTION, ACTION, REFLECTION)
"""All phases in order."""
