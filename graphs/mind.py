"""The mind graph: one thought, from perception to the agent's intent.

Its nodes are phases, a phase's nodes are cognitive steps, a step's nodes call a
model and repair its answer. A phase leads to the next one that has something to do. Memories are
rated beside the phases that do not need their ratings; `reflection` waits for these.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from smolville.agents.mind import Mind
from smolville.agents.times import day_of
from smolville.graphs import (
    conclude_talk,
    decompose,
    dream,
    ground_block,
    heed_inner_voice,
    norms,
    plan_day,
    plan_hours,
    rate_importance,
    react,
    reflect_insights,
    reflect_questions,
    replan,
    revise_goal,
    revise_identity,
    routines,
    wander,
)
from smolville.graphs.act import act, wants_place, wants_to_act
from smolville.graphs.components import PLANNING
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.dream import draw_for_dream, draw_for_wander, wants_dream
from smolville.graphs.loop.graph import Ways, build_step
from smolville.graphs.needs import feel_needs
from smolville.graphs.perceive import perceive
from smolville.graphs.plan_hours import lay_usual_day
from smolville.graphs.react import noteworthy
from smolville.graphs.revise_goal import is_due as is_goal_in_question
from smolville.graphs.settled_places import place_named, reuse_places, to_ground
from smolville.graphs.state import MindState, RatingState

Context = Runtime[MindContext]
PhaseGraph = CompiledStateGraph[MindState, MindContext, MindState, Any]


def _phase() -> StateGraph[MindState, MindContext, MindState, MindState]:
    return StateGraph(MindState, context_schema=MindContext)


@cache
def build_perception() -> PhaseGraph:
    """Feel needs, take in what is new (sights, talks, whispers), and choose memories to rate."""
    graph = _phase()
    graph.add_node("feel_needs", feel_needs)
    graph.add_node("perceive", perceive)
    graph.add_node("conclude_talk", build_step(conclude_talk.STEP))
    graph.add_node("hear_whispers", heed_inner_voice.hear_whispers)
    graph.add_node("heed_inner_voice", build_step(heed_inner_voice.STEP))
    graph.add_node("choose_unrated", rate_importance.choose_unrated)
    taken_in: Ways = {"memories wait for a rating": "choose_unrated", "all is taken in": END}
    heeded: Ways = {"a whisper is in doubt": "heed_inner_voice", **taken_in}
    heard: Ways = {"a voice whispers": "hear_whispers", **taken_in}
    graph.add_edge(START, "feel_needs")
    graph.add_edge("feel_needs", "perceive")
    seen: Ways = {"a talk has ended": "conclude_talk", **heard}
    graph.add_conditional_edges("perceive", _after_perceive, seen)
    graph.add_conditional_edges("conclude_talk", _after_talk, heard)
    graph.add_conditional_edges("hear_whispers", _after_whisper, heeded)
    graph.add_conditional_edges("heed_inner_voice", _after_whisper, heeded)
    graph.add_edge("choose_unrated", END)
    return graph.compile(name="perception")


async def _after_perceive(state: MindState, runtime: Context) -> str:
    if _has_stimulus(_thinker(state, runtime), "talk_ended"):
        return "a talk has ended"
    return await _after_talk(state, runtime)


async def _after_talk(state: MindState, runtime: Context) -> str:
    me = _thinker(state, runtime)
    return "a voice whispers" if _has_stimulus(me, "inner_voice") else _when_taken_in(state, me)


async def _after_whisper(state: MindState, runtime: Context) -> str:
    me = _thinker(state, runtime)
    heeded = state.draft.ordinal(heed_inner_voice.STEP.name)
    if heeded < len(heed_inner_voice.whispers_in_doubt(me)):
        return "a whisper is in doubt"
    return _when_taken_in(state, me)


def _when_taken_in(state: MindState, me: Thinker) -> str:
    is_due = rate_importance.is_due(state, me)
    return "memories wait for a rating" if is_due else "all is taken in"


@cache
def build_rating() -> PhaseGraph:
    """Rate how important memories are; it returns only what phases beside it do not write."""
    graph = StateGraph(MindState, context_schema=MindContext, output_schema=RatingState)
    graph.add_node("rate_importance", build_step(rate_importance.STEP))
    graph.add_edge(START, "rate_importance")
    graph.add_edge("rate_importance", END)
    return graph.compile(name="rating")


@cache
def build_dreaming() -> PhaseGraph:
    """Choose memories at random during sleep, and make a dream of them."""
    graph = _phase()
    graph.add_node("draw_for_dream", draw_for_dream)
    graph.add_node("dream", build_step(dream.STEP))
    graph.add_edge(START, "draw_for_dream")
    graph.add_edge("draw_for_dream", "dream")
    graph.add_edge("dream", END)
    return graph.compile(name="dreaming")


@cache
def build_motivation() -> PhaseGraph:
    """Revise a goal on which something new bears, before a day is planned or a reaction decided."""
    graph = _phase()
    graph.add_node("revise_goal", build_step(revise_goal.STEP))
    graph.add_edge(START, "revise_goal")
    graph.add_edge("revise_goal", END)
    return graph.compile(name="motivation")


@cache
def build_planning() -> PhaseGraph:
    """Plan a new day: revise the identity, then plan the day and its hours."""
    graph = _phase()
    graph.add_node("lay_usual_day", lay_usual_day)
    graph.add_node("draw_for_wander", draw_for_wander)
    graph.add_node("wander", build_step(wander.STEP))
    graph.add_node("revise_identity", build_step(revise_identity.STEP))
    graph.add_node("plan_day", build_step(plan_day.STEP))
    graph.add_node("plan_hours", build_step(plan_hours.STEP))
    begin: Ways = {
        "planning is left out": "lay_usual_day",
        "the mind may wander": "draw_for_wander",
        "another day begins": "revise_identity",
        "a new day begins": "plan_day",
        "the day has gaps": "plan_hours",
    }
    graph.add_conditional_edges(START, _begin_planning, begin)
    graph.add_edge("lay_usual_day", END)
    graph.add_edge("draw_for_wander", "wander")
    graph.add_edge("wander", "revise_identity")
    graph.add_edge("revise_identity", "plan_day")
    planned: Ways = {"nothing is left to fill": END, "the day has gaps": "plan_hours"}
    graph.add_conditional_edges("plan_day", _after_day, planned)
    graph.add_edge("plan_hours", END)
    return graph.compile(name="planning")


async def _begin_planning(state: MindState, runtime: Context) -> str:
    me = _thinker(state, runtime)
    is_another_day = state.mind.plan is not None and is_new_day(state, me)
    if not me.has(PLANNING):
        return "planning is left out"
    if is_another_day:
        return "the mind may wander" if wander.wants_to_wander(me) else "another day begins"
    return "a new day begins" if is_new_day(state, me) else "the day has gaps"


async def _after_day(state: MindState, runtime: Context) -> str:
    return "the day has gaps" if _has_gaps(state) else "nothing is left to fill"


@cache
def build_reaction() -> PhaseGraph:
    """Decide how to react to newcomers, and replan an interrupted hour."""
    graph = _phase()
    graph.add_node("react", build_step(react.STEP))
    graph.add_node("replan", build_step(replan.STEP))
    disturbed: Ways = {"the hour was disturbed": "replan"}
    begin: Ways = {"something is new, or a need is urgent": "react", **disturbed}
    graph.add_conditional_edges(START, _begin_reaction, begin)
    graph.add_conditional_edges("react", _after_react, {**disturbed, "the plan holds": END})
    graph.add_edge("replan", END)
    return graph.compile(name="reaction")


async def _begin_reaction(state: MindState, runtime: Context) -> str:
    is_new = _is_noteworthy(state, _thinker(state, runtime))
    return "something is new, or a need is urgent" if is_new else "the hour was disturbed"


async def _after_react(state: MindState, runtime: Context) -> str:
    is_disturbed = _wants_replan(state, _thinker(state, runtime))
    return "the hour was disturbed" if is_disturbed else "the plan holds"


@cache
def build_action() -> PhaseGraph:
    """Turn the plan's current block into an action at a place."""
    graph = _phase()
    graph.add_node("split_habits", decompose.split_habits)
    graph.add_node("reuse_tasks", routines.reuse_tasks)
    graph.add_node("decompose", build_step(decompose.STEP))
    graph.add_node("leave_forbidden", norms.leave_forbidden)
    graph.add_node("reuse_places", reuse_places)
    graph.add_node("place_named", place_named)
    graph.add_node("reuse_spots", routines.reuse_spots)
    graph.add_node("ground_block", build_step(ground_block.STEP))
    graph.add_node("act", act)
    split: Ways = {
        "an hour or more is about to start": "decompose",
        "a rule forbids the place of the task": "leave_forbidden",
        "the next task has no place yet": "reuse_places",
        "the next task has its place": "act",
    }
    known: Ways = {"such an hour may be known": "reuse_tasks", **split}
    begin: Ways = {"a habit is about to start": "split_habits", **known}
    graph.add_conditional_edges(START, _begin_action, begin)
    graph.add_conditional_edges("split_habits", _after_habits, known)
    graph.add_conditional_edges("reuse_tasks", _after_split, split)
    graph.add_conditional_edges("decompose", _after_split, split)
    graph.add_edge("leave_forbidden", "reuse_places")
    graph.add_edge("reuse_places", "place_named")
    placed: Ways = {"tasks are left without a place": "ground_block", "all have a place": "act"}
    named: Ways = {"such a task may have its place": "reuse_spots", **placed}
    graph.add_conditional_edges("place_named", _after_names, named)
    graph.add_conditional_edges("reuse_spots", _after_spots, placed)
    grounded: Ways = {"a task fits none of the places": "ground_block", "all have a place": "act"}
    graph.add_conditional_edges("ground_block", _after_ground, grounded)
    graph.add_edge("act", END)
    return graph.compile(name="action")


async def _begin_action(state: MindState, runtime: Context) -> str:
    if decompose.habits_to_split(state.mind, runtime.context.of(state.agent).surroundings.at):
        return "a habit is about to start"
    return await _after_habits(state, runtime)


async def _after_habits(state: MindState, runtime: Context) -> str:
    if routines.may_reuse_tasks(state, _thinker(state, runtime)):
        return "such an hour may be known"
    return await _after_split(state, runtime)


async def _after_split(state: MindState, runtime: Context) -> str:
    me = _thinker(state, runtime)
    if decompose.to_split(state.mind, me.surroundings.at):
        return "an hour or more is about to start"
    if norms.stands_in_forbidden_place(state, me):
        return "a rule forbids the place of the task"
    is_placed = not wants_place(state, me)
    return "the next task has its place" if is_placed else "the next task has no place yet"


async def _after_names(state: MindState, runtime: Context) -> str:
    if routines.may_reuse_spots(state, _thinker(state, runtime)):
        return "such a task may have its place"
    return await _after_spots(state, runtime)


async def _after_spots(state: MindState, runtime: Context) -> str:
    left = to_ground(state.mind, _thinker(state, runtime).surroundings.at)
    return "tasks are left without a place" if left else "all have a place"


async def _after_ground(state: MindState, runtime: Context) -> str:
    return "a task fits none of the places" if state.elsewhere else "all have a place"


@cache
def build_reflection() -> PhaseGraph:
    """Store ratings, and draw insights from recent memories."""
    graph = _phase()
    graph.add_node("keep_ratings", rate_importance.keep_ratings)
    graph.add_node("reflect_questions", build_step(reflect_questions.STEP))
    graph.add_node("reflect_insights", build_step(reflect_insights.STEP))
    begin: Ways = {"ratings are made": "keep_ratings", "enough has happened": "reflect_questions"}
    graph.add_conditional_edges(START, _begin_reflection, begin)
    kept: Ways = {"too little has happened": END, "enough has happened": "reflect_questions"}
    graph.add_conditional_edges("keep_ratings", _after_ratings, kept)
    asked: Ways = {"memories can answer": "reflect_insights", "nothing is remembered": END}
    graph.add_conditional_edges("reflect_questions", _after_questions, asked)
    graph.add_edge("reflect_insights", END)
    return graph.compile(name="reflection")


async def _begin_reflection(state: MindState, runtime: Context) -> str:
    return "ratings are made" if state.rating else "enough has happened"


async def _after_ratings(state: MindState, runtime: Context) -> str:
    is_due = reflect_questions.is_due(state, _thinker(state, runtime))
    return "enough has happened" if is_due else "too little has happened"


async def _after_questions(state: MindState, runtime: Context) -> str:
    is_wanted = reflect_insights.is_wanted(state, _thinker(state, runtime))
    return "memories can answer" if is_wanted else "nothing is remembered"


def is_new_day(state: MindState, me: Thinker) -> bool:
    """Return True when the mind has no plan for today yet."""
    plan = state.mind.plan
    return plan is None or plan.day < day_of(me.surroundings.at)


def wants_plan(state: MindState, me: Thinker) -> bool:
    """Return True when the day is not planned yet, or still has gaps."""
    return is_new_day(state, me) or _has_gaps(state)


def wants_reaction(state: MindState, me: Thinker) -> bool:
    """Return True when something requires a decision, or has interrupted the plan for this hour."""
    return _is_noteworthy(state, me) or _wants_replan(state, me)


def wants_reflection(state: MindState, me: Thinker) -> bool:
    """Return True when new ratings have to be stored, or a reflection is due."""
    return bool(state.rating) or reflect_questions.is_due(state, me)


def _thinker(state: MindState, runtime: Context) -> Thinker:
    return runtime.context.of(state.agent)


def _has_stimulus(me: Thinker, kind: str) -> bool:
    return any(each.kind == kind for each in me.surroundings.stimuli)


def _has_gaps(state: MindState) -> bool:
    return state.mind.plan is not None and not state.mind.plan.hours


def _is_noteworthy(state: MindState, me: Thinker) -> bool:
    return state.urgent != "" or bool(noteworthy(state, me))


def _wants_replan(state: MindState, me: Thinker) -> bool:
    """Return True when the rest of the hour was interrupted and is long enough for a new plan."""
    is_wanted = bool(state.disturbed) and state.intent is None and me.has(PLANNING)
    return is_wanted and replan.window(state.mind, me.surroundings.at) is not None


MindGraph = CompiledStateGraph[MindState, MindContext, MindState, MindState]

BUILDERS: Mapping[str, Callable[[], PhaseGraph]] = {
    "perception": build_perception,
    "rating": build_rating,
    "dreaming": build_dreaming,
    "motivation": build_motivation,
    "planning": build_planning,
    "reaction": build_reaction,
    "action": build_action,
    "reflection": build_reflection,
}
"""All phases in order."""


class Way(NamedTuple):
    """The way into a phase."""

    name: str
    to: str
    is_open: Callable[[MindState, Thinker], bool]


WAYS = (
    Way("asleep, and no dream yet", "dreaming", wants_dream),
    Way("something bears on a goal", "motivation", is_goal_in_question),
    Way("a day wants a plan", "planning", wants_plan),
    Way("something wants a decision", "reaction", wants_reaction),
    Way("something new is to be done", "action", wants_to_act),
    Way("ratings are made, or enough has happened", "reflection", wants_reflection),
)
"""The ways into the phases after perception, in the order in which they are looked at."""
RATE, OVER = "memories are to be rated", "the thought is over"


async def _after_perception(state: MindState, runtime: Runtime[MindContext]) -> list[str]:
    first = _first_open(0, state, runtime)
    return [RATE, first] if state.rating else [first]


def _after(place: int) -> Callable[..., Any]:
    """Return the router behind a phase, which leads to a later one or ends the thought."""

    async def next_phase(state: MindState, runtime: Runtime[MindContext]) -> str:
        return _first_open(place + 1, state, runtime)

    return next_phase


def _first_open(place: int, state: MindState, runtime: Runtime[MindContext]) -> str:
    me = runtime.context.of(state.agent)
    return next((way.name for way in WAYS[place:] if way.is_open(state, me)), OVER)


@cache
def build_mind() -> MindGraph:
    """Return the mind graph."""
    graph = StateGraph(MindState, context_schema=MindContext)
    for name, build in BUILDERS.items():
        graph.add_node(name, build(), defer=name == "reflection")
    ways: Ways = {**{way.name: way.to for way in WAYS}, OVER: END}
    graph.add_edge(START, "perception")
    graph.add_conditional_edges("perception", _after_perception, {RATE: "rating", **ways})
    graph.add_edge("rating", "reflection")
    for place, way in enumerate(WAYS[:-1]):
        del ways[way.name]
        graph.add_conditional_edges(way.to, _after(place), dict(ways))
    graph.add_edge("reflection", END)
    return graph.compile(name="mind")


async def think(graph: MindGraph, context: MindContext, agent: str, mind: Mind) -> MindState:
    """Run one thought and return its state: the new mind, the intent, the draft, the steps."""
    config = context.traced_as(f"{agent} · thought")
    start = MindState(agent=agent, mind=mind)
    done = await graph.ainvoke(start, config, context=context, version="v2")
    return done.value


class Station(NamedTuple):
    """One node of a phase, as listed in the path of a thought."""

    name: str
    when: str
    """The condition under which it runs; the phase's own for a node that always runs in it."""


@cache
def stations() -> tuple[Station, ...]:
    """Return every node of every phase, in order."""
    found = []
    entered = {way.to: way.name for way in WAYS} | {"perception": "always", "rating": RATE}
    for phase, build in BUILDERS.items():
        drawn = build().get_graph()
        whens = {edge.target: str(edge.data) for edge in reversed(drawn.edges) if edge.data}
        for name in (name for name in drawn.nodes if not name.startswith("__")):
            before = [edge.source for edge in drawn.edges if edge.target == name and not edge.data]
            # A way without a name is always taken: no less a reason than one with a condition.
            after = f", or after {' or '.join(before)}" if before and name in whens else ""
            found.append(Station(name, whens.get(name, entered[phase]) + after))
    return tuple(found)
