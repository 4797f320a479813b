"""Recall from a finished or running run: the same scores, read from its history alone.

Vectors come from the run's store; only what it does not hold yet is embedded again. Texts that take
microseconds are simply embedded: importing Chroma alone takes as long as 10,000 of them.
"""

from dataclasses import dataclass

import numpy as np

from agents.persona import Persona, Weights
from agents.stream import MemoryStream, Recollection, Vector
from models.embedding.embedder import QUICK, Embedder, open_embedder
from world.means import Means
from world.runs.kept_vectors import kept_vectors
from world.runs.memory_rows import MadeBy
from world.runs.reader import RunReader

BATCH = 256
"""So many texts are embedded at once."""


@dataclass(frozen=True, kw_only=True)
class Recall:
    """What came back for a text, and how much each quality counted."""

    agent: str
    text: str
    at: int
    """Town second as of which was recalled."""
    weights: Weights
    decay: float
    memories: int
    """Among how many."""
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
    reader: RunReader, persona: Persona, text: str, count: int, means: Means | None = None
) -> Recall:
    """Return the `count` memories that come back for `text` at the run's watermark.

    Nothing is looked at by it: no last access changes.
    """
    done = reader.watermark()
    tick = -1 if done is None else done
    at = (tick + 1) * reader.spec.tick_seconds
    means = means or Means()
    spec = reader.spec.models.embedder
    embedder = open_embedder(spec, env=means.env, may_send=means.may_send)
    stream = stream_of(reader, persona.name, tick, embedder)
    query = np.asarray(embedder.embed([text]), np.float32)[0]
    found = stream.recall(query, at, count, persona.weights, persona.recency_decay)
    return Recall(
        agent=persona.name,
        text=text,
        at=at,
        weights=persona.weights,
        decay=persona.recency_decay,
        memories=len(stream),
        found=tuple(found),
    )
