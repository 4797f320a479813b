"""Minds as LangGraph checkpoints: staged during a thought, kept when the tick is committed.

LangGraph writes a checkpoint when a thought ends. Whether the checkpoint counts is decided later,
by the commit that also holds the thought's effects. So this saver only stages it: the run folder's
commit writes the staged blob and then calls `commit`. The checkpoint of a thought that failed or
was not committed is dropped without a trace.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

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

from smolville.agents.errors import InternalError
from smolville.agents.mind import Mind

CHANNEL = "mind"
"""The only channel of the mind graph that outlives a thought."""

M = TypeVar("M")
_MIND = TypeAdapter(Mind)


@dataclass(frozen=True, slots=True)
class SavedMind(Generic[M]):
    """A checkpoint and the mind in it."""

    checkpoint: Checkpoint
    mind: M | None
    step: int
    """LangGraph's own superstep count in this thread."""

    def blob(self, kind: TypeAdapter[M]) -> bytes:
        """Return checkpoint and mind as JSON: plain data, no pickle."""
        shell = {**self.checkpoint, "channel_values": {}, "pending_sends": []}
        mind = b"null" if self.mind is None else kind.dump_json(self.mind)
        return orjson.dumps({"checkpoint": shell, "mind": orjson.Fragment(mind), "step": self.step})


def read_saved(blob: bytes) -> SavedMind[Mind]:
    """Return the checkpoint of a person's mind. Raises ValueError for other data."""
    return _read(blob, _MIND)


def _read(blob: bytes, kind: TypeAdapter[M]) -> SavedMind[M]:
    """Return the checkpoint written by `SavedMind.blob`. Raises ValueError for other data."""
    data = orjson.loads(blob)
    mind = data["mind"]
    mind = None if mind is None else kind.validate_python(mind)
    return SavedMind(data["checkpoint"], mind, data["step"])


class StateSaver(BaseCheckpointSaver[int], Generic[M]):
    """Saver of each thread's last committed mind, and of the one staged by a running thought."""

    def __init__(self, kind: TypeAdapter[M]) -> None:
        super().__init__()
        self._kind = kind
        self._kept: dict[str, SavedMind[M]] = {}
        self._staged: dict[str, SavedMind[M]] = {}

    def restore(self, agent: str, blob: bytes) -> None:
        """Load a committed checkpoint when a run is opened."""
        self._kept[agent] = _read(blob, self._kind)

    def mind(self, agent: str) -> M | None:
        """Return an agent's mind: the one staged in this tick, or else the committed one."""
        saved = self._staged.get(agent) or self._kept.get(agent)
        return saved.mind if saved else None

    def read_staged(self, agent: str) -> tuple[str, bytes] | None:
        """Return the staged checkpoint's id and blob, for the commit."""
        saved = self._staged.get(agent)
        return (saved.checkpoint["id"], saved.blob(self._kind)) if saved else None

    def stage(self, agent: str, blob: bytes) -> None:
        """Stage a mind that another process has made. Raises ValueError for other data."""
        self._staged[agent] = _read(blob, self._kind)

    def read_kept(self, agent: str) -> bytes:
        """Return the committed checkpoint of an agent's mind; empty if it has none."""
        saved = self._kept.get(agent)
        return saved.blob(self._kind) if saved else b""

    def commit(self, agents: Sequence[str]) -> None:
        """Make the agents' staged checkpoints the committed ones, once the run folder has them."""
        for agent in agents:
            if agent in self._staged:
                self._kept[agent] = self._staged.pop(agent)

    def drop(self, agent: str) -> None:
        """Discard the checkpoint that a thought has staged."""
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
        self._staged[agent] = SavedMind(shell, mind, metadata.get("step", 0))
        at = {"thread_id": agent, "checkpoint_ns": "", "checkpoint_id": checkpoint["id"]}
        return {"configurable": at}

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Do nothing, since a thought that did not finish is run again from its start."""

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield the only checkpoint held per thread; older ones are in the run's history."""
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
        """Do nothing, like `put_writes`."""

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield the only checkpoint held per thread."""
        for found in self.list(config):
            yield found


class MindSaver(StateSaver[Mind]):
    """Saver of each agent's last committed mind, and of the one staged by its running thought."""

    def __init__(self) -> None:
        super().__init__(_MIND)


def _thread(config: RunnableConfig) -> str:
    """Return the agent that owns the thread of a config."""
    configurable = config.get("configurable", {})
    if configurable.get("checkpoint_ns"):
        raise InternalError("a checkpointer belongs to the outermost graph only")
    return str(configurable["thread_id"])


class ByReference(SerializerProtocol):
    """A serializer that keeps references, for checkpoints that never leave the process.

    The states hold only frozen values, so the kept objects cannot change. Nothing is written
    anywhere.
    """

    def __init__(self) -> None:
        self._values: list[Any] = []

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the number under which a value is stored."""
        self._values.append(obj)
        return "reference", str(len(self._values) - 1).encode()

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value stored under a number."""
        return self._values[int(data[1])]
