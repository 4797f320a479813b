"""A phase of a thought as a LangGraph graph, built from its declaration."""

from functools import cache
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from graphs.context import MindContext
from graphs.loop.compiling import add_router, compiled
from graphs.loop.graph import build_step
from graphs.loop.step import Step
from graphs.phases import Phase, Way
from graphs.state import MindSeen, MindState

PhaseGraph = CompiledStateGraph[MindState, MindContext, MindSeen, MindState]


def add_ways(graph: StateGraph[Any, MindContext, Any, Any], after: str, *ways: Way) -> None:
    """Add the ways that lead on from a node; the last one is always open.

    A single way decides nothing: it is an edge without a name.
    """
    if len(ways) == 1:
        graph.add_edge(after, ways[0].to)
        return

    async def next_way(state: MindSeen, runtime: Runtime[MindContext]) -> str:
        me = runtime.context.of(state.agent)
        return next(way.when for way in ways if way.condition(state, me))

    add_router(graph, after, next_way, {way.when: way.to for way in ways})


@cache
def build_phase(phase: Phase) -> PhaseGraph:
    """Return the graph of a phase: its nodes in their order, but where its ways lead elsewhere."""
    graph = StateGraph(
        MindState, context_schema=MindContext, input_schema=MindSeen, output_schema=MindState
    )
    names = [START]
    for node in phase.nodes:
        name, runs = (node.name, build_step(node)) if isinstance(node, Step) else node
        graph.add_node(name, runs)
        names.append(name)
    for name, behind in zip(names, [*names[1:], END], strict=True):
        if name in phase.ways:
            add_ways(graph, name, *phase.ways[name])
        else:
            graph.add_edge(name, behind)
    made: PhaseGraph = compiled(graph, phase.way.to)
    return made
