"""A memory stream: all memories of one agent, in order, with exact recall in memory.

What comes back is the recent, the important and the relevant (Park et al. 2023, section 4.1):

    score = w_rec · recency + w_imp · importance + w_rel · relevance

Each quality is scaled to 0..1 (min-max) over the candidates; recency = decay^(town hours since the
last access), so the newest is the highest. Relevance has two channels, each scaled by itself, whose
mean counts: the cosine of the sentences, and that of the keywords (`agents.keyword_index`). Values
are rounded to 1e-5 before they are scaled and ties are broken by id, so that equal worlds stay
equal on any machine.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.keyword_index import EmbedWords, KeywordIndex
from agents.memory import Change, Memory, MemoryKind
from agents.persona import Weights

Floats = NDArray[np.float64]
Vector = NDArray[np.float32]
Number = TypeVar("Number", np.float32, np.float64)
Channel = Literal["sentence", "keywords"]
CHANNELS: tuple[Channel, ...] = ("sentence", "keywords")
"""The two ways to compare a text with memories, whose mean is the relevance."""

HOUR = 3600.0
ROUNDING = 5
"""Decimals kept of each quality before scaling."""


class Recollection(NamedTuple):
    """A recalled memory with its scaled qualities, each 0..1, and their weighted sum."""

    memory: Memory
    score: float
    recency: float
    importance: float
    relevance: float
    """The mean of the two channels; where only one took part, that one."""
    sentence: float | None = None
    keywords: float | None = None

    def explain(self, weights: Weights) -> str:
        """Return the score as a formula with its values, and both channels if both took part."""
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


def top(scores: Floats, ids: Sequence[str], count: int) -> list[int]:
    """Return the indices of the `count` best scores, best first, ties by id; exact."""
    rounded = scores.round(ROUNDING)
    if count < len(rounded):
        bar = np.partition(rounded, len(rounded) - count)[len(rounded) - count]
        chosen = np.flatnonzero(rounded >= bar)
    else:
        chosen = np.arange(len(rounded))
    marked = zip((-rounded[chosen]).tolist(), chosen.tolist(), strict=True)
    order = sorted((mark, ids[index], index) for mark, index in marked)
    return [index for _, _, index in order[:count]]


class MemoryStream:
    """One agent's memories and their vectors; changed at a commit only, never inside a thought."""

    def __init__(self, agent: str, dimension: int, embed_words: EmbedWords | None = None) -> None:
        """Make an empty stream; without `embed_words`, recall has no keyword channel."""
        self.agent = agent
        self._keywords = None if embed_words is None else KeywordIndex(agent, embed_words)
        self.dimension = dimension
        self._memories: list[Memory] = []
        self._ids: list[str] = []
        self._index: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._vectors = np.zeros((0, dimension), np.float32)
        self._norms: Floats = np.zeros(0)
        self._accessed: Floats = np.zeros(0)
        self._weights: Floats = np.zeros(0)
        self._expires: Floats = np.zeros(0)

    def __len__(self) -> int:
        return len(self._memories)

    def __iter__(self) -> Iterator[Memory]:
        return iter(self._memories)

    def add(self, memory: Memory, vector: Vector) -> None:
        """Append a memory with its vector (dimension,). Raises ValueError for a known id."""
        if memory.id in self._index:
            raise ValueError(f"memory {memory.id!r} is already in the stream of {self.agent}")
        at = len(self._memories)
        self._grow(at + 1)
        self._vectors[at] = vector
        self._norms[at] = float(np.linalg.norm(vector.astype(np.float64))) or 1.0
        self._memories.append(memory)
        self._ids.append(memory.id)
        self._index[memory.id] = at
        self._texts[memory.text] = at
        if self._keywords is not None:
            self._keywords.add(memory.keywords)
        self._note(at)

    def apply(self, change: Change) -> None:
        """Apply a change to a memory of this stream. Raises KeyError for an unknown id."""
        at = self._index[change.id]
        self._memories[at] = apply_change(self._memories[at], change)
        self._note(at)

    def get(self, memory_id: str) -> Memory:
        """Return a memory by its id. Raises KeyError if there is none."""
        return self._memories[self._index[memory_id]]

    def vectors(self, memory_ids: Sequence[str]) -> NDArray[np.float32]:
        """Return the sentence vectors of memories, one row each; KeyError if one is absent."""
        return self._vectors[[self._index[each] for each in memory_ids]]

    def with_text(self, text: str, at: int) -> Memory | None:
        """Return the latest memory of exactly this text that has not expired, else None."""
        index = self._texts.get(text)
        if index is None or self._expires[index] <= at:
            return None
        return self._memories[index]

    def latest(self, count: int, kinds: Collection[MemoryKind] = ()) -> list[Memory]:
        """Return the last `count` memories (of these kinds), oldest first."""
        chosen: list[Memory] = []
        for memory in reversed(self._memories):
            if len(chosen) == count:
                break
            if not kinds or memory.kind in kinds:
                chosen.append(memory)
        return chosen[::-1]

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

        `query` is the vector of `text`, whose keywords are compared too where the stream has a
        keyword channel. Exact: equal to scoring every memory that has not expired.
        """
        n = len(self._memories)
        live = np.flatnonzero(self._expires[:n] > at)
        if len(live) == 0:
            return []
        whole = len(live) == n
        keep: slice | NDArray[np.intp] = slice(0, n) if whole else live
        recency = scale_to_unit(decay ** ((at - self._accessed[keep]) / HOUR))
        importance = scale_to_unit(self._weights[keep])
        compared = self._compare(query, text, keep, channels)
        relevance = (
            compared[0] if len(compared) == 1 else (compared[0] + compared[1]) / len(compared)
        )
        scores = (
            weights.recency * recency
            + weights.importance * importance
            + weights.relevance * relevance
        )
        ids = self._ids if whole else [self._ids[index] for index in live]
        best = top(scores, ids, count)
        places = best if whole else live[best].tolist()
        own = compared if len(compared) == len(CHANNELS) else ()
        columns = [
            column[best].tolist() for column in (scores, recency, importance, relevance, *own)
        ]
        return [
            Recollection(self._memories[place], round(score, ROUNDING), *qualities)
            for place, score, *qualities in zip(places, *columns, strict=True)
        ]

    def _compare(
        self,
        query: Vector,
        text: str,
        keep: slice | NDArray[np.intp],
        channels: Collection[Channel],
    ) -> list[Floats]:
        """Return the memories' similarities by channel, each scaled to 0..1.

        The sentences are compared unless only keywords are asked for and there are some.
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

    def _note(self, at: int) -> None:
        memory = self._memories[at]
        self._accessed[at] = memory.accessed
        self._weights[at] = memory.weight
        self._expires[at] = np.inf if memory.expires is None else memory.expires

    def _grow(self, size: int) -> None:
        room = len(self._norms)
        if size <= room:
            return
        room = max(64, 2 * room)
        self._vectors = _grow_array(self._vectors, (room, self.dimension))
        self._norms = _grow_array(self._norms, (room,), 1.0)
        self._accessed = _grow_array(self._accessed, (room,))
        self._weights = _grow_array(self._weights, (room,))
        self._expires = _grow_array(self._expires, (room,), np.inf)


def apply_change(memory: Memory, change: Change) -> Memory:
    """Return `memory` after `change`; the time of the last access never decreases."""
    accessed = max(memory.accessed, change.at)
    match change.kind:
        case "access":
            return replace(memory, accessed=accessed)
        case "rate":
            return replace(memory, importance=change.value)
        case "strengthen":
            return replace(memory, accessed=accessed, strength=memory.strength + 1)
        case "expire":
            return replace(memory, expires=change.at)


def _grow_array(old: NDArray[Number], shape: tuple[int, ...], fill: float = 0.0) -> NDArray[Number]:
    """Return a larger array that begins with `old`.

    One of zeros takes no memory where nothing is written yet.
    """
    new: NDArray[Number] = np.zeros(shape, old.dtype)
    new[: len(old)] = old
    if fill:
        new[len(old) :] = fill
    return new
