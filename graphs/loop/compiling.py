"""Compiling graphs so that LangGraph draws what is inside their nodes."""

from typing import Any

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.pregel import Pregel
from langgraph.types import Checkpointer

Graph = CompiledStateGraph[Any, Any, Any, Any]


def compiled(
    graph: StateGraph[Any, Any, Any, Any],
    name: str,
    checkpointer: Checkpointer = False,
    **inner: Graph,
) -> Any:
    """Return a compiled graph that keeps nothing itself, unless a checkpointer is given.

    LangGraph draws a node's inner graph (`get_graph(xray=True)`, Studio) only where that one could
    keep checkpoints. A checkpointer belongs to the outermost graph alone, so the inner graphs are
    named here: those that are nodes, and by keyword those that a node's function runs.
    """
    made = graph.compile(checkpointer=checkpointer, name=name)
    nodes = {node: spec.runnable for node, spec in graph.nodes.items()}
    shown = {node: each for node, each in nodes.items() if isinstance(each, Pregel)}
    for node, each in (shown | inner).items():
        made.nodes[node].subgraphs = [each]
    return made
