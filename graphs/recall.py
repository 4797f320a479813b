"""Recall from an agent's memory stream, as a LangChain retriever: a run of its own in a trace."""

import time
from collections.abc import Sequence

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import SkipValidation

from agents.persona import Persona
from agents.recall import Recollection
from agents.stream import MemoryStream
from graphs.context import Embed, Thinker
from graphs.loop.ledger import Recall
from graphs.loop.step import RecallResult


class MemoryRetriever(BaseRetriever):
    """Gives an agent's memories for queries, one a line, best first."""

    me: SkipValidation[Thinker]
    count: int
    """At most so many."""

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Return memories as documents: their text, and each quality of their score."""
        me, at = self.me, self.me.surroundings.at
        found = await best_memories(
            me.persona, me.stream, me.embed, query.split("\n"), at, self.count
        )
        return [Document(page_content=each.memory.text, metadata=score_row(each)) for each in found]

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Refuse: texts are embedded without blocking the others."""
        raise NotImplementedError("memories are recalled with `ainvoke`")


async def best_memories(
    persona: Persona,
    stream: MemoryStream,
    embed: Embed,
    queries: Sequence[str],
    at: int,
    count: int,
) -> list[Recollection]:
    """Return the `count` memories that come back for any of `queries` at a second, best first."""
    best: dict[str, Recollection] = {}
    for vector in await embed(queries):
        for found in stream.recall(vector, at, count, persona.weights, persona.recency_decay):
            known = best.get(found.memory.id)
            if known is None or found.score > known.score:
                best[found.memory.id] = found
    return sorted(best.values(), key=lambda found: (-found.score, found.memory.id))[:count]


async def recall(me: Thinker, queries: Sequence[str], count: int) -> RecallResult:
    """Return the memories that come back for any of `queries`, oldest first, as a traced run.

    In the order of time a reader sees what followed what, and the lists of two calls in a row begin
    alike, which a server's prefix cache serves.
    """
    started, clock = time.time(), time.perf_counter()
    retriever = MemoryRetriever(me=me, count=count)
    documents = await retriever.ainvoke("\n".join(" ".join(query.split()) for query in queries))
    best = [
        Recollection(
            memory=me.stream.get(document.metadata["id"]),
            score=document.metadata["score"],
            recency=document.metadata["recency"],
            importance=document.metadata["importance"],
            relevance=document.metadata["relevance"],
        )
        for document in documents
    ]
    found = sorted(best, key=lambda each: (each.memory.created, each.memory.id))
    return RecallResult(
        found=tuple(found),
        accessed=tuple(each.memory.id for each in best),
        record=Recall(
            agent=me.name,
            queries=tuple(queries),
            ids=tuple(each.memory.id for each in found),
            started=started,
            milliseconds=(time.perf_counter() - clock) * 1000.0,
        ),
    )


def score_row(found: Recollection) -> dict[str, str | float]:
    """Return a recollection as a call record keeps it: which memory, and why it came back."""
    return {
        "id": found.memory.id,
        "score": found.score,
        "recency": round(found.recency, 5),
        "importance": round(found.importance, 5),
        "relevance": round(found.relevance, 5),
    }
