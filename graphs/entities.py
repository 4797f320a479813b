"""The graphs of entities other than people: the world's turn and the plot's turn.

An entity takes its turns at fixed hours, before any agent begins the tick. Its mind is kept as the
checkpoint of its own thread, like people's minds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from smolville.agents.entities import PLOT, WORLD, EntityMind, Plot, Setting
from smolville.agents.weather import PARTS
from smolville.graphs import advance_plot, choose_happening
from smolville.graphs.advance_plot import current_act
from smolville.graphs.checkpoints import StateSaver
from smolville.graphs.context import MindContext
from smolville.graphs.draft import Draft
from smolville.graphs.loop.graph import add_router, build_step, compile_graph
from smolville.graphs.loop.ledger import OnAsk
from smolville.graphs.state import EntitySeen, EntityState
from smolville.graphs.streaming import run_graph

HOURS: Mapping[str, tuple[int, ...]] = {
    WORLD: tuple(begin for _, begin in PARTS),
    PLOT: (9 * 60, 15 * 60),
}
"""Minutes of the day at which each entity takes its turns."""

HAPPENS, QUIET = "something may happen", "it is a quiet hour"
GOES_ON, OVER = "the story goes on", "the story is over"

EntitySaver = StateSaver[EntityMind]
EntityGraph = CompiledStateGraph[EntityState, MindContext, EntityState, EntityState]


@dataclass(frozen=True, kw_only=True)
class EntityTurn:
    """A turn of an entity: its time, and what the entity knows."""

    name: str
    at: int
    """Town second of the turn."""
    start_date: date
    setting: Setting
    plot: Plot | None = None


async def look_at_sky(state: EntitySeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Set the weather by rule, and choose at random what may happen."""
    return choose_happening.look_at_sky(state, runtime.context)


async def _after_sky(state: EntitySeen) -> str:
    """Return the name of the edge to take after the weather was set."""
    return HAPPENS if state.kinds else QUIET


async def _after_start(state: EntitySeen) -> str:
    """Return the name of the edge to take at the beginning of the plot's turn."""
    return OVER if current_act(state) is None else GOES_ON


def build_entity(name: str, saver: EntitySaver | None = None) -> EntityGraph:
    """Return the graph of an entity's turn; with a saver, its mind persists in its thread."""
    return build_world(saver) if name == WORLD else build_plot(saver)


def build_world(saver: EntitySaver | None = None) -> EntityGraph:
    """Return the graph of the world's turn: the weather by rule, then perhaps a happening."""
    graph = StateGraph(EntityState, context_schema=MindContext)
    step = choose_happening.STEP
    graph.add_node("look_at_sky", look_at_sky)
    graph.add_node(step.name, build_step(step))
    graph.add_edge(START, "look_at_sky")
    add_router(graph, "look_at_sky", _after_sky, {HAPPENS: step.name, QUIET: END})
    graph.add_edge(step.name, END)
    made: EntityGraph = compile_graph(graph, "world", saver)
    return made


def build_plot(saver: EntitySaver | None = None) -> EntityGraph:
    """Return the graph of the plot's turn: the next happening of its current act."""
    graph = StateGraph(EntityState, context_schema=MindContext)
    step = advance_plot.STEP
    graph.add_node(step.name, build_step(step))
    add_router(graph, START, _after_start, {GOES_ON: step.name, OVER: END})
    graph.add_edge(step.name, END)
    made: EntityGraph = compile_graph(graph, "plot", saver)
    return made


async def take_turn(
    graph: EntityGraph,
    context: MindContext,
    turn: EntityTurn,
    first: EntityMind | None = None,
    on_ask: OnAsk | None = None,
) -> EntityState:
    """Run one turn of an entity and return its state: its happenings and its steps.

    `first` is the mind of an entity that has never had a turn.
    """
    start: dict[str, Any] = {
        "agent": turn.name,
        "draft": Draft(),
        "at": turn.at,
        "start_date": turn.start_date,
        "setting": turn.setting,
        "plot": turn.plot,
        "kinds": (),
        "weather": "",
        "made": (),
    }
    if first is not None:
        start["mind"] = first
    config: RunnableConfig = {
        "run_name": f"{turn.name} · turn",
        "configurable": {"thread_id": turn.name},
    }
    done = await run_graph(
        graph, cast(Any, start), config, context=context, durability="exit", on_ask=on_ask
    )
    return done.value
