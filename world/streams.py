"""The memory streams of all agents, and the embedder that makes their vectors."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from agents.memory import Change, Memory
from agents.stream import MemoryStream, Vector
from models.embedding.embedder import QUICK, Embedder
from models.errors import TransportError
from models.pacing import Backoff, ask_with_backoff

TEXTS_KEPT = 4096
"""Number of recent texts whose vectors are cached: agents ask the same things again and again."""


class Streams:
    """Memory streams by agent; they change at a commit only."""

    def __init__(
        self,
        agents: Sequence[str],
        embedder: Embedder,
        backoff: Backoff | None = None,
        waiting: Callable[[TransportError, float], None] | None = None,
    ) -> None:
        self.embedder = embedder
        self.backoff = backoff
        self.waiting = waiting
        self.by_agent = {name: MemoryStream(name, embedder.dimension) for name in agents}
        self._vectors: dict[str, Vector] = {}

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text; recent texts cost nothing."""
        # Held here: while it waits, others may push a text out of those that are kept.
        found = {text: self._vectors[text] for text in texts if text in self._vectors}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            if self.embedder.name in QUICK:
                made = self.embedder.embed(missing)
            else:
                made = await ask_with_backoff(
                    partial(asyncio.to_thread, self.embedder.embed, missing),
                    backoff=self.backoff,
                    on_retry=self.waiting,
                )
            found.update(zip(missing, made, strict=True))
            self._vectors.update((text, found[text]) for text in missing)
            while len(self._vectors) > TEXTS_KEPT:
                del self._vectors[next(iter(self._vectors))]
        return [found[text] for text in texts]

    def add(self, memories: Sequence[Memory], vectors: Iterable[Vector]) -> None:
        """Append committed memories with their vectors."""
        for memory, vector in zip(memories, vectors, strict=True):
            self.by_agent[memory.agent].add(memory, np.asarray(vector, np.float32))

    def change(self, changes: Iterable[Change]) -> None:
        """Apply committed changes."""
        for change in changes:
            self.by_agent[owner_of(change.id)].apply(change)

    def get(self, memory_id: str) -> Memory:
        """Return a memory in its current state. Raises KeyError if there is none."""
        return self.by_agent[owner_of(memory_id)].get(memory_id)

    def stacked(self, vectors: Sequence[Vector]) -> NDArray[np.float32]:
        """Return vectors as one array of shape (n, dimension)."""
        return np.stack(list(vectors)) if vectors else np.zeros((0, self.embedder.dimension), "f4")


def owner_of(memory_id: str) -> str:
    """Return the name of the agent whose memory an id names."""
    return memory_id.split("/", 1)[0]
