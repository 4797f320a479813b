"""A memory stream: all memories of one agent, in order, with exact recall in memory.

Recall favours recent, important and relevant memories (Park et al. 2023, section 4.1):

    score = w_rec · recency + w_imp · importance + w_rel · relevance

Each quality is scaled to 0..1 (min-max) over the candidates; recency = decay^(town hours since the
last access), so it is highest for the memory accessed last. Relevance is the mean of two channels,
each scaled separately: the cosine of the sentences, and that of the keywords, so that `pet` recalls
the memory of a dog, whatever the sentence around it (simulacra's second channel). Values are
rounded to 1e-5 before they are scaled, and ties are broken by id, so that equal runs stay equal on
any machine.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from smolville.agents.keywords import keywords_of
from smolville.agents.memory import Change, Memory, MemoryKind, apply_change
from smolville.agents.persona import Weights

Rows = NDArray[np.float32]
EmbedWords = Callable[[Sequence[str]], Rows]
"""Function that returns one vector per keyword immediately, without calling a server."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]
Items = TypeVar("Items", bound=np.generic)


def with_room(old: NDArray[Items], size: int) -> NDArray[Items]:
    """Return an array that begins with `old` and has room for `size` items and a sixteenth more.

    Doubling would copy less often, but leave a third of the room empty.
    """
    if size <= len(old):
        return old
    new: NDArray[Items] = np.zeros((max(32, size + size // 16), *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return new


class WordVectors:
    """A growing table of keywords and their vectors; a keyword's number is its row.

    Each spelling has a row of its own, so that no vector depends on which spelling of a word was
    used first.
    """

    def __init__(self, embed: EmbedWords) -> None:
        self.embed = embed
        self._numbers: dict[str, int] = {}
        self._rows: Rows = np.zeros((0, 0), np.float32)

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, keyword: str) -> int:
        """Return the number of a keyword, embedding it if it is new."""
        number = self._numbers.get(keyword)
        if number is None:
            (row,) = self.embed([keyword])
            number = self._numbers[keyword] = len(self._numbers)
            if number >= len(self._rows):
                larger = np.zeros((max(64, 2 * number), len(row)), np.float32)
                if number:
                    larger[:number] = self._rows[:number]
                self._rows = larger
            self._rows[number] = row
        return number

    def topic(self, numbers: Sequence[int]) -> NDArray[np.float64]:
        """Return the sum of the vectors of keywords."""
        if not numbers:
            return np.zeros(1)
        found: NDArray[np.float64] = self._rows[list(numbers)].sum(axis=0, dtype=np.float64)
        return found

    def products(self, query: Rows) -> NDArray[np.float64]:
        """Return the inner product of each keyword's vector with a query, by keyword number."""
        return (self._rows[: len(self._numbers)] @ query).astype(np.float64)


class KeywordIndex:
    """The keywords of one agent's memories, in the order of the memories.

    The topic of a text is the sum of its keywords' vectors; a memory is compared with a query by
    the cosine of their topics.
    """

    def __init__(self, agent: str, words: WordVectors) -> None:
        self._own_name = frozenset((agent.casefold(), agent.split()[0].casefold()))
        self._words = words
        self._known: dict[str, int] = {}
        """Numbers of the keywords of these memories, as each was spelled when it first occurred
        here, by the keyword in lower case."""
        self._flat: Numbers = np.zeros(64, np.int32)
        """The keyword numbers of all memories, one memory after the other; a memory without
        keywords has a 0."""
        self._used = 0
        self._starts: Numbers = np.zeros(64, np.int32)
        self._lengths: Floats = np.ones(64)
        """Length of each memory's topic vector; infinite for a memory without keywords."""
        self._size = 0

    def add(self, keywords: Sequence[str]) -> None:
        """Append the keywords of the stream's next memory; the agent's own name is left out."""
        numbers = [self._number(each) for each in self._telling(keywords)]
        size = self._size
        self._flat = with_room(self._flat, self._used + max(len(numbers), 1))
        self._starts = with_room(self._starts, size + 1)
        self._lengths = with_room(self._lengths, size + 1)
        self._flat[self._used : self._used + len(numbers)] = numbers
        self._starts[size] = self._used
        self._lengths[size] = float(np.linalg.norm(self._words.topic(numbers))) or np.inf
        self._used += max(len(numbers), 1)
        self._size += 1

    def similarities(self, text: str) -> Floats | None:
        """Return the cosine of each memory's topic with a text's; None if the text has no keywords.

        A memory without keywords has 0.
        """
        asked = self._telling(keywords_of(text))
        if not asked or not self._known:
            return None
        # Whole numbers again, no longer than a keyword's: the products are exact in float32.
        query = self._words.embed(asked).mean(axis=0, dtype=np.float64).round()
        length = float(np.linalg.norm(query)) or 1.0
        values = self._words.products(query.astype(np.float32))
        sums: Floats = np.add.reduceat(values[self._flat[: self._used]], self._starts[: self._size])
        sums /= self._lengths[: self._size]
        sums /= length
        return sums

    def _telling(self, keywords: Sequence[str]) -> list[str]:
        return [each for each in keywords if each.casefold() not in self._own_name]

    def _number(self, keyword: str) -> int:
        form = keyword.casefold()
        if form not in self._known:
            self._known[form] = self._words.number(keyword)
        return self._known[form]


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


NEVER = np.iinfo(np.int64).max
"""Town second that stands for a memory that never expires."""


class MemoryStream:
    """One agent's memories and their vectors; changed at a commit only, never inside a thought."""

    def __init__(self, agent: str, dimension: int, words: WordVectors | None = None) -> None:
        """Make an empty stream; without `words`, recall has no keyword channel."""
        self.agent = agent
        self.dimension = dimension
        self._held: list[Memory] = []
        self._places: dict[str, int] = {}
        """The position of each memory, by its id."""
        self._texts: dict[str, int] = {}
        """The position of the latest memory of a text."""
        self._keywords = None if words is None else KeywordIndex(agent, words)
        self._vectors = np.zeros((0, dimension), np.float32)
        self._norms: Floats = np.zeros(0)
        self._accessed = np.zeros(0, np.int64)
        self._expires = np.zeros(0, np.int64)
        self._weights = np.zeros(0, np.int8)

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Memory]:
        return iter(self._held)

    def add(self, memory: Memory, vector: Vector) -> None:
        """Append a memory with its vector (dimension,). Raises ValueError for a known id."""
        if memory.id in self._places:
            raise ValueError(f"memory {memory.id!r} is already in the stream of {memory.agent}")
        at = len(self)
        for name in ("_vectors", "_norms", "_accessed", "_expires", "_weights"):
            setattr(self, name, with_room(getattr(self, name), at + 1))
        self._held.append(memory)
        self._note(at, memory)
        self._places[memory.id] = self._texts[memory.text] = at
        self._vectors[at] = vector
        self._norms[at] = float(np.linalg.norm(vector.astype(np.float64))) or 1.0
        if self._keywords is not None:
            self._keywords.add(memory.keywords)

    def apply(self, change: Change) -> None:
        """Apply a change to a memory of this stream. Raises KeyError for an unknown id."""
        place = self._places[change.id]
        self._held[place] = changed = apply_change(self._held[place], change)
        self._note(place, changed)

    def _note(self, at: int, memory: Memory) -> None:
        self._accessed[at] = memory.accessed
        self._weights[at] = memory.weight
        self._expires[at] = NEVER if memory.expires is None else memory.expires

    def get(self, memory_id: str) -> Memory:
        """Return a memory by its id. Raises KeyError if there is none."""
        return self._held[self._places[memory_id]]

    def vectors(self, memory_ids: Sequence[str]) -> NDArray[np.float32]:
        """Return the sentence vectors of memories, one row each; KeyError if one is absent."""
        return self._vectors[[self._places[each] for each in memory_ids]]

    def with_text(self, text: str, at: int) -> Memory | None:
        """Return the latest memory of exactly this text that has not expired, else None."""
        place = self._texts.get(text)
        return None if place is None or self._expires[place] <= at else self._held[place]

    def has_any(self, at: int) -> bool:
        """Return whether there is a memory that has not expired."""
        return bool((self._expires[: len(self)] > at).any())

    def latest(self, count: int, kinds: Collection[MemoryKind] = ()) -> list[Memory]:
        """Return the last `count` memories (of these kinds), oldest first."""
        found = (each for each in reversed(self._held) if not kinds or each.kind in kinds)
        return list(islice(found, count))[::-1]

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
        n = len(self)
        live = np.flatnonzero(self._expires[:n] > at)
        if len(live) == 0:
            return []
        whole = len(live) == n
        keep: slice | NDArray[np.intp] = slice(0, n) if whole else live
        recency = scale_to_unit(decay ** ((at - self._accessed[keep]) / HOUR))
        importance = scale_to_unit(self._weights[keep].astype(np.float64))
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
            return [self._held[place].id for place in places]

        best = top(scores, ids_of, count)
        found = [self._held[place] for place in (best if whole else live[best].tolist())]
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


MOST = 400
"""Maximum number of memories considered, the latest; it limits the time needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDraw:
    """The memories chosen at random for a step, and how rare each of them is."""

    agent: str
    tick: int
    step: str
    """Name of the step for which they were chosen."""
    memories: tuple[str, ...]
    """Ids of the memories, in the order in which they were chosen."""
    sizes: tuple[int, ...]
    """Size of each memory's cluster; the memory's weight was one over this."""
    among: int
    """Number of memories examined."""
    clusters: int
    """Number of clusters, including those of a single memory."""
    alike: float
    """Cosine from which memories belonged to one cluster."""

    @property
    def chances(self) -> tuple[float, ...]:
        """Each memory's chance of being chosen first: all clusters are equally likely."""
        return tuple(1.0 / (size * self.clusters) for size in self.sizes)


def cluster_sizes(vectors: NDArray[np.float32], alike: float) -> tuple[NDArray[np.intp], int]:
    """Return the size of each vector's cluster, and the number of clusters.

    This is for dreams and mind-wandering, after Affordable Generative Agents: a memory's weight is
    one over the size of its cluster, so that an event that happened once is chosen as often as one
    that happened every day.

    Two vectors are in one cluster if their cosine is at least `alike`, or if a chain of such pairs
    connects them, as in AGA. A vector without such a neighbour is a cluster of its own.
    """
    rows = vectors.astype(np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    squares = (rows**2).sum(axis=1)
    apart = squares[:, None] + squares[None, :] - 2 * (rows @ rows.T)
    near = apart <= max(2.0 - 2.0 * alike, 1e-9)
    np.fill_diagonal(near, True)
    labels = np.arange(len(rows))
    while True:
        lowest = np.where(near, labels, len(rows)).min(axis=1, initial=len(rows))
        if (lowest == labels).all():
            break
        labels = lowest
    counts = np.bincount(labels)
    return counts[labels], int(np.count_nonzero(counts))


def draw_rare(
    sizes: Sequence[int], count: int, fraction: Callable[[int], float]
) -> tuple[int, ...]:
    """Choose `count` positions at random without replacement, with weights of one over `sizes`.

    `fraction` gives a number in [0, 1) for a position. The positions with the greatest
    log(fraction) / weight are chosen (Efraimidis and Spirakis 2006), so the result depends neither
    on the order of choosing nor on a shared random stream.
    """
    keys = [(log(fraction(at) or 1e-300) * size, -at) for at, size in enumerate(sizes)]
    best = sorted(keys, reverse=True)[:count]
    return tuple(-at for _, at in best)
