"""Recall an agent's memories for some texts, in a thought or a talk; each recall is traced."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import SkipValidation

from agents.persona import Persona
from agents.stream import MemoryStream, Recollection
from graphs.components import KNOWLEDGE
from graphs.context import Embed, Thinker
from graphs.knowledge import AMONG, with_facts
from graphs.loop.ledger import RecallRecord


@dataclass(frozen=True, kw_only=True)
class RecallResult:
    """The memories found by a recall, and the record of the recall."""

    found: tuple[Recollection, ...]
    """The memories, oldest first."""
    accessed: tuple[str, ...] = ()
    """Ids of the memories that this recall accesses, best first."""
    record: RecallRecord | None = None
    """The record of the recall; None if the memories were given instead of recalled."""


class MemoryRetriever(BaseRetriever):
    """Retriever of an agent's memories, best first; its query has one search text per line."""

    me: SkipValidation[Thinker]
    count: int
    """Maximum number of memories returned."""
    about: tuple[str, ...] = ()
    """Names that the recall is about; facts about them are recalled first."""

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Return memories as documents: the text of each, and all components of its score."""
        me, at = self.me, self.me.surroundings.at
        found = await best_memories(
            me.persona, me.stream, me.embed, query.split("\n"), at, self.count, self.about
        )
        return [Document(page_content=each.memory.text, metadata=score_row(each)) for each in found]

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Refuse synchronous use, since texts must be embedded without blocking the event loop."""
        raise NotImplementedError("memories are recalled with `ainvoke`")


async def best_memories(
    persona: Persona,
    stream: MemoryStream,
    embed: Embed,
    queries: Sequence[str],
    at: int,
    count: int,
    about: Sequence[str] = (),
) -> list[Recollection]:
    """Return the `count` memories that best match any of `queries` at a town second, best first.

    Some of them are facts about the people in `about` (`graphs.knowledge`).
    """
    best: dict[str, Recollection] = {}
    looked = max(count, AMONG) if about else count
    weights, decay = persona.weights, persona.recency_decay
    for query, vector in zip(queries, await embed(queries), strict=True):
        for found in stream.recall(vector, at, looked, weights, decay, query):
            known = best.get(found.memory.id)
            if known is None or found.score > known.score:
                best[found.memory.id] = found
    ranked = sorted(best.values(), key=lambda found: (-found.score, found.memory.id))
    return with_facts(persona, ranked, about, count) if about else ranked[:count]


async def recall(
    me: Thinker, queries: Sequence[str], count: int, about: Sequence[str] = ()
) -> RecallResult:
    """Return the memories recalled for any of `queries`, oldest first, as a traced run.

    Facts about the people in `about` are included.

    In chronological order, a reader sees the sequence of events. Moreover, the lists of two
    consecutive calls begin alike, so that a server's prefix cache is effective.
    """
    started, clock = time.time(), time.perf_counter()
    names = tuple(about) if me.has(KNOWLEDGE) else ()
    retriever = MemoryRetriever(me=me, count=count, about=names)
    documents = await retriever.ainvoke("\n".join(" ".join(query.split()) for query in queries))
    best = [
        Recollection(me.stream.get(id_), **scores)
        for id_, scores in (_split_row(document.metadata) for document in documents)
    ]
    found = sorted(best, key=lambda each: (each.memory.created, each.memory.id))
    return RecallResult(
        found=tuple(found),
        accessed=tuple(each.memory.id for each in best),
        record=RecallRecord(
            agent=me.name,
            queries=tuple(queries),
            about=names,
            ids=tuple(each.memory.id for each in found),
            started=started,
            milliseconds=(time.perf_counter() - clock) * 1000.0,
        ),
    )


def _split_row(row: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the memory's id, and the score with its parts."""
    return row["id"], {name: each for name, each in row.items() if name != "id"}


def score_row(found: Recollection) -> dict[str, str | float]:
    """Return a recollection as stored in a call record: the memory's id and the score's parts."""
    channels = {"sentence": found.sentence, "keywords": found.keywords}
    return {
        "id": found.memory.id,
        "score": found.score,
        "recency": round(found.recency, 5),
        "importance": round(found.importance, 5),
        "relevance": round(found.relevance, 5),
        **{name: round(each, 5) for name, each in channels.items() if each is not None},
    }
