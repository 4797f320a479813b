"""The vectors of keywords; each keyword is embedded once, for everybody who remembers it.

People in a town share most of their words, so one table for all of them costs almost no memory; a
table per person would cost a thousand bytes for every second memory.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]
EmbedWords = Callable[[Sequence[str]], Rows]
"""Returns one vector per keyword, at once: it never waits for a server."""
APART = 4
"""Ratio of the town's words to a person's, from which on the person's vectors are copied out."""


class WordVectors:
    """A growing table of keywords and their vectors; a keyword's number is its row.

    Each spelling has a row of its own, so that no vector depends on who came first with a word.
    """

    def __init__(self, embed: EmbedWords) -> None:
        self.embed = embed
        self._numbers: dict[str, int] = {}
        self._spellings: dict[str, tuple[int, ...]] = {}
        """Numbers of all spellings of a keyword, by their common form."""
        self._rows: Rows = np.zeros((0, 0), np.float32)

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, keyword: str) -> int:
        """Return the number of a keyword, embedding it if it is new."""
        number = self._numbers.get(keyword)
        if number is None:
            (row,) = self.embed([keyword])
            number = self._numbers[keyword] = len(self._numbers)
            form = keyword.casefold()
            self._spellings[form] = (*self._spellings.get(form, ()), number)
            if number >= len(self._rows):
                larger = np.zeros((max(64, 2 * number), len(row)), np.float32)
                if number:
                    larger[:number] = self._rows[:number]
                self._rows = larger
            self._rows[number] = row
        return number

    def spellings(self, keyword: str) -> tuple[int, ...]:
        """Return the numbers of all known spellings of a keyword, such as `Rose` and `rose`."""
        return self._spellings.get(keyword.casefold(), ())

    def topic(self, numbers: Sequence[int]) -> NDArray[np.float64]:
        """Return the sum of the vectors of keywords."""
        if not numbers:
            return np.zeros(1)
        found: NDArray[np.float64] = self._rows[list(numbers)].sum(axis=0, dtype=np.float64)
        return found

    def products(self, own: NDArray[np.int32], query: Rows) -> NDArray[np.float64]:
        """Return the inner product of each keyword with a query, by number.

        Only the products of the numbers in `own` are valid.
        """
        size = len(self._numbers)
        if size < APART * len(own):
            return (self._rows[:size] @ query).astype(np.float64)
        found = np.zeros(size)
        found[own] = self._rows[own] @ query
        return found
