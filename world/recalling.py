"""Recall from a finished or running run: the same scores, read from its history alone.

Chroma belongs to the owner of a run; whoever reads beside it embeds the texts again.
"""

from dataclasses import dataclass

import numpy as np

from agents.persona import Persona, Weights
from agents.stream import MemoryStream, Recollection
from models.embedding.embedder import Embedder, open_embedder
from world.means import Means
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
    stream = MemoryStream(agent, embedder.dimension)
    for start in range(0, len(memories), BATCH):
        part = memories[start : start + BATCH]
        vectors = embedder.embed([memory.text for memory in part])
        for memory, vector in zip(part, np.asarray(vectors, np.float32), strict=True):
            stream.add(memory, vector)
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
