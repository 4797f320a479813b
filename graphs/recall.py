"""Recall an agent's memories for some texts, in a thought or a talk; each recall is traced."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import log
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import SkipValidation

from smolville.agents.action import ON_THE_WAY
from smolville.agents.memory import Memory, is_whispered, quoted_words
from smolville.agents.persona import Persona, Weights
from smolville.agents.stream import ROUNDING, MemoryStream, Recollection, Vector
from smolville.agents.times import DAY_SECONDS
from smolville.graphs.components import KNOWLEDGE
from smolville.graphs.context import Embed, Thinker
from smolville.graphs.knowledge import AMONG, with_facts
from smolville.graphs.loop.ledger import RecallRecord
from smolville.graphs.sense import stems_of

Keep = Callable[[Memory, str], bool]
"""Whether a memory may be recalled for a query; the best are chosen among those that may."""
OF_LINE = Weights(recency=0.5, importance=0.5, relevance=2.0)
"""Weights for what a line brings to mind: above all what it speaks of."""
WORDS, LOOKED_AT = 3.0, 100
"""Weight of the share of a line's words that a memory has, and number of memories compared."""
SHORT = 3
"""Minimum number of letters of a word compared: what is asked may be a key or a jar."""
FIRST_LOOK = 64
"""Number of best memories that are first looked at for those that may be recalled."""


def is_passing(memory: Memory) -> bool:
    """Return whether a memory is the sight of people who talked with each other or were walking.

    Such a sight says nothing later: what was said, and where they went, are memories of their own.
    """
    is_walk = memory.text.startswith(f"{memory.subject} is {ON_THE_WAY}")
    return memory.kind == "event" and (is_walk or memory.predicate == "talks with")


def is_own_doing(memory: Memory, name: str) -> bool:
    """Return whether a memory is about its owner's own actions or plans."""
    is_deed = memory.kind == "event" and memory.subject == name
    return is_deed or memory.predicate == "plan"


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
    """Retriever of an agent's memories, best first; its query has one search text per line.

    The first rows of the query are the sentences of `line`.
    """

    me: SkipValidation[Thinker]
    count: int
    """Maximum number of memories returned."""
    about: tuple[str, ...] = ()
    """Names that the recall is about; facts about them are recalled first."""
    keep: SkipValidation[Keep | None] = None
    line: tuple[str, ...] = ()
    """Sentences of a line that somebody has just said."""
    of_line: int = 0
    """Number of places that belong to this line alone."""

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Return memories as documents: the text of each, and all components of its score."""
        me, at = self.me, self.me.surroundings.at
        found = await best_memories(
            me.persona,
            me.stream,
            me.embed,
            query.split("\n")[len(self.line) :],
            at,
            self.count,
            self.about,
            keep=self.keep,
            line=self.line,
            of_line=self.of_line,
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
    *,
    keep: Keep | None = None,
    line: Sequence[str] = (),
    of_line: int = 0,
) -> list[Recollection]:
    """Return the `count` memories that best match any of `queries` at a town second, best first.

    Some of them are facts about the people in `about` (`graphs.knowledge`). First come `of_line`
    for the sentences of `line`, the best for each in turn, whatever matches `queries` better.
    """
    looked = max(count, AMONG) if about else count
    (*of_queries,) = zip((*line, *queries), await embed([*line, *queries]), strict=True)
    by_sentence = [
        _by_words(each[0], _best_for(persona, stream, *each, at, LOOKED_AT, OF_LINE, keep))
        for each in of_queries[: len(line)]
    ]
    by_rank = (each for rank in zip_longest(*by_sentence) for each in rank if each)
    first = {each.memory.id: each for each in _without_repeats(by_rank)}
    known = list(first)[:of_line]
    best: dict[str, Recollection] = {}
    for each in of_queries[len(line) :]:
        most = looked + len(known)
        for found in _best_for(persona, stream, *each, at, most, persona.weights, keep):
            if found.memory.id not in known:
                other = best.get(found.memory.id)
                best[found.memory.id] = found if other is None else max(other, found, key=_score)
    ranked = sorted(best.values(), key=lambda found: (-found.score, found.memory.id))
    known_first = [first[each] for each in known]
    ranked = _without_repeats([*known_first, *ranked])[len(known) :]
    left = count - len(known)
    rest = with_facts(persona, ranked, about, left) if about else ranked[:left]
    return [*(_rescored(each, persona) for each in known_first), *rest]


def _without_repeats(found: Iterable[Recollection]) -> list[Recollection]:
    """Return recollections without those that quote the same words as one before them."""
    kept: list[Recollection] = []
    quoted: dict[str, str] = {}
    for each in found:
        words = quoted_words(each.memory.text)
        if not words or quoted.setdefault(words, each.memory.id) == each.memory.id:
            kept.append(each)
    return kept


def _score(found: Recollection) -> float:
    return found.score


def _by_words(query: str, found: Sequence[Recollection]) -> list[Recollection]:
    """Return recollections reordered by the share of a query's words they have, besides the score.

    A word as such, `notice` or a name, says more of what is asked than a vector of the sentence;
    one that few memories have says more than `party` in the week of a party (inverse document
    frequency: log((N + 1) / (n + 0.5)) for a word in n of N memories).
    """
    texts = {each.memory.id: stems_of(each.memory.text, SHORT) for each in found}
    counts = {
        word: sum(word in own for own in texts.values()) for word in sorted(stems_of(query, SHORT))
    }
    weights = {word: log((len(texts) + 1) / (n + 0.5)) for word, n in counts.items() if n}
    whole = sum(weights.values()) or 1.0

    def worth(each: Recollection) -> float:
        own = texts[each.memory.id]
        return each.score + WORDS * sum(weights[word] for word in weights if word in own) / whole

    return sorted(found, key=lambda each: (-worth(each), each.memory.id))


def _rescored(found: Recollection, persona: Persona) -> Recollection:
    """Return a recollection with the score that its qualities have by the persona's weights."""
    weights = persona.weights
    score = (
        weights.recency * found.recency
        + weights.importance * found.importance
        + weights.relevance * found.relevance
    )
    return found._replace(score=round(score, ROUNDING))


def _best_for(
    persona: Persona,
    stream: MemoryStream,
    query: str,
    vector: Vector,
    at: int,
    count: int,
    weights: Weights,
    keep: Keep | None,
) -> list[Recollection]:
    """Return the best memories for one query, best first, of those that may be recalled for it."""
    decay, seen = persona.recency_decay, count
    if keep is None:
        return stream.recall(vector, at, count, weights, decay, query)
    while True:
        seen = max(2 * seen, FIRST_LOOK)
        found = stream.recall(vector, at, seen, weights, decay, query)
        kept = [each for each in found if keep(each.memory, query)]
        if len(kept) >= count or len(found) < seen:
            return kept[:count]


async def recall(
    me: Thinker,
    queries: Sequence[str],
    count: int,
    about: Sequence[str] = (),
    *,
    keep: Keep | None = None,
    line: Sequence[str] = (),
    of_line: int = 0,
) -> RecallResult:
    """Return the memories recalled for any of `queries`, oldest first, as a traced run.

    Facts about the people in `about` are included. `keep` says which memories may be recalled for
    a query, and `of_line` how many places belong to the sentences of a `line` alone.

    In chronological order, a reader sees the sequence of events. Moreover, the lists of two
    consecutive calls begin alike, so that a server's prefix cache is effective.
    """
    started, clock = time.time(), time.perf_counter()
    names = tuple(about) if me.has(KNOWLEDGE) else ()
    retriever = MemoryRetriever(
        me=me, count=count, about=names, keep=keep, line=tuple(line), of_line=of_line
    )
    texts = [" ".join(text.split()) for text in (*line, *queries)]
    documents = await retriever.ainvoke("\n".join(texts))
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
            queries=(*line, *queries),
            about=names,
            ids=tuple(each.memory.id for each in found),
            started=started,
            milliseconds=(time.perf_counter() - clock) * 1000.0,
            is_filtered=keep is not None,
        ),
    )


def seeds_last(found: RecallResult, at: int, most: int) -> RecallResult:
    """Return at most `most` of the memories found: those of the last day first, the seeds last.

    A seed is a memory from the town's history: it tells how things stood when the first day began.
    """
    by_id = {each.memory.id: each.memory for each in found.found}

    def rank(id_: str) -> tuple[bool, bool]:
        each = by_id[id_]
        return is_whispered(id_) and each.tick == 0, at - each.created > DAY_SECONDS

    ids = tuple(sorted(found.accessed, key=rank)[:most])
    kept = tuple(each for each in found.found if each.memory.id in ids)
    record = found.record and replace(found.record, ids=tuple(each.memory.id for each in kept))
    return RecallResult(found=kept, accessed=ids, record=record)


def _split_row(row: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
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


ON_MIND = 3
"""Maximum number of memories shown."""
BEST = 12
"""Number of best memories from which they are taken."""


async def on_mind(me: Thinker, about: str) -> RecallResult:
    """Return what was said, thought or decided about something; no actions and no plans of days.

    What is of the last day comes first, so that a wish does not stay in mind once it is fulfilled.
    """
    found = await recall(me, [about], BEST, keep=_is_thought)
    return seeds_last(found, me.surroundings.at, ON_MIND)


def _is_thought(memory: Memory, query: str) -> bool:
    return memory.kind in ("thought", "talk") and memory.predicate != "plan"
