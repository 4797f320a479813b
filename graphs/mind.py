"""The mind graph: one thought, from perception to the agent's intent; and diagrams of the graphs.

Its nodes are phases (`graphs.phases`), a phase's nodes are cognitive steps, a step's nodes call a
model and repair its answer. Phases without anything to do are skipped, and memories are rated in
parallel to the phases that do not need their ratings. Only the mind is carried to the next thought,
as a checkpoint of the agent's thread.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from itertools import takewhile
from typing import Any, Literal, NamedTuple, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Durability

from smolville.agents.mind import Mind
from smolville.graphs.checkpoints import MindSaver
from smolville.graphs.context import MindContext
from smolville.graphs.draft import Draft
from smolville.graphs.loop.graph import add_router, build_step, compile_graph
from smolville.graphs.loop.ledger import OnAsk
from smolville.graphs.loop.step import Step
from smolville.graphs.phases import ACTION, PHASES
from smolville.graphs.react import STEP as REACT
from smolville.graphs.routing import ConditionalEdge, Phase
from smolville.graphs.state import MindSeen, MindState
from smolville.graphs.streaming import run_graph

PhaseGraph = CompiledStateGraph[MindState, MindContext, MindSeen, MindState]


def add_ways(
    graph: StateGraph[Any, MindContext, Any, Any],
    after: str,
    *ways: ConditionalEdge,
    beside: Sequence[ConditionalEdge] = (),
) -> None:
    """Add the conditional edges that leave the node `after`.

    Of `ways`, the first whose condition holds is taken; the last one is always open. Each edge in
    `beside` is taken in addition if its own condition holds. A single edge needs no decision, so it
    is added without a name.
    """
    if len(ways) == 1 and not beside:
        graph.add_edge(after, ways[0].to)
        return

    async def next_ways(state: MindSeen, runtime: Runtime[MindContext]) -> list[str]:
        me = runtime.context.of(state.agent)
        taken = [way.when for way in beside if way.condition(state, me)]
        return [*taken, next(way.when for way in ways if way.condition(state, me))]

    add_router(graph, after, next_ways, {way.when: way.to for way in (*beside, *ways)})


@cache
def build_phase(phase: Phase) -> PhaseGraph:
    """Return the graph of a phase: its nodes in order, except where its edges lead elsewhere."""
    graph = StateGraph(
        MindState, context_schema=MindContext, input_schema=MindSeen, output_schema=MindState
    )
    names = [START]
    for node in phase.nodes:
        if isinstance(node, Step):
            name = node.name
            graph.add_node(name, build_step(node))
        else:
            # Named, since LangGraph could not read it from a signature whose `Runtime` is a string.
            name, runs = node
            graph.add_node(name, runs, input_schema=MindSeen)
        names.append(name)
    for name, behind in zip(names, [*names[1:], END], strict=True):
        if name in phase.ways:
            add_ways(graph, name, *phase.ways[name])
        else:
            graph.add_edge(name, behind)
    made: PhaseGraph = compile_graph(graph, phase.way.to)
    return made


MindGraph = CompiledStateGraph[MindState, MindContext, MindState, MindState]
Node = Callable[[MindSeen, Runtime[MindContext]], Awaitable[dict[str, Any]]]


def run_beside(phase: Phase) -> Node:
    """Return a node that runs a phase in parallel to others and passes on only what it reports."""

    async def beside(state: MindSeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
        done = await build_phase(phase).ainvoke(cast(Any, state), context=runtime.context)
        return {name: done[name] for name in ("rated", "finished", "path")}

    return beside


@cache
def declare_mind() -> StateGraph[MindState, MindContext, MindState, MindState]:
    """Return the mind graph's declaration, which is then compiled with a saver.

    A phase that needs the reports of parallel phases is deferred: it waits until all phases that
    began earlier have ended.
    """
    graph = StateGraph(MindState, context_schema=MindContext)
    joined = {phase.joins for phase in PHASES}
    over = ConditionalEdge("the thought is over", END)
    for place, phase in enumerate(PHASES):
        name, later = phase.way.to, PHASES[place + 1 :]
        runs: Any = run_beside(phase) if phase.joins else build_phase(phase)
        graph.add_node(name, runs, defer=name in joined)
        if phase.joins:
            graph.add_edge(name, phase.joins)
        elif later:
            beside = [each.way for each in takewhile(lambda each: each.joins, later)]
            ways = [each.way for each in later if not each.joins]
            add_ways(graph, name, *ways, over, beside=beside)
    graph.add_edge(START, PHASES[0].way.to)
    graph.add_edge(PHASES[-1].way.to, END)
    return graph


def build_mind(saver: MindSaver | Literal[False] | None = None) -> MindGraph:
    """Return the mind graph; with a saver, each agent's mind persists in its thread.

    False stores nothing even if a surrounding graph has a checkpointer.
    """
    inner = {phase.way.to: build_phase(phase) for phase in PHASES if phase.joins}
    mind: MindGraph = compile_graph(declare_mind(), "mind", saver, **inner)
    return mind


async def think(
    graph: MindGraph,
    context: MindContext,
    agent: str,
    first: Mind | None = None,
    on_ask: OnAsk | None = None,
) -> MindState:
    """Run one thought and return its state: the resulting mind, the intent, the draft, the steps.

    `first` is the mind of an agent that has never thought before; `on_ask` is called with each
    model call of the thought as it begins.
    """
    start: dict[str, Any] = {
        "agent": agent,
        "draft": Draft(),
        "fresh": (),
        "disturbed": "",
        "changed": False,
        "questions": (),
        "elsewhere": (),
        "sector": "",
        "sector_fallback": "",
        "rating": (),
        "urgent": "",
        "intent": None,
        "agreed": (),
        "declined": (),
        "came_up": (),
    }
    if first is not None:
        start["mind"] = first
    config: RunnableConfig = {"run_name": f"{agent} · thought"}
    saved: Durability | None = None
    if graph.checkpointer:
        config["configurable"] = {"thread_id": agent}
        saved = "exit"
    done = await run_graph(
        graph, cast(Any, start), config, context=context, durability=saved, on_ask=on_ask
    )
    return done.value


class DiagramNode(NamedTuple):
    """One node of a phase, as listed in the path of a thought."""

    name: str
    when: str
    """The condition under which it runs; empty if it always follows the node before it."""


@cache
def stations() -> tuple[DiagramNode, ...]:
    """Return every node of every phase, in order."""
    found = []
    for phase in PHASES:
        drawn = build_phase(phase).get_graph()
        whens = {edge.target: str(edge.data) for edge in reversed(drawn.edges) if edge.data}
        names = [name for name in drawn.nodes if not name.startswith("__")]
        for name in names:
            before = [edge.source for edge in drawn.edges if edge.target == name and not edge.data]
            # A way without a name is always taken: no less a reason than one with a condition.
            after = f", or after {' or '.join(before)}" if before and name in whens else ""
            found.append(DiagramNode(name, whens.get(name, phase.way.when) + after))
    return tuple(found)


def mind_diagram() -> str:
    """Return the diagram of the mind graph: its phases, and the named edges between them."""
    return build_mind().get_graph().draw_mermaid()


def phase_diagram() -> str:
    """Return the diagram of one phase, with its nodes and named edges."""
    return build_phase(ACTION).get_graph().draw_mermaid()


def step_diagram() -> str:
    """Return the diagram of a step's graph; all steps have the same shape."""
    return build_step(REACT).get_graph().draw_mermaid()
