"""The built-in lexical embedder: a text's words as a vector of small whole numbers.

Lexical, not semantic: texts are similar when they share word stems. It needs no model, and its
inner products are sums of whole numbers below 2**24, so they are equal on every machine in any
order.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

_STOPPED = (
    "a about after all also am an and any are as at be because been before being but by can could "
    "did do does doing for from had has have having he her hers him his how i if in into is it its "
    "just me my no nor not of off on once only or our out over own same she should so some such "
    "than that the their them then there these they this those through to too under until up very "
    "was we were what when where which while who whom why will with would you your"
)
STOP_WORDS = frozenset(_STOPPED.split())
"""Words that say nothing about what a memory is about."""
VOWEL = re.compile(r"[aeiouy]")
DOUBLED = re.compile(r"([bdfgmnprt])\1$")
LONG_ENDINGS = (
    ("ational", "ate"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("iveness", "ive"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("iness", "y"),
    ("ness", ""),
    ("ment", ""),
    ("ful", ""),
    ("ly", ""),
)
DIMENSION = 384
LENGTH = 127
"""Length of a vector before rounding: inner products are about LENGTH² times the cosine."""
PLACES = 4
"""Dimensions per stem, each with a sign: a collision affects only a quarter of its weight."""
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


class HashedWords:
    """Hashed bag of stems: `embed` gives whole numbers from -127 to 127 as float32."""

    name = "words"
    dimension = DIMENSION

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text; a text without a word is all zeros."""
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for place, weight in _weights(text).items():
                row[place] = weight
        return rows


def stems_of(text: str) -> list[str]:
    """Return the stems of a text in order, without stop words unless it has nothing else."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    words = WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))
    telling = [word for word in words if word not in STOP_WORDS]
    return [stem(word) for word in telling or words]


def _weights(text: str) -> dict[int, int]:
    """Return the nonzero dimensions with their values, scaled to LENGTH and rounded."""
    raw: Counter[int] = Counter()
    for word, count in Counter(stems_of(text)).items():
        for place, sign in _places(word):
            raw[place] += sign * min(count, 3)
    norm = math.sqrt(sum(value * value for value in raw.values()))
    if norm == 0.0:
        return {}
    return {place: round(LENGTH * value / norm) for place, value in raw.items()}


@lru_cache(maxsize=65536)
def _places(word: str) -> tuple[tuple[int, int], ...]:
    """Return the dimensions of a stem with their signs; the same on every machine."""
    digest = blake2b(word.encode(), digest_size=4 * PLACES).digest()
    numbers = (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 4 * PLACES, 4))
    return tuple(((n >> 1) % DIMENSION, 1 if n & 1 else -1) for n in numbers)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; at least three letters always stay."""
    if len(word) <= 3 or not word.isascii():
        return word
    return _without_e(_without_long(_without_verb(_without_plural(word.removesuffix("'s")))))


def _without_plural(word: str) -> str:
    """Return the singular: cities → city, boxes → box, plans → plan; glass stays."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def _without_verb(word: str) -> str:
    """Return the verb's root: stopped → stop, studied → study; sing and bed stay."""
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and VOWEL.search(root):
            return DOUBLED.sub(r"\1", root)
    return word


def _without_long(word: str) -> str:
    """Return the word without a suffix that makes nouns and adverbs."""
    for ending, instead in LONG_ENDINGS:
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3:
            return root + instead
    return word


def _without_e(word: str) -> str:
    """Return the word without a last silent e, so that bake meets baking."""
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
