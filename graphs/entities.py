"""The graphs of entities other than people: the world's turn and the plot's turn.

An entity takes its turns at fixed hours, before any agent begins the tick.
"""

from functools import cache

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from smolville.agents.entities import WORLD
from smolville.graphs import advance_plot, choose_happening
from smolville.graphs.advance_plot import current_act
from smolville.graphs.context import MindContext
from smolville.graphs.loop.graph import Ways, build_step
from smolville.graphs.state import EntityState

EntityGraph = CompiledStateGraph[EntityState, MindContext, EntityState, EntityState]


@cache
def build_world() -> EntityGraph:
    """Return the graph of the world's turn: the weather by rule, then perhaps a happening."""
    graph = StateGraph(EntityState, context_schema=MindContext)
    graph.add_node("look_at_sky", choose_happening.look_at_sky)
    graph.add_node("choose_happening", build_step(choose_happening.STEP))
    graph.add_edge(START, "look_at_sky")
    ways: Ways = {
        "something may happen": "choose_happening",
        "it is a quiet hour": END,
    }
    graph.add_conditional_edges("look_at_sky", _after_sky, ways)
    graph.add_edge("choose_happening", END)
    return graph.compile(name="world")


async def _after_sky(state: EntityState) -> str:
    return "something may happen" if state.kinds else "it is a quiet hour"


@cache
def build_plot() -> EntityGraph:
    """Return the graph of the plot's turn: the next happening of its current act."""
    graph = StateGraph(EntityState, context_schema=MindContext)
    graph.add_node("advance_plot", build_step(advance_plot.STEP))
    ways: Ways = {"the story goes on": "advance_plot", "the story is over": END}
    graph.add_conditional_edges(START, _begin_plot, ways)
    graph.add_edge("advance_plot", END)
    return graph.compile(name="plot")


async def _begin_plot(state: EntityState) -> str:
    return "the story is over" if current_act(state) is None else "the story goes on"


async def take_turn(context: MindContext, start: EntityState) -> EntityState:
    """Run one turn of an entity and return its state: its mind, its happenings and its steps."""
    graph = build_world() if start.agent == WORLD else build_plot()
    config = context.traced_as(f"{start.agent} · turn")
    done = await graph.ainvoke(start, config, context=context, version="v2")
    return done.value
