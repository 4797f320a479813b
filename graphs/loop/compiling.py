"""Compile graphs so that LangGraph draws the graphs inside nodes and does not trace routers."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.pregel import Pregel
from langgraph.types import Checkpointer

# LangGraph has no public way to give a router that is not traced. This module is kept for old code:
# it imports the class and does not export it, which mypy takes for an error, and it is to go with a
# later version. So langgraph is pinned below 1.3.
from langgraph.utils.runnable import RunnableCallable  # type: ignore[attr-defined]

Graph = CompiledStateGraph[Any, Any, Any, Any]


def add_router(
    graph: StateGraph[Any, Any, Any, Any],
    after: str,
    router: Callable[..., Awaitable[str]],
    ways: Mapping[str, str],
) -> None:
    """Add the edges that leave a node; the router returns the name of the one to take.

    A plain function would be traced as a run beside the nodes. It must be async: LangGraph runs
    sync ones in a thread.
    """
    untraced = RunnableCallable(None, router, trace=False)
    graph.add_conditional_edges(after, untraced, dict(ways.items()))


def compiled(
    graph: StateGraph[Any, Any, Any, Any],
    name: str,
    checkpointer: Checkpointer = False,
    **inner: Graph,
) -> Any:
    """Return a compiled graph that stores nothing itself, unless a checkpointer is given.

    LangGraph draws a node's inner graph (`get_graph(xray=True)`, Studio) only if that one could
    keep checkpoints. A checkpointer belongs to the outermost graph alone, so the inner graphs are
    named here: those that are nodes, and by keyword those that a node's function runs.
    """
    made = graph.compile(checkpointer=checkpointer, name=name)
    nodes = {node: spec.runnable for node, spec in graph.nodes.items()}
    shown = {node: each for node, each in nodes.items() if isinstance(each, Pregel)}
    for node, each in (shown | inner).items():
        made.nodes[node].subgraphs = [each]
    return made
