"""The keyword channel of recall: it finds memories on the topic of a text by their keywords.

A text's keywords are embedded one by one, by static word vectors (simulacra's second channel). The
topic of a text is the sum of its keywords' vectors; memories are compared with a query by the
cosine of their topics. So `pet` recalls the memory of a dog, whatever the sentence around it.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from smolville.agents.keywords import keywords_of
from smolville.agents.memory_records import with_room

Rows = NDArray[np.float32]
EmbedWords = Callable[[Sequence[str]], Rows]
"""Function that returns one vector per keyword immediately, without calling a server."""
APART = 4
"""If the town has this many times as many keywords as a person, the person's vectors are copied."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]


class WordVectors:
    """A growing table of keywords and their vectors; a keyword's number is its row.

    Each spelling has a row of its own, so that no vector depends on which spelling of a word was
    used first.
    """

    def __init__(self, embed: EmbedWords) -> None:
        self.embed = embed
        self._numbers: dict[str, int] = {}
        self._spellings: dict[str, tuple[int, ...]] = {}
        """Numbers of all spellings of a keyword, by the keyword in lower case."""
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
        """Return an array with the inner product of each keyword's vector with a query.

        The index in the array is the keyword's number; only the entries listed in `own` are valid.
        """
        size = len(self._numbers)
        if size < APART * len(own):
            return (self._rows[:size] @ query).astype(np.float64)
        found = np.zeros(size)
        found[own] = self._rows[own] @ query
        return found


class KeywordIndex:
    """The keywords of one agent's memories, in the order of the memories."""

    def __init__(self, agent: str, words: WordVectors) -> None:
        self._own_name = frozenset((agent.casefold(), agent.split()[0].casefold()))
        self._words = words
        self._is_known: NDArray[np.bool_] = np.zeros(64, np.bool_)
        """Whether a keyword occurs in these memories, by the keyword's number."""
        self._known: Numbers | None = None
        """The numbers of the keywords that occur in these memories; None if they must be computed
        again."""
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
        known = self._known_numbers()
        if not asked or not len(known):
            return None
        # Whole numbers again, no longer than a keyword's: the products are exact in float32.
        query = self._words.embed(asked).mean(axis=0, dtype=np.float64).round()
        length = float(np.linalg.norm(query)) or 1.0
        values = self._words.products(known, query.astype(np.float32))
        sums: Floats = np.add.reduceat(values[self._flat[: self._used]], self._starts[: self._size])
        sums /= self._lengths[: self._size]
        sums /= length
        return sums

    def _telling(self, keywords: Sequence[str]) -> list[str]:
        return [each for each in keywords if each.casefold() not in self._own_name]

    def _number(self, keyword: str) -> int:
        """Return the number of a keyword, as it was spelled when it first occurred here."""
        known = self._is_known
        for number in self._words.spellings(keyword):
            if number < len(known) and known[number]:
                return number
        number = self._words.number(keyword)
        self._is_known = with_room(known, number + 1)
        self._is_known[number] = True
        self._known = None
        return number

    def _known_numbers(self) -> Numbers:
        """Return the numbers of all keywords of these memories."""
        if self._known is None:
            self._known = np.flatnonzero(self._is_known).astype(np.int32)
        return self._known
