"""Find, by words, what is on somebody's mind: plans, wishes and work worth telling others.

Only English words are read; in any other language nothing is found.
"""

import re
from collections.abc import Sequence

from graphs.prompt_inputs import PersonaInput
from graphs.spoken_times import names_a_day, read_times
from graphs.standin.happenings import as_told_by, event_in
from models.standin.words import sentences, stems

TOLD = 0.5
"""Minimum share of a fact's words in a text for the fact to count as told."""
_LEAST = 4
"""Minimum number of meaningful words of a sentence that states a fact."""
_IDEAS = re.compile(
    r"\b(?:plan(?:ning|s)?|thinking (?:of|about)|wants? to|hop(?:e|es|ing) to|deciding|considering"
    r"|would like to|dream(?:ing|s)? of)\b"
)
_WORK = re.compile(
    r"\b(?:am|is|are) (?:writing|working on|collecting|learning|building|painting|practising"
    r"|preparing|looking for|saving|studying|trying|training|restoring|researching)\b"
)
PRIVATE = stems(
    "angry cross secret secretly afraid jealous ashamed lonely hate crush trust tell told invite"
)
"""Words of private facts, and of facts that are no news, such as a wish to invite everybody."""
THOUGHTS = (
    *("I should ", "I would like to know ", "I look forward ", "I am glad ", "I could "),
    *("I wonder ", "It is time that I ", "Sooner or later I ", "I think of ", "I cannot put off "),
    *("I want to make things easier ", "I enjoy my talks with "),
)
"""Beginnings of insights of a reflection, which are told to nobody."""
_TALK = re.compile(r"^(?:[^:\"]* talked with [^:\"]*|(?:today|yesterday|on)[^:]* \d\d:\d\d): ")


_THEIRS = re.compile(
    r"\b(?:his|their|her(?= \w)(?! (?:one|and|or|to|in|on|at|for|with|but|when|if|as|by|from"
    r"|that|who|soon|some|every|a|the)\b))\b"
)
"""Possessive pronouns of the third person, without `her` as an object."""
_DANGLING = re.compile(
    r"\b(?:about|to|for|with|from|at|of|ask|tell|see|meet|show) (?:her|him|them)\b"
)
"""A pronoun for a person unknown to the listener."""


def is_idea(fact: str) -> bool:
    """Return whether a fact is about something not yet begun: a plan or a wish."""
    return _IDEAS.search(fact) is not None


def occupies(fact: str) -> bool:
    """Return whether a fact states a current concern: a plan, a wish or a piece of work."""
    if fact.startswith(THOUGHTS) or _DANGLING.search(fact):
        return False
    return is_idea(fact) or _WORK.search(fact) is not None


def is_event(fact: str) -> bool:
    """Return whether a fact is about an event that others may attend."""
    return bool(event_in(fact)) and names_a_day(fact) and read_times(fact).start is not None


def is_said(fact: str, said: Sequence[str]) -> bool:
    """Return whether any of the texts contains all meaningful words of a fact."""
    words = stems(fact)
    told = [own for text in said for each in sentences(text) if len(own := stems(each)) >= _LEAST]
    return any(len(words & own) >= TOLD * min(len(words), len(own)) for own in told)


def is_told(fact: str, told: Sequence[str]) -> bool:
    """Return whether a fact was mentioned in talks; for an event, its name is enough."""
    is_named = is_event(fact) and any(event_in(fact) in each for each in told)
    return is_named or is_said(fact, told)


def told_in(memory: str) -> str:
    """Return the content of a remembered talk, without the part that names who talked."""
    return _TALK.sub("", memory)


def in_first_person(text: str, me: PersonaInput) -> list[str]:
    """Return the sentences of a persona's history in the first person."""
    found = []
    for sentence in sentences(text):
        plain = re.sub(r"^(?:She|He|They) ", f"{me.first_name} ", sentence)
        told = as_told_by(plain, me.name, me.first_name)
        if told != plain:
            found.append(_THEIRS.sub("my", told))
    return [each for each in found if each.startswith("I ")]
