"""A callback handler of LangChain's that notes the runs it is told of."""

from collections import Counter
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableLambda


class Trace(BaseCallbackHandler):
    """Notes every run: its kind, its name, its parent and its metadata."""

    def __init__(self) -> None:
        self.names: dict[Any, str] = {}
        self.parents: dict[Any, Any] = {}
        self.metadata: dict[Any, dict[str, Any]] = {}
        self.kinds: Counter[str] = Counter()
        self.inputs: list[Any] = []
        self.queries: list[str] = []

    def _began(self, kind: str, name: str, run_id: Any, parent: Any, more: Any) -> None:
        self.names[run_id], self.parents[run_id] = name, parent
        self.metadata[run_id] = more.get("metadata") or {}
        self.kinds[kind] += 1

    def on_chain_start(self, serialized, inputs, *, run_id, parent_run_id=None, **more):
        kind = more.get("run_type") or "chain"
        self._began(kind, more.get("name", ""), run_id, parent_run_id, more)

    def on_chat_model_start(self, serialized, messages, *, run_id, parent_run_id=None, **more):
        self.inputs.append(more.get("invocation_params", {}))
        self._began("model", "model", run_id, parent_run_id, more)

    def on_retriever_start(self, serialized, query, *, run_id, parent_run_id=None, **more):
        self.queries.append(query)
        self._began("retriever", "recall", run_id, parent_run_id, more)

    def path(self, run_id: Any) -> list[str]:
        """Names from the root to a run."""
        above = self.parents[run_id]
        return [*(self.path(above) if above else []), self.names[run_id]]

    def paths(self, name: str) -> list[list[str]]:
        """Where runs of this name stand."""
        return [self.path(run_id) for run_id, each in self.names.items() if each == name]


async def traced(work):
    """What a handler sees of some work beneath a run called `root`."""
    trace = Trace()
    await RunnableLambda(work, name="root").ainvoke(None, {"callbacks": [trace]})
    roots = [run_id for run_id, parent in trace.parents.items() if parent is None]
    assert [trace.names[root] for root in roots] == ["root"], "everything is in one tree"
    return trace
