"""English word stems: good enough to treat "walks", "walking" and "walked" as one word."""

import re
from functools import lru_cache

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
