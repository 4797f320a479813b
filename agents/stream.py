"""A memory stream: all memories of one agent, in order, with exact recall in memory.

Recall favours recent, important and relevant memories (Park et al. 2023, section 4.1):

    score = w_rec · recency + w_imp · importance + w_rel · relevance

Each quality is scaled to 0..1 (min-max) over the candidates; recency = decay^(town hours since the
last access), so it is highest for the memory accessed last. Relevance is the mean of two channels,
each scaled separately: the cosine of the sentences, and that of the keywords
(`agents.keyword_index`). Values are rounded to 1e-5 before they are scaled, and ties are broken by
id, so that equal runs stay equal on any machine.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from smolville.agents.keyword_index import KeywordIndex, WordVectors
from smolville.agents.memory import Change, Memory, MemoryKind
from smolville.agents.memory_records import MemoryRecords, MemorySource, with_room
from smolville.agents.persona import Weights

Floats = NDArray[np.float64]
Vector = NDArray[np.float32]
Channel = Literal["sentence", "keywords"]
CHANNELS: tuple[Channel, ...] = ("sentence", "keywords")
"""The two ways to compare a text with memories, whose mean is the relevance."""

HOUR = 3600.0
ROUNDING = 5
"""Number of decimals to which each quality is rounded before scaling."""


class Recollection(NamedTuple):
    """A recalled memory with its scaled qualities, each 0..1, and their weighted sum."""

    memory: Memory
    score: float
    recency: float
    importance: float
    relevance: float
    """The mean of the two channels; if only one took part, that one's value."""
    sentence: float | None = None
    keywords: float | None = None

    def explain(self, weights: Weights) -> str:
        """Return the score as a formula with its values.

        If both channels took part in the relevance, their values follow in brackets.
        """
        parts = (
            f"recency {weights.recency:g} x {self.recency:.3f}",
            f"importance {weights.importance:g} x {self.importance:.3f}",
            f"relevance {weights.relevance:g} x {self.relevance:.3f}",
        )
        channels = (
            ""
            if self.sentence is None or self.keywords is None
            else f" (sentence {self.sentence:.3f}, keywords {self.keywords:.3f})"
        )
        return f"{self.score:.3f} = " + " + ".join(parts) + channels


def scale_to_unit(values: Floats) -> Floats:
    """Return `values` scaled to 0..1 by their minimum and maximum; 0.5 each if all are equal."""
    rounded = values.round(ROUNDING)
    low, high = rounded.min(), rounded.max()
    if low == high:
        return np.full_like(rounded, 0.5)
    rounded -= low
    rounded /= high - low
    return rounded


def cosine(vectors: NDArray[np.float32], norms: Floats, query: NDArray[np.float32]) -> Floats:
    """Return the cosine of each row of `vectors` (n, d) with `query` (d); 0 for an empty vector."""
    dots = (vectors @ query).astype(np.float64)
    length = float(np.linalg.norm(query.astype(np.float64)))
    dots /= norms * (length or 1.0)
    return dots


def top(scores: Floats, ids_of: Callable[[list[int]], Sequence[str]], count: int) -> list[int]:
    """Return the indices of the `count` best scores, best first, ties by id; exact.

    `ids_of` returns the ids at the given indices.
    """
    rounded = scores.round(ROUNDING)
    if count < len(rounded):
        bar = np.partition(rounded, len(rounded) - count)[len(rounded) - count]
        chosen = np.flatnonzero(rounded >= bar)
    else:
        chosen = np.arange(len(rounded))
    indices = chosen.tolist()
    order = sorted(zip((-rounded[chosen]).tolist(), ids_of(indices), indices, strict=True))
    return [index for _, _, index in order[:count]]


class MemoryStream:
    """One agent's memories and their vectors; changed at a commit only, never inside a thought."""

    def __init__(
        self,
        agent: str,
        dimension: int,
        words: WordVectors | None = None,
        source: MemorySource | None = None,
    ) -> None:
        """Make an empty stream; without `words`, recall has no keyword channel.

        With a `source`, texts are read from it when they are needed.
        """
        self.agent = agent
        self.dimension = dimension
        self._records = MemoryRecords(source)
        self._keywords = None if words is None else KeywordIndex(agent, words)
        self._vectors = np.zeros((0, dimension), np.float32)
        self._norms: Floats = np.zeros(0)

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Memory]:
        return iter(self._records)

    def add(self, memory: Memory, vector: Vector) -> None:
        """Append a memory with its vector (dimension,). Raises ValueError for a known id."""
        if self._records.find(memory.id) is not None:
            raise ValueError(f"memory {memory.id!r} is already in the stream of {self.agent}")
        at = len(self._records)
        self._vectors = with_room(self._vectors, at + 1)
        self._norms = with_room(self._norms, at + 1)
        self._vectors[at] = vector
        self._norms[at] = float(np.linalg.norm(vector.astype(np.float64))) or 1.0
        self._records.add(memory)
        if self._keywords is not None:
            self._keywords.add(memory.keywords)

    def apply(self, change: Change) -> None:
        """Apply a change to a memory of this stream. Raises KeyError for an unknown id."""
        self._records.apply(change)

    def get(self, memory_id: str) -> Memory:
        """Return a memory by its id. Raises KeyError if there is none."""
        return self._records.at(self._records.place(memory_id))

    def vectors(self, memory_ids: Sequence[str]) -> NDArray[np.float32]:
        """Return the sentence vectors of memories, one row each; KeyError if one is absent."""
        return self._vectors[[self._records.place(each) for each in memory_ids]]

    def with_text(self, text: str, at: int) -> Memory | None:
        """Return the latest memory of exactly this text that has not expired, else None."""
        return self._records.with_text(text, at)

    def has_any(self, at: int) -> bool:
        """Return whether there is a memory that has not expired."""
        return bool((self._records.expires > at).any())

    def latest(self, count: int, kinds: Collection[MemoryKind] = ()) -> list[Memory]:
        """Return the last `count` memories (of these kinds), oldest first."""
        return self._records.latest(count, kinds)

    def recall(
        self,
        query: Vector,
        at: int,
        count: int,
        weights: Weights,
        decay: float,
        text: str = "",
        channels: Collection[Channel] = CHANNELS,
    ) -> list[Recollection]:
        """Return the `count` memories that score highest at town second `at`, best first.

        `query` is the vector of `text`. The keywords of `text` are compared too if the stream has a
        keyword channel. The result is exact: every memory that has not expired is scored.
        """
        records, n = self._records, len(self._records)
        live = np.flatnonzero(records.expires > at)
        if len(live) == 0:
            return []
        whole = len(live) == n
        keep: slice | NDArray[np.intp] = slice(0, n) if whole else live
        recency = scale_to_unit(decay ** ((at - records.accessed[keep]) / HOUR))
        importance = scale_to_unit(records.weights[keep].astype(np.float64))
        compared = self._compare(query, text, keep, channels)
        relevance = (
            compared[0] if len(compared) == 1 else (compared[0] + compared[1]) / len(compared)
        )
        scores = (
            weights.recency * recency
            + weights.importance * importance
            + weights.relevance * relevance
        )

        def ids_of(indices: list[int]) -> list[str]:
            places = indices if whole else live[indices].tolist()
            return [each.id for each in records.all_at(places)]

        best = top(scores, ids_of, count)
        found = records.all_at(best if whole else live[best].tolist())
        own = compared if len(compared) == len(CHANNELS) else ()
        columns = [
            column[best].tolist() for column in (scores, recency, importance, relevance, *own)
        ]
        return [
            Recollection(memory, round(score, ROUNDING), *qualities)
            for memory, score, *qualities in zip(found, *columns, strict=True)
        ]

    def _compare(
        self,
        query: Vector,
        text: str,
        keep: slice | NDArray[np.intp],
        channels: Collection[Channel],
    ) -> list[Floats]:
        """Return the memories' similarities by channel, each scaled to 0..1.

        Sentences are not compared if only keywords are requested and the text has some.
        """
        by_keywords = None
        if self._keywords is not None and "keywords" in channels:
            by_keywords = self._keywords.similarities(text)
        found = []
        if "sentence" in channels or by_keywords is None:
            found.append(scale_to_unit(cosine(self._vectors[keep], self._norms[keep], query)))
        if by_keywords is not None:
            found.append(scale_to_unit(by_keywords[keep]))
        return found
