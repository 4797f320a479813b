"""Basic properties of texts for sense checks: words and similarity."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
STEM = 4
"""Number of first letters by which forms of the same word are recognised."""
SHORT = 400
"""Maximum number of characters of a text that counts as short."""
DAYS = frozenset(
    (
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("today", "tomorrow", "tonight"),
    )
)


ORDINARY = frozenset(
    (  # noqa: SIM905
        "a about after again all also an and another are around as at back be because bed "
        "been before being breakfast but by call can change coffee cook cooking could day did "
        "dinner do does doing done down dress dressed dressing drink drinking eat eating "
        "evening feel feels finish finishing for friend friends from get getting glad go "
        "going good had has have having he her here herself him himself his home hope hopes "
        "hour house i i'll i'm i've if in is it it's its just kitchen know knows late leave "
        "leaving let like likes little look looking lunch make making may me meal meeting "
        "might mine more morning must my myself need needs night no not now of off on one or "
        "other our out over own people plan planning prepare preparing quick quiet read "
        "reading really rest resting room shall should sit sitting sleep sleeping so some "
        "start starting take taking talk talking tea than that the their them themselves then "
        "there these they things think thinks this those through tidy tidying time to today "
        "tomorrow town two up very wake waking walk walking want wants was wash washing watch "
        "watching we what when while who will with work working would write writing you your"
    ).split()
)
"""Words of an ordinary day; a text of only these words is not specific to anybody."""


def words_of(text: str) -> list[str]:
    """Return a text's words, folded for comparison.

    The result is cached, since the same texts are compared again and again. Few long texts are
    cached: they are whole prompts, each compared at one step only, and a thousand of them take tens
    of megabytes.
    """
    return list(_fold_short(text) if len(text) <= SHORT else _fold_long(text))


@lru_cache(maxsize=4096)
def _fold_short(text: str) -> tuple[str, ...]:
    return _fold(text)


@lru_cache(maxsize=32)
def _fold_long(text: str) -> tuple[str, ...]:
    return _fold(text)


def _fold(text: str) -> tuple[str, ...]:
    return tuple(word.casefold().replace("’", "'") for word in WORD.findall(text))


def stems_of(text: str, shortest: int = STEM) -> set[str]:
    """Return the first letters of each meaningful word, which all its forms have in common."""
    words = (word for word in words_of(text) if len(word) >= shortest)
    return {word[:STEM] for word in words if word not in ORDINARY}


def grams(words: Sequence[str], length: int) -> set[tuple[str, ...]]:
    """Return all runs of `length` consecutive words."""
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


def stands_in(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Return whether the words of `part` occur consecutively in `whole`."""
    wanted = list(part)
    return bool(wanted) and any(
        word == wanted[0] and list(whole[at : at + len(wanted)]) == wanted
        for at, word in enumerate(whole)
    )


def share_in(words: Sequence[str], other: Sequence[str]) -> float:
    """Return the share of a text's distinct words that occur in another, 0 to 1."""
    own = set(words)
    return len(own & set(other)) / len(own) if own else 0.0


def share_copied(words: Sequence[str], sources: Iterable[Sequence[str]], run: int = 4) -> float:
    """Return the share of a text's words in runs of `run` words that a source also has, 0 to 1."""
    known = set[tuple[str, ...]]().union(*(grams(each, run) for each in sources))
    taken = {
        at + offset
        for at in range(len(words) - run + 1)
        if tuple(words[at : at + run]) in known
        for offset in range(run)
    }
    return len(taken) / len(words) if words else 0.0


def free_texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in plain data, with the dotted path to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from free_texts(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value):
            yield from free_texts(inner, f"{path}.{number}" if path else str(number))


def remove_positions(path: str) -> str:
    """Return a path without the positions in lists: `items[].place`."""
    return re.sub(r"\.\d+", "[]", path)
