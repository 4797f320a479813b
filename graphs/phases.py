"""The phases of a thought, each a graph of its own, from perception to reflection.

Every way from one node to another has a name, the condition under which it is taken; the first
condition that holds decides. A node that is skipped is skipped by such a way.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from agents.times import day_of
from graphs import (
    choose_place,
    conclude_talk,
    decompose,
    ground_block,
    heed_inner_voice,
    plan_day,
    plan_hours,
    rate_importance,
    react,
    reflect_insights,
    reflect_questions,
    replan,
    revise_identity,
)
from graphs.act import act, wants_place, wants_to_act
from graphs.context import MindContext, Thinker
from graphs.loop.compiling import add_router, compiled
from graphs.loop.graph import build_step
from graphs.loop.step import AnyStep, Step
from graphs.perceive import perceive
from graphs.state import MindSeen, MindState

Condition = Callable[[MindSeen, Thinker], bool]
PhaseGraph = CompiledStateGraph[MindState, MindContext, MindSeen, MindState]
Builder = StateGraph[MindState, MindContext, MindSeen, MindState]


class Way(NamedTuple):
    """A named edge, taken when its condition is the first that holds."""

    when: str
    """The condition in words, as the drawing shows it."""
    to: str
    condition: Condition = lambda state, me: True


def add_ways(graph: StateGraph[Any, MindContext, Any, Any], after: str, *ways: Way) -> None:
    """Add the ways that lead on from a node; the last one is always open."""

    async def next_way(state: MindSeen, runtime: Runtime[MindContext]) -> str:
        me = runtime.context.of(state.agent)
        return next(way.when for way in ways if way.condition(state, me))

    add_router(graph, after, next_way, {way.when: way.to for way in ways})


def _has(kind: str) -> Condition:
    """Return a condition: the thought has a stimulus of this kind."""
    return lambda state, me: any(each.kind == kind for each in me.surroundings.stimuli())


def _has_whispers_left(state: MindSeen, me: Thinker) -> bool:
    """True while there are whispers that were not heeded yet."""
    heeded = state.draft.ordinal(heed_inner_voice.STEP.name)
    return heeded < len(heed_inner_voice.whispers(me))


def is_new_day(state: MindSeen, me: Thinker) -> bool:
    """True when the mind has no plan for today yet."""
    plan = state.mind.plan
    return plan is None or plan.day < day_of(me.surroundings.at)


def _is_another_day(state: MindSeen, me: Thinker) -> bool:
    """True on every new day but the first."""
    return state.mind.plan is not None and is_new_day(state, me)


def _has_only_strokes(state: MindSeen, me: Thinker) -> bool:
    """True when the day has broad strokes and no hours yet."""
    return state.mind.plan is not None and not state.mind.plan.hours


def _wants_replan(state: MindSeen, me: Thinker) -> bool:
    """True when the rest of the hour is disturbed and long enough for a new plan."""
    window = replan.window(state.mind, me.surroundings.at)
    return bool(state.disturbed) and state.intent is None and window is not None


def _is_noteworthy(state: MindSeen, me: Thinker) -> bool:
    """True when somebody or something new is worth a decision."""
    return bool(react.noteworthy(state, me))


def _has_blocks_to_split(state: MindSeen, me: Thinker) -> bool:
    """True when a block of an hour or more is about to start."""
    return decompose.to_split(state.mind, me.surroundings.at) != ()


def _has_tasks_to_ground(state: MindSeen, me: Thinker) -> bool:
    """True when tasks have no place after those that were done before got theirs."""
    return ground_block.to_ground(state.mind, me.surroundings.at) != ()


def wants_plan(state: MindSeen, me: Thinker) -> bool:
    """True when the day is not planned."""
    return is_new_day(state, me) or _has_only_strokes(state, me)


def wants_reaction(state: MindSeen, me: Thinker) -> bool:
    """True when something wants a decision, or has disturbed the hour."""
    return _is_noteworthy(state, me) or _wants_replan(state, me)


def _phase(*nodes: AnyStep | tuple[str, Any]) -> Builder:
    """Return the graph of a phase with these nodes: steps, and code by its name."""
    graph = StateGraph(
        MindState, context_schema=MindContext, input_schema=MindSeen, output_schema=MindState
    )
    for node in nodes:
        if isinstance(node, Step):
            graph.add_node(node.name, build_step(node))
        else:
            graph.add_node(*node)
    return graph


@cache
def build_perception() -> PhaseGraph:
    """Return the phase that takes in what is new: sights, talks, whispers, and their weight."""
    graph = _phase(
        ("perceive", perceive), conclude_talk.STEP, heed_inner_voice.STEP, rate_importance.STEP
    )
    conclude = Way("a talk has ended", "conclude_talk", _has("talk_ended"))
    heed = Way("a voice whispers", "heed_inner_voice", _has_whispers_left)
    again = Way("it whispers again", "heed_inner_voice", _has_whispers_left)
    rate = Way("memories wait for a rating", "rate_importance", rate_importance.is_due)
    done = Way("all is taken in", END)
    graph.add_edge(START, "perceive")
    add_ways(graph, "perceive", conclude, heed, rate, done)
    add_ways(graph, "conclude_talk", heed, rate, done)
    add_ways(graph, "heed_inner_voice", again, rate, done)
    graph.add_edge("rate_importance", END)
    phase: PhaseGraph = compiled(graph, "perception")
    return phase


@cache
def build_planning() -> PhaseGraph:
    """Return the phase that plans a new day, from who one is to its hours."""
    graph = _phase(revise_identity.STEP, plan_day.STEP, plan_hours.STEP)
    revise = Way("another day begins", "revise_identity", _is_another_day)
    plan = Way("a new day begins", "plan_day", is_new_day)
    hours = Way("the day has broad strokes only", "plan_hours")
    add_ways(graph, START, revise, plan, hours)
    graph.add_edge("revise_identity", "plan_day")
    graph.add_edge("plan_day", "plan_hours")
    graph.add_edge("plan_hours", END)
    phase: PhaseGraph = compiled(graph, "planning")
    return phase


@cache
def build_reaction() -> PhaseGraph:
    """Return the phase that decides about newcomers, and mends a disturbed hour."""
    graph = _phase(react.STEP, replan.STEP)
    decide = Way("somebody or something is new", "react", _is_noteworthy)
    anew = Way("the hour was disturbed", "replan", _wants_replan)
    add_ways(graph, START, decide, Way("the hour was disturbed", "replan"))
    add_ways(graph, "react", anew, Way("the plan holds", END))
    graph.add_edge("replan", END)
    phase: PhaseGraph = compiled(graph, "reaction")
    return phase


@cache
def build_action() -> PhaseGraph:
    """Return the phase that turns the plan's present block into something to do, at a place."""
    graph = _phase(
        decompose.STEP,
        ("reuse_places", ground_block.reuse_places),
        ground_block.STEP,
        choose_place.STEP,
        ("act", act),
    )
    split = Way("an hour or more is about to start", "decompose", _has_blocks_to_split)
    again = Way("another block is about to start", "decompose", _has_blocks_to_split)
    place = Way("the next task has no place yet", "reuse_places", wants_place)
    ready = Way("the next task has its place", "act")
    ground = Way("tasks are left without a place", "ground_block", _has_tasks_to_ground)
    elsewhere = Way(
        "a task fits none of the places", "choose_place", lambda state, me: bool(state.elsewhere)
    )
    add_ways(graph, START, split, place, ready)
    add_ways(graph, "decompose", again, place, ready)
    add_ways(graph, "reuse_places", ground, Way("all were done before", "act"))
    add_ways(graph, "ground_block", elsewhere, Way("all have a place", "act"))
    graph.add_edge("choose_place", "ground_block")
    graph.add_edge("act", END)
    phase: PhaseGraph = compiled(graph, "action")
    return phase


@cache
def build_reflection() -> PhaseGraph:
    """Return the phase that draws insights from what has happened."""
    graph = _phase(reflect_questions.STEP, reflect_insights.STEP)
    answer = Way("memories can answer", "reflect_insights", reflect_insights.is_wanted)
    graph.add_edge(START, "reflect_questions")
    add_ways(graph, "reflect_questions", answer, Way("nothing is remembered", END))
    graph.add_edge("reflect_insights", END)
    phase: PhaseGraph = compiled(graph, "reflection")
    return phase


class Phase(NamedTuple):
    """One node of the mind graph."""

    build: Callable[[], PhaseGraph]
    way: Way
    """Leads into it."""


PHASES = (
    Phase(build_perception, Way("always", "perception")),
    Phase(build_planning, Way("a day wants a plan", "planning", wants_plan)),
    Phase(build_reaction, Way("something wants a decision", "reaction", wants_reaction)),
    Phase(build_action, Way("something new is to be done", "action", wants_to_act)),
    Phase(build_reflection, Way("enough has happened", "reflection", reflect_questions.is_due)),
)
"""In their order."""
