"""Read errands that have no set hour but precede opening time: `fetches bread before opening`.

Only English words are read; in any other language nothing is found.
"""

import re

from graphs.frame.life import activity_in, clauses_of
from graphs.spoken_times import falls_on, names_a_day
from models.standin.words import sentences

_BEFORE = re.compile(r",? before (?:opening|(?:she|he) opens)\b.*$")
OPENING = "opening "
"""Beginning of the first activity of a working day in the person's own shop."""


def errand_before_opening(requirement: str, names: tuple[str, str], date: str) -> str:
    """Return the errand to do before the shop opens, `fetching bread`; empty if there is none.

    `names` are the full and the first name of the person with this requirement.
    """
    for sentence in sentences(requirement):
        if names_a_day(sentence) and not falls_on(sentence, date) and "every day" not in sentence:
            continue
        for clause in clauses_of(sentence):
            if found := _BEFORE.search(clause):
                return activity_in(clause[: found.start()], names)
    return ""
