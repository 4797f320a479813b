"""The memory streams of a run in progress, and recall from any run's history."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from smolville.agents.memory import Change, Memory, agent_of
from smolville.agents.persona import Persona, Weights
from smolville.agents.stream import (
    CHANNELS,
    Channel,
    MemoryStream,
    Recollection,
    Vector,
    WordVectors,
)
from smolville.history.memory_store import MadeBy, kept_vectors
from smolville.history.reader import RunReader
from smolville.models.embedding.embedder import QUICK, Embedder, open_embedder
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff, ask_with_backoff
from smolville.world.run_resources import RunResources

TEXTS_KEPT = 4096
"""Number of recent texts whose vectors are cached, because agents repeat their questions."""
BATCH = 256
"""Number of texts embedded at once."""


@dataclass
class PendingUpdate:
    """The parts of one stream not yet sent to a worker; memories come first, then changes."""

    memories: list[Memory] = field(default_factory=list)
    vectors: list[Vector] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


class Streams:
    """Memory streams by agent; they change only at a commit."""

    def __init__(
        self,
        agents: Sequence[str],
        embedder: Embedder,
        backoff: Backoff | None = None,
        waiting: Callable[[TransportError, float], None] | None = None,
        words: WordVectors | None = None,
    ) -> None:
        self.embedder = embedder
        self.backoff = backoff
        self.waiting = waiting
        self.has_keywords = words is not None
        self.by_agent = {name: MemoryStream(name, embedder.dimension, words) for name in agents}
        self._vectors: dict[str, Vector] = {}
        self._untold: dict[str, PendingUpdate] | None = None

    def begin_telling(self) -> None:
        """From now on, collect what is new in each stream until it is sent to a worker."""
        self._untold = {name: PendingUpdate() for name in self.by_agent}

    def take_untold(self, agent: str) -> "PendingUpdate":
        """Return what is new in a stream; from now on it counts as sent."""
        assert self._untold is not None
        untold, self._untold[agent] = self._untold[agent], PendingUpdate()
        return untold

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text; recent texts are served from a cache."""
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
            row = np.asarray(vector, np.float32)
            self.by_agent[memory.agent].add(memory, row)
            if self._untold is not None:
                self._untold[memory.agent].memories.append(memory)
                self._untold[memory.agent].vectors.append(row)

    def change(self, changes: Iterable[Change]) -> None:
        """Apply committed changes."""
        for change in changes:
            agent = agent_of(change.id)
            self.by_agent[agent].apply(change)
            if self._untold is not None:
                self._untold[agent].changes.append(change)

    def get(self, memory_id: str) -> Memory:
        """Return a memory in its current state; raises KeyError if there is none with this id."""
        return self.by_agent[agent_of(memory_id)].get(memory_id)

    def stacked(self, vectors: Sequence[Vector]) -> NDArray[np.float32]:
        """Return vectors as one array of shape (n, dimension)."""
        return np.stack(list(vectors)) if vectors else np.zeros((0, self.embedder.dimension), "f4")


@dataclass(frozen=True, kw_only=True)
class TextRecall:
    """The memories recalled for a text, with the weight of each component of their scores."""

    agent: str
    text: str
    at: int
    """Town second of the recall."""
    weights: Weights
    decay: float
    memories: int
    """Number of memories searched."""
    found: tuple[Recollection, ...]


def word_vectors(spec: str) -> WordVectors | None:
    """Return the keyword vectors for an embedder; None for a run without a keyword channel."""
    return WordVectors(open_embedder(spec).embed) if spec else None


def stream_of(reader: RunReader, agent: str, tick: int, embedder: Embedder) -> MemoryStream:
    """Return an agent's memory stream as it was when `tick` was completed.

    Vectors come from the run's store; only missing ones are embedded again. If an embedder takes
    microseconds for a text, everything is embedded again: importing Chroma alone takes as long as
    10,000 texts.
    """
    memories = reader.memories(agent, tick)
    vectors: dict[str, Vector] = {}
    if embedder.name not in QUICK:
        made_by = MadeBy(embedder.name, embedder.dimension)
        vectors = kept_vectors(reader.folder, made_by.collection(), memories)
    missing = [memory for memory in memories if memory.id not in vectors]
    for start in range(0, len(missing), BATCH):
        part = missing[start : start + BATCH]
        rows = np.asarray(embedder.embed([memory.text for memory in part]), np.float32)
        vectors.update(zip((memory.id for memory in part), rows, strict=True))
    stream = MemoryStream(agent, embedder.dimension, word_vectors(reader.spec.models.keywords))
    for memory in memories:
        stream.add(memory, vectors[memory.id])
    return stream


def recall(
    reader: RunReader,
    persona: Persona,
    text: str,
    count: int,
    means: RunResources | None = None,
    channels: Collection[Channel] = CHANNELS,
) -> TextRecall:
    """Return the `count` memories recalled for `text` at the run's last tick, by these channels.

    This does not count as an access: the times of the last access stay unchanged.
    """
    done = reader.watermark()
    tick = -1 if done is None else done
    at = (tick + 1) * reader.spec.tick_seconds
    means = means or RunResources()
    spec = reader.spec.models.embedder
    embedder = open_embedder(spec, env=means.env, may_send=means.may_send)
    stream = stream_of(reader, persona.name, tick, embedder)
    query = np.asarray(embedder.embed([text]), np.float32)[0]
    found = stream.recall(query, at, count, persona.weights, persona.recency_decay, text, channels)
    return TextRecall(
        agent=persona.name,
        text=text,
        at=at,
        weights=persona.weights,
        decay=persona.recency_decay,
        memories=len(stream),
        found=tuple(found),
    )
