"""Repeats recalls from the history: what was recalled then, and what narrowly missed."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.persona import Persona
from agents.stream import MemoryStream, Recollection, Vector
from graphs.knowledge import with_facts
from graphs.loop.ledger import RecallRecord
from graphs.recall import best_memories
from graphs.reflect_questions import is_own_doing
from models.embedding.embedder import Embedder
from reports.runs import opened_run
from viewer.config import AppConfig
from world.streams import stream_of

MOST = 5
"""Maximum number of memories shown that narrowly missed."""


@dataclass(frozen=True, kw_only=True)
class RepeatedRecall:
    """A recall repeated as of its thought."""

    came: tuple[Recollection, ...]
    """As many memories as were recalled then, best first."""
    missed: tuple[Recollection, ...]
    """The memories that came next."""
    among: int
    """Total number of memories."""
    is_same: bool
    """Whether the same memories were recalled as then."""


def compare_again(
    config: AppConfig, run: str, tick: int, recalls: Sequence[RecallRecord]
) -> list[RepeatedRecall]:
    """Return a thought's recalls repeated, in order; no memory is marked as accessed by this.

    A reflection ignores the agent's own actions, so a recall is also repeated without them. Raises
    SmolvilleError or ModelError when the town or the embedder is not available.
    """
    with opened_run(config.runs, run) as opened:
        embedder = config.embedder(opened.folder.spec)
        at = tick * opened.folder.spec.tick_seconds
        streams = {
            agent: stream_of(opened.reader, agent, tick - 1, embedder)
            for agent in {recall.agent for recall in recalls}
        }
        personas = {agent: opened.persona(agent) for agent in streams}
    return [
        _repeat_recall(personas[each.agent], streams[each.agent], embedder, each, tick, at)
        for each in recalls
    ]


def _repeat_recall(
    persona: Persona,
    stream: MemoryStream,
    embedder: Embedder,
    recall: RecallRecord,
    tick: int,
    at: int,
) -> RepeatedRecall:
    queries = [" ".join(query.split()) for query in recall.queries]
    everything = len(stream)
    ranked = asyncio.run(
        best_memories(persona, stream, _BlockingEmbedder(embedder), queries, at, everything)
    )
    came = with_facts(persona, ranked, recall.about, len(recall.ids))
    found = [*came, *(each for each in ranked if each not in came)]
    whole = _make_repeated_recall(found, recall, everything)
    if whole.is_same:
        return whole
    others = [each for each in found if not is_own_doing(each.memory, persona.name)]
    reflected = _make_repeated_recall(others, recall, everything)
    return reflected if reflected.is_same else whole


def _make_repeated_recall(
    found: Sequence[Recollection], recall: RecallRecord, among: int
) -> RepeatedRecall:
    """Return a repeated recall: as many memories as were recalled then, and the next best."""
    count = len(recall.ids)
    came, missed = tuple(found[:count]), tuple(found[count : count + MOST])
    is_same = {each.memory.id for each in came} == set(recall.ids)
    return RepeatedRecall(came=came, missed=missed, among=among, is_same=is_same)


class _BlockingEmbedder:
    """Embeds in the calling thread, which serves nobody else."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def __call__(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text."""
        return list(np.asarray(self._embedder.embed(list(texts)), np.float32))
