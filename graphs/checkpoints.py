"""Minds as LangGraph checkpoints: staged while a thought runs, kept when the tick is committed.

LangGraph writes a checkpoint when a thought ends. Whether it counts is decided later, by the one
commit that also holds what the thought did. So this saver only stages; the run folder's commit
writes the staged blob and then calls `commit`. A thought that failed or was not committed is
dropped and leaves no trace.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from pydantic import TypeAdapter

from agents.errors import InternalError
from agents.mind import Mind

CHANNEL = "mind"
"""The one channel of the mind graph that lives longer than a thought."""

_MIND = TypeAdapter(Mind)


@dataclass(frozen=True, slots=True)
class Saved:
    """A checkpoint and the mind in it."""

    checkpoint: Checkpoint
    mind: Mind | None
    step: int
    """LangGraph's own count of its supersteps in this thread."""

    def blob(self) -> bytes:
        """Return both as JSON: plain data, nothing pickled."""
        shell = {**self.checkpoint, "channel_values": {}, "pending_sends": []}
        mind = b"null" if self.mind is None else _MIND.dump_json(self.mind)
        return orjson.dumps({"checkpoint": shell, "mind": orjson.Fragment(mind), "step": self.step})


def read_saved(blob: bytes) -> Saved:
    """Return what `Saved.blob` wrote (ValueError when it is something else)."""
    data = orjson.loads(blob)
    mind = data["mind"]
    mind = None if mind is None else _MIND.validate_python(mind)
    return Saved(data["checkpoint"], mind, data["step"])


class MindSaver(BaseCheckpointSaver[int]):
    """Holds each agent's last committed mind, and what its running thought has staged."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[str, Saved] = {}
        self._staged: dict[str, Saved] = {}

    def restore(self, agent: str, blob: bytes) -> None:
        """Take in a committed checkpoint when a run is opened."""
        self._kept[agent] = read_saved(blob)

    def mind(self, agent: str) -> Mind | None:
        """Return an agent's mind as its thought of this tick left it, else as committed."""
        saved = self._staged.get(agent) or self._kept.get(agent)
        return saved.mind if saved else None

    def staged(self, agent: str) -> tuple[str, bytes] | None:
        """Return the staged checkpoint's id and blob, for the commit."""
        saved = self._staged.get(agent)
        return (saved.checkpoint["id"], saved.blob()) if saved else None

    def commit(self, agents: Sequence[str]) -> None:
        """Keep what these agents' thoughts staged: the commit that holds them is written."""
        for agent in agents:
            if agent in self._staged:
                self._kept[agent] = self._staged.pop(agent)

    def drop(self, agent: str) -> None:
        """Forget what a thought staged."""
        self._staged.pop(agent, None)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return the last committed checkpoint of the config's thread."""
        saved = self._kept.get(_thread(config))
        if saved is None:
            return None
        values = {} if saved.mind is None else {CHANNEL: saved.mind}
        checkpoint: Checkpoint = {**saved.checkpoint, "channel_values": values}
        at = {
            **config.get("configurable", {}),
            "checkpoint_ns": "",
            "checkpoint_id": checkpoint["id"],
        }
        return CheckpointTuple(
            config={"configurable": at}, checkpoint=checkpoint, metadata={"step": saved.step}
        )

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Stage a checkpoint for the config's thread."""
        agent = _thread(config)
        values = checkpoint["channel_values"]
        kept = self._kept.get(agent)
        mind = values.get(CHANNEL, kept.mind if kept else None)
        shell: Checkpoint = {**checkpoint, "channel_values": {}}
        self._staged[agent] = Saved(shell, mind, metadata.get("step", 0))
        at = {"thread_id": agent, "checkpoint_ns": "", "checkpoint_id": checkpoint["id"]}
        return {"configurable": at}

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep nothing: a thought that did not end is thought again from its start."""

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield the one checkpoint held per thread; older ones are in the run's history."""
        found = self.get_tuple(config) if config else None
        if found is not None:
            yield found

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return the last committed checkpoint of the config's thread."""
        return self.get_tuple(config)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Stage a checkpoint for the config's thread."""
        return self.put(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep nothing, as `put_writes`."""

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield the one checkpoint held per thread."""
        for found in self.list(config):
            yield found


def _thread(config: RunnableConfig) -> str:
    """Return the agent whose thread a config names."""
    configurable = config.get("configurable", {})
    if configurable.get("checkpoint_ns"):
        raise InternalError("a checkpointer belongs to the outermost graph only")
    return str(configurable["thread_id"])


class ByReference(SerializerProtocol):
    """Keeps values as they are, for checkpoints that live no longer than the program.

    States hold frozen values only, so what is kept cannot change; nothing is written anywhere.
    """

    def __init__(self) -> None:
        self._values: list[Any] = []

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the number under which a value is kept."""
        self._values.append(obj)
        return "reference", str(len(self._values) - 1).encode()

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value kept under a number."""
        return self._values[int(data[1])]
