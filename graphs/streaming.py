"""Run a graph, and report each model call from its stream as it begins."""

from dataclasses import fields
from typing import Any, cast

from langchain_core.callbacks import BaseCallbackManager
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Durability, GraphOutput
from langgraph.typing import ContextT, InputT, StateT

from smolville.graphs.loop.ledger import AskEvent, OnAsk

_KEYS = {each.name for each in fields(AskEvent)}


async def run_graph(
    graph: CompiledStateGraph[StateT, ContextT, InputT, StateT],
    start: InputT | Command[Any],
    config: RunnableConfig,
    *,
    context: ContextT,
    durability: Durability | None = None,
    on_ask: OnAsk | None = None,
) -> GraphOutput[StateT]:
    """Run a graph and return its final state and interrupts, with or without a listener `on_ask`.

    A listener costs about 0.3 ms per question, because LangGraph passes on events of inner graphs
    only together with all their other progress. So without a listener the graph is not streamed.
    """
    if on_ask is None:
        return await graph.ainvoke(
            start, config, context=context, durability=durability, version="v2"
        )
    value: Any = None
    interrupts: list[Any] = []
    async for part in graph.astream(
        start,
        config,
        context=context,
        durability=durability,
        stream_mode=["custom", "values"],
        subgraphs=True,
        version="v2",
    ):
        if part["type"] == "custom":
            if _is_ask(part["data"]):
                on_ask(AskEvent(**part["data"]))
        elif part["type"] == "values" and not part["ns"]:
            value = part["data"]
            interrupts += part["interrupts"]
    return GraphOutput(value=cast("StateT", value), interrupts=tuple(interrupts))


def _is_ask(data: object) -> bool:
    """Return True for an event of an `ask` node, since other nodes may write their own events."""
    return isinstance(data, dict) and data.keys() == _KEYS


def is_traced() -> bool:
    """Return whether anything, such as a tracer, listens to the graph of the running node.

    If nothing listens, no run is recorded for each prompt and reply, which saves 0.2 ms per run.
    """
    return is_heard(get_config())


def is_heard(config: RunnableConfig) -> bool:
    """Return whether callbacks listen to what runs with a config."""
    callbacks = config.get("callbacks")
    if isinstance(callbacks, BaseCallbackManager):
        return bool(callbacks.handlers)
    return bool(callbacks)
