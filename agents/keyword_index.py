"""The keyword channel of recall: which memories are about what a text is about, word by word.

A text's keywords are embedded one by one, each once per stream, by static word vectors (simulacra's
second channel). The topic of a text is the sum of its keywords' vectors; memories are compared with
a query by the cosine of their topics. `pet` brings back the memory of a dog, however the sentence
around it is built.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.keywords import keywords_of

Floats = NDArray[np.float64]
Rows = NDArray[np.float32]
Number = TypeVar("Number", np.intp, np.float64)
EmbedWords = Callable[[Sequence[str]], Rows]
"""Returns one vector per keyword, at once: it never waits for a server."""


class KeywordIndex:
    """The keywords of one agent's memories with their vectors, in the order of the memories."""

    def __init__(self, agent: str, embed: EmbedWords) -> None:
        self._own = frozenset((agent.casefold(), agent.split()[0].casefold()))
        self._embed = embed
        self._numbers: dict[str, int] = {}
        self._vectors: Rows = np.zeros((0, 0), np.float32)
        self._flat: NDArray[np.intp] = np.zeros(64, np.intp)
        """The keywords' numbers, memory by memory; a memory without any has a 0."""
        self._used = 0
        self._starts: NDArray[np.intp] = np.zeros(64, np.intp)
        self._lengths: Floats = np.ones(64)
        """Length of each memory's topic; infinite for a memory without keywords."""
        self._size = 0

    def add(self, keywords: Sequence[str]) -> None:
        """Append the keywords of the stream's next memory; one's own name tells nothing."""
        numbers = [self._number(each) for each in self._telling(keywords)]
        topic = self._vectors[numbers].sum(axis=0, dtype=np.float64) if numbers else np.zeros(1)
        size = self._size
        self._flat = _with_room(self._flat, self._used + max(len(numbers), 1))
        self._starts = _with_room(self._starts, size + 1)
        self._lengths = _with_room(self._lengths, size + 1)
        self._flat[self._used : self._used + len(numbers)] = numbers
        self._starts[size] = self._used
        self._lengths[size] = float(np.linalg.norm(topic)) or np.inf
        self._used += max(len(numbers), 1)
        self._size += 1

    def similarities(self, text: str) -> Floats | None:
        """Return each memory's cosine with a text, by topic; None if the text has no keywords.

        A memory without keywords has 0.
        """
        asked = self._telling(keywords_of(text))
        if not asked or not self._numbers:
            return None
        # Whole numbers again, no longer than a keyword's: the products are exact in float32.
        query = self._embed(asked).mean(axis=0, dtype=np.float64).round()
        length = float(np.linalg.norm(query)) or 1.0
        near = self._vectors[: len(self._numbers)] @ query.astype(np.float32)
        values = near.astype(np.float64)
        sums: Floats = np.add.reduceat(values[self._flat[: self._used]], self._starts[: self._size])
        sums /= self._lengths[: self._size]
        sums /= length
        return sums

    def _telling(self, keywords: Sequence[str]) -> list[str]:
        return [each for each in keywords if each.casefold() not in self._own]

    def _number(self, keyword: str) -> int:
        """Return the number of a keyword, embedding it if it is new."""
        key = keyword.casefold()
        number = self._numbers.get(key)
        if number is None:
            (row,) = self._embed([keyword])
            number = self._numbers[key] = len(self._numbers)
            if number >= len(self._vectors):
                larger = np.zeros((max(64, 2 * number), len(row)), np.float32)
                if number:
                    larger[:number] = self._vectors[:number]
                self._vectors = larger
            self._vectors[number] = row
        return number


def _with_room(old: NDArray[Number], size: int) -> NDArray[Number]:
    """Return an array of at least this size that begins with `old`."""
    if size <= len(old):
        return old
    new = np.zeros(max(size, 2 * len(old)), old.dtype)
    new[: len(old)] = old
    return new
