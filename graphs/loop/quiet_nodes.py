"""Run the nodes of a graph without callbacks where nobody listens to them."""

from collections.abc import AsyncIterator
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.pregel import Pregel

from graphs.streaming import is_heard


class QuietNode(Runnable[Any, Any]):
    """A node with the writers of its result, which runs without callbacks if there are none.

    LangGraph begins and ends a run for each node, with managers of callbacks for the node and for
    each writer, whether anybody listens or not. That takes about 0.15 ms, and a thought has about
    thirteen nodes. Where a tracer or a stream listens, LangGraph's own sequence runs.
    """

    def __init__(
        self, whole: Runnable[Any, Any], node: Runnable[Any, Any], *writers: Runnable[Any, Any]
    ) -> None:
        """Set LangGraph's own sequence for the node, and the parts of it."""
        self._whole = whole
        self._node = node
        self._writers = writers

    def invoke(self, input: Any, config: RunnableConfig | None = None, **more: Any) -> Any:
        """Run LangGraph's own sequence; the project's thoughts only use `ainvoke`."""
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
        """Stream LangGraph's sequence: a listener has asked for it."""
        async for part in self._whole.astream(input, config, **more):
            yield part


def quieten(graph: Pregel[Any, Any, Any, Any]) -> None:
    """Make the nodes of a compiled graph run without callbacks if there are no listeners."""
    for each in graph.nodes.values():
        whole, writers = each.node, each.flat_writers
        if whole is not None and whole is not each.bound and whole not in writers:
            each.node = QuietNode(whole, each.bound, *writers)
