"""Build the graph of every step, all of one shape, and compile graphs for LangGraph to draw."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.pregel import Pregel
from langgraph.types import Checkpointer

# LangGraph has no public way to give a router that is not traced. This module is kept for old code:
# it imports the class and does not export it, which mypy takes for an error, and it is to go with a
# later version. So langgraph is pinned below 1.3.
from langgraph.utils.runnable import RunnableCallable  # type: ignore[attr-defined]

from smolville.graphs.context import MindContext
from smolville.graphs.draft import Draft
from smolville.graphs.loop.nodes import StepNodes
from smolville.graphs.loop.state import STATES, GivenSeen, GivenState
from smolville.graphs.loop.step import AnyStep, Changes, StepInputs, StepResult
from smolville.graphs.recall import RecallResult
from smolville.graphs.streaming import is_heard
from smolville.parsers.prompt_inputs import PromptInput

Graph = CompiledStateGraph[Any, Any, Any, Any]


def add_router(
    graph: StateGraph[Any, Any, Any, Any],
    after: str,
    router: Callable[..., Awaitable[str | list[str]]],
    ways: Mapping[str, str],
) -> None:
    """Add the edges that leave a node; the router returns the name of the edge or edges to take.

    The router is wrapped, so that it is not traced as a run beside the nodes. It must be async:
    LangGraph runs sync functions in a thread.
    """
    untraced = RunnableCallable(None, router, trace=False)
    graph.add_conditional_edges(after, untraced, dict(ways.items()))


def compile_graph(
    graph: StateGraph[Any, Any, Any, Any],
    name: str,
    checkpointer: Checkpointer = False,
    **inner: Graph,
) -> Any:
    """Return a compiled graph that stores nothing itself, unless a checkpointer is given.

    LangGraph draws the graph inside a node (`get_graph(xray=True)`, Studio) only if that graph
    could keep checkpoints. But only the outermost graph may have a checkpointer. So inner graphs
    are made known here: nodes that are graphs and, by the keyword `<node>=<graph>`, graphs that a
    node's function runs.
    """
    made = graph.compile(checkpointer=checkpointer, name=name)
    nodes = {node: spec.runnable for node, spec in graph.nodes.items()}
    shown = {node: each for node, each in nodes.items() if isinstance(each, Pregel)}
    for node, each in (shown | inner).items():
        made.nodes[node].subgraphs = [each]
    quieten(made)
    return made


StepGraph = CompiledStateGraph[Any, MindContext, Any, Any]


@cache
def build_step(step: AnyStep) -> StepGraph:
    """Return a step as a compiled graph, to be used as a node of another graph.

    Its input is the part of the state that the step may read (`Step.seen`), its output the
    surrounding state; messages, attempts and problems stay inside.
    """
    around, inside = STATES[step.seen]
    nodes = StepNodes(step)
    graph = StateGraph(
        inside, context_schema=MindContext, input_schema=step.seen, output_schema=around
    )
    for name in ("gather", "ask", "parse", "repair", "fall_back", "apply"):
        graph.add_node(name, getattr(nodes, name), input_schema=inside)
    graph.add_edge(START, "gather")
    graph.add_edge("gather", "ask")
    graph.add_edge("ask", "parse")
    ways = {"read": "apply", "unreadable": "repair", "given up": "fall_back"}
    add_router(graph, "parse", nodes.after_parse, ways)
    graph.add_edge("repair", "ask")
    graph.add_edge("fall_back", "apply")
    graph.add_edge("apply", END)
    made: StepGraph = compile_graph(graph, step.name)
    return made


async def ask_step(
    step: AnyStep,
    context: MindContext,
    inputs: PromptInput,
    recall: RecallResult | None = None,
    *,
    agent: str,
    draft: Draft | None = None,
) -> GivenState:
    """Run one step by itself with given inputs, and return its final state.

    The graph is the usual one except for its first and last node: no inputs are gathered, and the
    answer changes nothing.
    """
    start = GivenSeen(
        agent=agent,
        inputs=inputs,
        recalled=recall.found if recall else (),
        draft=draft or Draft(),
    )
    config: RunnableConfig = {"run_name": f"{agent} · {step.name}"}
    done = await build_given_step(step).ainvoke(start, config, context=context, version="v2")
    ended: GivenState = done.value
    return ended


@cache
def build_given_step(step: AnyStep) -> StepGraph:
    """Return the graph of a step that runs by itself."""
    return build_step(_take_given_inputs(step))


def _take_given_inputs(step: AnyStep) -> AnyStep:
    """Return a copy of a step that takes given inputs and changes nothing."""
    return replace(step, gather=take_given, apply=keep_answer, seen=GivenSeen)


async def take_given(state: GivenSeen, context: MindContext) -> StepInputs[Any]:
    """Return the given inputs unchanged."""
    return StepInputs(inputs=state.inputs, recall=RecallResult(found=state.recalled))


def keep_answer(state: GivenSeen, context: MindContext, result: StepResult[Any, Any]) -> Changes:
    """Return no changes: the answer is in the state."""
    return {}


class QuietNode(Runnable[Any, Any]):
    """A node of a compiled graph that runs without callbacks if nobody listens.

    LangGraph begins and ends a run for each node, with managers of callbacks for the node and for
    each writer, whether anybody listens or not. That takes about 0.15 ms, and a thought has about
    thirteen nodes. Where a tracer or a stream listens, LangGraph's own sequence runs.
    """

    def __init__(
        self, whole: Runnable[Any, Any], node: Runnable[Any, Any], *writers: Runnable[Any, Any]
    ) -> None:
        """Store LangGraph's own sequence for the node, and the parts of it."""
        self._whole = whole
        self._node = node
        self._writers = writers

    def invoke(self, input: Any, config: RunnableConfig | None = None, **more: Any) -> Any:
        """Run LangGraph's own sequence; the project's thoughts use only `ainvoke`."""
        return self._whole.invoke(input, config, **more)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **more: Any) -> Any:
        """Run the node, and let the writers write what it returns."""
        if config is None or is_heard(config):
            return await self._whole.ainvoke(input, config, **more)
        # Graphs that run inside the node find their surroundings here.
        before = var_child_runnable_config.set(config)
        try:
            result = await self._node.ainvoke(input, config, **more)
        finally:
            var_child_runnable_config.reset(before)
        for writer in self._writers:
            result = await writer.ainvoke(result, config)
        return result

    async def astream(
        self, input: Any, config: RunnableConfig | None = None, **more: Any
    ) -> AsyncIterator[Any]:
        """Stream LangGraph's own sequence, since a listener has asked for it."""
        async for part in self._whole.astream(input, config, **more):
            yield part


def quieten(graph: Pregel[Any, Any, Any, Any]) -> None:
    """Let the nodes of a compiled graph run without callbacks if nobody listens."""
    for each in graph.nodes.values():
        whole, writers = each.node, each.flat_writers
        if whole is not None and whole is not each.bound and whole not in writers:
            each.node = QuietNode(whole, each.bound, *writers)
