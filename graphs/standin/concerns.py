"""What the stand-in takes for a current concern, and for told, by English words."""

import re
from collections.abc import Sequence

from smolville.models.standin.words import sentences, stems

TOLD = 0.5
"""Minimum share of a fact's words in a text for the fact to count as told."""
_LEAST = 4
"""Minimum number of meaningful words of a sentence that states a fact."""
_CONCERN = re.compile(
    r"\b(?:plan(?:ning|s)?|thinking (?:of|about)|wants? to|hop(?:e|es|ing) to|deciding|considering"
    r"|would like to|dream(?:ing|s)? of)\b"
    r"|\b(?:am|is|are) (?:writing|working on|collecting|learning|building|painting|practising"
    r"|preparing|looking for|saving|studying|trying|training|restoring|researching)\b"
)
"""Words of a plan, a wish or a piece of work."""
_THOUGHTS = (
    *("I should ", "I would like to know ", "I look forward ", "I am glad ", "I could "),
    *("I wonder ", "It is time that I ", "Sooner or later I ", "I think of ", "I cannot put off "),
    *("I want to make things easier ", "I enjoy my talks with "),
)
"""Beginnings of insights of a reflection, which are told to nobody."""
_TALK = re.compile(r"^(?:[^:\"]* talked with [^:\"]*|(?:today|yesterday|on)[^:]* \d\d:\d\d): ")
_DANGLING = re.compile(
    r"\b(?:about|to|for|with|from|at|of|ask|tell|see|meet|show) (?:her|him|them)\b"
)
"""A pronoun for a person unknown to the listener."""


def occupies(fact: str) -> bool:
    """Return whether a fact states a current concern: a plan, a wish or a piece of work."""
    is_thought = fact.startswith(_THOUGHTS) or _DANGLING.search(fact)
    return not is_thought and _CONCERN.search(fact) is not None


def is_said(fact: str, said: Sequence[str]) -> bool:
    """Return whether any of the texts contains all meaningful words of a fact."""
    words = stems(fact)
    told = [own for text in said for each in sentences(text) if len(own := stems(each)) >= _LEAST]
    return any(len(words & own) >= TOLD * min(len(words), len(own)) for own in told)


def told_in(memory: str) -> str:
    """Return the content of a remembered talk, without the part that names who talked."""
    return _TALK.sub("", memory)
