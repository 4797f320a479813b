"""Which words a text turns on, and how much of one text is said again in another."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_OWNING = re.compile(r"['’]s?$")
_ENDINGS = ("ing", "ed")
SHORTEST_STEM = 4
"""No ending is taken from a word that would be left shorter."""
DIGITS = 0.4
"""Dates and clocks count for so much of a word: they are said again in many ways."""
FEW_WORDS = 3
"""So few words that somebody typed must all be there."""
ENOUGH = 0.5
"""Of what a longer text turns on, so much must be said again."""
_EMPTY = """
a about above after again all along also am an and any are as at away back be because been before
being below between both but by came can come could day did do does doing done down each even ever
every few for from further get give go goes going gone good got had has have having he her here hers
him his how i if in into is it its itself just know let like made make many may me mean more most
much must my myself near never new no nor not now of off on once one only or other our out over own
please really said same say see she should so some still such take tell than that the their them
then there these they thing this those through to told too under until up us use very want was way
we well were what when where which while who why will with would yes yet you your
"""
EMPTY = frozenset(_EMPTY.split())
"""English words that say little by themselves."""


def content_words(text: str) -> frozenset[str]:
    """Return the words of a text that say something, without their endings, in small letters."""
    found = (_OWNING.sub("", word) for word in _WORD.findall(text.casefold()))
    return frozenset(_stem(word) for word in found if len(word) > 1 and word not in EMPTY)


def _stem(word: str) -> str:
    """Return a word without the usual English endings: `lanterns` and `lantern` are one."""
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
    """Return in how many different texts each word stands."""
    return Counter(word for text in set(texts) for word in content_words(text))


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What a piece of news turns on."""

    words: Mapping[str, float]
    """Word to its weight: rare words weigh more. The weights sum to 1."""
    least: float
    """So much of it must be in a text that tells the same."""

    def share(self, text: str) -> float:
        """Return how much of the subject is in a text, 0 to 1."""
        return sum(self.words.get(word, 0.0) for word in content_words(text))

    def is_in(self, text: str) -> bool:
        """True when a text tells of it."""
        return bool(self.words) and self.share(text) >= self.least


def subject_of(text: str, known: Mapping[str, int], *, typed: bool = False) -> Subject:
    """Return what a text turns on, among texts that hold `known` words.

    Words that somebody typed must all be there, unless they are many.
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
