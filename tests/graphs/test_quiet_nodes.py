"""Nodes without listeners: they run as LangGraph would run them, and tracers still hear them."""

import operator
from dataclasses import dataclass, field
from typing import Annotated, Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler
from langgraph.config import get_config, get_stream_writer
from langgraph.graph import END, START, StateGraph

from smolville.graphs.loop.graph import compile_graph


@dataclass
class Walk:
    """What the nodes of the graphs here note."""

    seen: Annotated[tuple[str, ...], operator.add] = ()


async def note(state: Walk) -> dict[str, Any]:
    """Note and stream the node in whose surroundings this runs."""
    here = str(get_config()["metadata"]["langgraph_node"])
    get_stream_writer()({"at": here})
    return {"seen": (here,)}


def line(name: str, inner: Any = None) -> Any:
    """Return a graph of two nodes; the second one runs another graph, if there is one."""

    async def run_inner(state: Walk) -> dict[str, Any]:
        done = await inner.ainvoke(Walk())
        return {"seen": (*done["seen"], get_config()["metadata"]["langgraph_node"])}

    graph = StateGraph(Walk)
    graph.add_node(f"{name} one", note)
    graph.add_node(f"{name} two", note if inner is None else run_inner)
    graph.add_edge(START, f"{name} one")
    graph.add_edge(f"{name} one", f"{name} two")
    graph.add_edge(f"{name} two", END)
    return compile_graph(graph, name)


@dataclass
class Names(AsyncCallbackHandler):
    """Hears which runs begin and end."""

    begun: list[str] = field(default_factory=list)
    ended: set[UUID] = field(default_factory=set)

    async def on_chain_start(self, *given: Any, **more: Any) -> None:
        """Note the name of a run."""
        self.begun.append(more["name"])

    async def on_chain_end(self, outputs: Any, *, run_id: UUID, **more: Any) -> None:
        """Note that a run has ended."""
        self.ended.add(run_id)


SEEN = ("outer one", "inner one", "inner two", "outer two")


async def test_nodes_know_where_they_are_and_are_back_there_after_an_inner_graph() -> None:
    assert (await line("outer", line("inner")).ainvoke(Walk()))["seen"] == SEEN


async def test_a_listener_hears_every_node_and_changes_nothing() -> None:
    names = Names()
    graph = line("outer", line("inner"))
    done = await graph.ainvoke(Walk(), {"callbacks": [names]})
    assert done["seen"] == SEEN
    assert names.begun == ["outer", "outer one", "outer two", "inner", "inner one", "inner two"]
    assert len(names.ended) == len(names.begun)


async def test_what_inner_nodes_stream_arrives_without_a_listener() -> None:
    graph = line("outer", line("inner"))
    parts = [
        part["at"] async for _, part in graph.astream(Walk(), stream_mode="custom", subgraphs=True)
    ]
    assert parts == ["outer one", "inner one", "inner two"]


async def test_events_of_a_graph_tell_its_nodes() -> None:
    heard = [each async for each in line("plain").astream_events(Walk(), version="v2")]
    begun = [each["name"] for each in heard if each["event"] == "on_chain_start"]
    assert begun == ["plain", "plain one", "plain two"]
