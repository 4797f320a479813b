"""Recall from a finished or running run: the same scores, read from its history alone.

Vectors come from the run's store; only missing ones are embedded again. With embedders that take
microseconds a text everything is embedded: importing Chroma alone takes as long as 10,000 texts.
"""

from dataclasses import dataclass

import numpy as np

from agents.persona import Persona, Weights
from agents.stream import MemoryStream, Recollection, Vector
from history.kept_vectors import kept_vectors
from history.memory_rows import MadeBy
from history.reader import RunReader
from models.embedding.embedder import QUICK, Embedder, open_embedder
from world.resources import RunResources

BATCH = 256
"""Number of texts embedded at once."""


@dataclass(frozen=True, kw_only=True)
class TextRecall:
    """The memories recalled for a text, and the weight of each component of their scores."""

    agent: str
    text: str
    at: int
    """Town second of the recall."""
    weights: Weights
    decay: float
    memories: int
    """Number of memories searched."""
    found: tuple[Recollection, ...]


def stream_of(reader: RunReader, agent: str, tick: int, embedder: Embedder) -> MemoryStream:
    """Return an agent's memory stream as it was when `tick` was done."""
    memories = reader.memories(agent, tick)
    vectors: dict[str, Vector] = {}
    if embedder.name not in QUICK:
        made_by = MadeBy(embedder.name, embedder.dimension)
        vectors = kept_vectors(reader.folder, made_by, memories)
    missing = [memory for memory in memories if memory.id not in vectors]
    for start in range(0, len(missing), BATCH):
        part = missing[start : start + BATCH]
        rows = np.asarray(embedder.embed([memory.text for memory in part]), np.float32)
        vectors.update(zip((memory.id for memory in part), rows, strict=True))
    stream = MemoryStream(agent, embedder.dimension)
    for memory in memories:
        stream.add(memory, vectors[memory.id])
    return stream


def recall(
    reader: RunReader, persona: Persona, text: str, count: int, means: RunResources | None = None
) -> TextRecall:
    """Return the `count` memories recalled for `text` at the run's watermark.

    Recalling them this way does not count as an access: no last access changes.
    """
    done = reader.watermark()
    tick = -1 if done is None else done
    at = (tick + 1) * reader.spec.tick_seconds
    means = means or RunResources()
    spec = reader.spec.models.embedder
    embedder = open_embedder(spec, env=means.env, may_send=means.may_send)
    stream = stream_of(reader, persona.name, tick, embedder)
    query = np.asarray(embedder.embed([text]), np.float32)[0]
    found = stream.recall(query, at, count, persona.weights, persona.recency_decay)
    return TextRecall(
        agent=persona.name,
        text=text,
        at=at,
        weights=persona.weights,
        decay=persona.recency_decay,
        memories=len(stream),
        found=tuple(found),
    )
