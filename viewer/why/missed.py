"""Recalls made again from the history: what came back then, and what just missed."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.persona import Persona
from agents.stream import MemoryStream, Recollection, Vector
from graphs.context import best_memories
from graphs.loop.ledger import Recall
from models.embedding.embedder import Embedder
from viewer.house import House
from world.recalling import stream_of
from world.telling.opening import opened_run

MOST = 5
"""So many of those that just missed are shown."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One recall, made again as of its thought."""

    came: tuple[Recollection, ...]
    """As many as came back then, best first."""
    missed: tuple[Recollection, ...]
    """Those that came next."""
    among: int
    """Memories there were."""
    is_same: bool
    """Whether the very memories came back that came then."""


def compare_again(house: House, run: str, tick: int, recalls: Sequence[Recall]) -> list[Compared]:
    """Return a thought's recalls made again, in their order; nothing is looked at by it.

    Raises SmolvilleError or ModelError where the town or the embedder is not to be had.
    """
    with opened_run(house.runs, run) as opened:
        embedder = house.embedder(opened.folder.spec)
        at = tick * opened.folder.spec.tick_seconds
        streams = {
            agent: stream_of(opened.reader, agent, tick - 1, embedder)
            for agent in {recall.agent for recall in recalls}
        }
        personas = {agent: opened.persona(agent) for agent in streams}
    return [
        _compared(personas[each.agent], streams[each.agent], embedder, each, tick, at)
        for each in recalls
    ]


def _compared(
    persona: Persona, stream: MemoryStream, embedder: Embedder, recall: Recall, tick: int, at: int
) -> Compared:
    queries = [" ".join(query.split()) for query in recall.queries]
    count = len(recall.ids)
    found = asyncio.run(
        best_memories(persona, stream, _Embedding(embedder), queries, at, count + MOST)
    )
    came, missed = tuple(found[:count]), tuple(found[count:])
    is_same = {each.memory.id for each in came} == set(recall.ids)
    return Compared(came=came, missed=missed, among=len(stream), is_same=is_same)


class _Embedding:
    """Embeds in the thread that asks: nobody else waits for it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def __call__(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text."""
        return list(np.asarray(self._embedder.embed(list(texts)), np.float32))
