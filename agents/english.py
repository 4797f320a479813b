"""Words and sentences of English: stems, cut texts, first letters."""

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?])(?<!Mr\.)(?<!Mrs\.)(?<!Dr\.)(?<!St\.)\s+(?=[^a-z])|\n+")
_COMMON_WORDS = """
a an the and or but of to in on at for from with by as is are was were be been am it its this that
these those i me my we our you your he him his she her they them their there here not no so if then
than too very just about into up out over after before while who what when where how why which will
would can could should do does did done have has had get going go one some any all more also today
day
"""
_COMMON = frozenset(_COMMON_WORDS.split())


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the common part of a word's forms: `bakes`, `baking` and `baked` are one."""
    word = word.lower().removesuffix("'s").removesuffix("’s")
    for ending, rest in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending) + rest
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=4096)
def stems(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    return frozenset(stem(word) for word in _WORD.findall(text) if word.lower() not in _COMMON)


@lru_cache(maxsize=4096)
def all_stems(text: str) -> tuple[str, ...]:
    """Return the stems of all words, in order."""
    return tuple(stem(word) for word in _WORD.findall(text))


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, without blanks around them."""
    return tuple(part.strip() for part in _SENTENCE.split(text) if part.strip())


def clip(text: str, length: int) -> str:
    """Return the text cut at a word's end, so that it has at most `length` characters."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    return text[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:-") + "…"


def lower_first(text: str) -> str:
    """Return the text with a lower-case first letter if its first word is no name and not `I`."""
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first != "I" and first.lower() in _COMMON else text
