"""Recall as a LangChain retriever, so that what came back to a mind shows in a trace."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import SkipValidation

from agents.recall import Recollection
from graphs.loop.ledger import Recall
from graphs.notebook import Notebook

if TYPE_CHECKING:
    from graphs.thinking import Thought


class MemoryRetriever(BaseRetriever):
    """Gives an agent's memories for queries, one a line, best first."""

    notes: SkipValidation[Notebook]
    count: int
    """At most so many."""

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Return memories as documents: their text, and each quality of their score."""
        found = await self.notes.recall(query.split("\n"), self.count)
        return [Document(page_content=each.memory.text, metadata=score_row(each)) for each in found]

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Refuse: texts are embedded without blocking the others."""
        raise NotImplementedError("memories are recalled with `ainvoke`")


async def recall(thought: "Thought", queries: Sequence[str], count: int) -> list[Recollection]:
    """Return the memories that come back for any of `queries`, oldest first, as a traced run.

    In the order of time a reader sees what followed what, and the lists of two calls in a row begin
    alike, which a server's prefix cache serves.
    """
    started, clock = time.time(), time.perf_counter()
    retriever = MemoryRetriever(notes=thought.notes, count=count)
    documents = await retriever.ainvoke("\n".join(" ".join(query.split()) for query in queries))
    found = [
        Recollection(
            memory=thought.notes.get(document.metadata["id"]),
            score=document.metadata["score"],
            recency=document.metadata["recency"],
            importance=document.metadata["importance"],
            relevance=document.metadata["relevance"],
        )
        for document in documents
    ]
    found.sort(key=lambda each: (each.memory.created, each.memory.id))
    thought.ledger.recalls.append(
        Recall(
            agent=thought.name,
            queries=tuple(queries),
            ids=tuple(each.memory.id for each in found),
            started=started,
            milliseconds=(time.perf_counter() - clock) * 1000.0,
        )
    )
    return found


def score_row(found: Recollection) -> dict[str, str | float]:
    """Return a recollection as a call record keeps it: which memory, and why it came back."""
    return {
        "id": found.memory.id,
        "score": found.score,
        "recency": round(found.recency, 5),
        "importance": round(found.importance, 5),
        "relevance": round(found.relevance, 5),
    }
