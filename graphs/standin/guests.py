"""The question who comes to an event, and the memories of people who accepted an invitation."""

import re
from collections.abc import Iterable

from smolville.agents.memory import read_quote

ACCEPTANCES = ("Count me in, I will come!", "I will gladly come.")
"""Texts for which the memories of acceptances are recalled."""
_ASKED = re.compile(
    r"\bwho(?:['’]s|m)?\b[^.?!]*\b(?:com(?:e|es|ing)|going|attend(?:s|ing)?|be there|accepted)\b"
    r"[^.!]*\?",
    re.IGNORECASE,
)
_ACCEPTED = re.compile(
    r"\bcount me in\b"
    r"|\bI(?:['’]ll| will) (?:\w+ )?(?:be there|come(?! (?:back|home|over|by|again)))\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\bI(?:['’]ll| will) (?:not|never)\b", re.IGNORECASE)


def asks_who_comes(text: str) -> bool:
    """Return whether a text asks who comes to an event."""
    return _ASKED.search(text) is not None


def find_guests(memories: Iterable[str]) -> dict[str, str]:
    """Return the people who accepted an invitation, each with the memory of it."""
    found: dict[str, str] = {}
    for text in memories:
        said = read_quote(text)
        if said is not None and _ACCEPTED.search(said[1]) and not _NOT.search(text):
            found.setdefault(said[0], text)
    return found
