"""The mind graph: one thought, from perception to the agent's intent.

Its nodes are phases (`graphs.phases`), a phase's nodes are cognitive steps, a step's nodes call a
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
from smolville.graphs import phases
from smolville.graphs.act import wants_to_act
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.dream import wants_dream
from smolville.graphs.loop.graph import Ways
from smolville.graphs.revise_goal import is_due as is_goal_in_question
from smolville.graphs.state import MindState

MindGraph = CompiledStateGraph[MindState, MindContext, MindState, MindState]

BUILDERS: Mapping[str, Callable[[], phases.PhaseGraph]] = {
    "perception": phases.build_perception,
    "rating": phases.build_rating,
    "dreaming": phases.build_dreaming,
    "motivation": phases.build_motivation,
    "planning": phases.build_planning,
    "reaction": phases.build_reaction,
    "action": phases.build_action,
    "reflection": phases.build_reflection,
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
    Way("a day wants a plan", "planning", phases.wants_plan),
    Way("something wants a decision", "reaction", phases.wants_reaction),
    Way("something new is to be done", "action", wants_to_act),
    Way("ratings are made, or enough has happened", "reflection", phases.wants_reflection),
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
