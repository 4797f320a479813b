"""Keywords of a text, and the share of these keywords that another text contains."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from smolville.agents.keywords import EMPTY, OWNING, WORD

_ENDINGS = ("ing", "ed")
SHORTEST_STEM = 4
"""Minimum number of letters that must remain of a word when an ending is removed."""
DIGITS = 0.4
"""Weight of dates and clock times relative to words.

It is low because they can be written in many forms.
"""
FEW_WORDS = 3
"""If somebody types at most this many words, all of them must occur in a text."""
ENOUGH = 0.5
"""Share of a longer text's keywords that another text must contain to tell the same."""


def content_words(text: str) -> frozenset[str]:
    """Return the meaningful words of a text, without their endings, in lower case."""
    found = (OWNING.sub("", word) for word in WORD.findall(text.casefold()))
    return frozenset(_stem(word) for word in found if len(word) > 1 and word not in EMPTY)


def _stem(word: str) -> str:
    """Return a word without its usual English ending: `lantern` for `lanterns`."""
    if word.endswith("ies") and len(word) > SHORTEST_STEM:
        return f"{word[:-3]}y"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word
    if word.endswith("s") and not word.endswith("ss") and len(word) > SHORTEST_STEM - 1:
        return word[:-1]
    return word


def weights(texts: Iterable[str]) -> Counter[str]:
    """Return the number of distinct texts that contain each word."""
    return Counter(word for text in set(texts) for word in content_words(text))


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The keywords of a piece of news."""

    words: Mapping[str, float]
    """The weight of each keyword: rare words weigh more. The weights add up to 1."""
    least: float
    """The minimum share of the keywords that a text must contain to tell the same."""

    def share(self, text: str) -> float:
        """Return the share of the subject's keywords that a text contains, from 0 to 1."""
        return sum(self.words.get(word, 0.0) for word in content_words(text))

    def is_in(self, text: str) -> bool:
        """Return True if a text is about the subject."""
        return bool(self.words) and self.share(text) >= self.least


def subject_of(text: str, known: Mapping[str, int], *, typed: bool = False) -> Subject:
    """Return the keywords of a text; `known` counts in how many texts each word occurs.

    Another text is about the subject if it contains enough of these keywords. It must contain all
    of them if `text` is short and was `typed` by somebody.
    """
    most = max(known.values(), default=1)
    raw = {word: _weight(word, known.get(word, 0), most) for word in sorted(content_words(text))}
    total = sum(raw.values())
    few = typed and len(raw) <= FEW_WORDS
    return Subject(
        words={word: weight / total for word, weight in raw.items()},
        least=0.999 if few else ENOUGH,
    )


def _weight(word: str, count: int, most: int) -> float:
    rare = math.log(1 + (most + 1) / (count + 1))
    return rare * (DIGITS if any(letter.isdigit() for letter in word) else 1.0)
