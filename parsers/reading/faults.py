"""Problems of a whole reply that can occur at any step."""

import re

from parsers.problem import Problem
from parsers.reading.scanning import Fault
from parsers.reading.turns import goes_on, is_thought, own_words

_FIELD = re.compile(r"\{[^{}]{1,60}:")

CUT_OFF = Problem(
    "",
    "",
    "Your answer was cut off before it was complete. Write shorter texts this time.",
    "cut",
)
"""The problem of a reply that ends in the middle."""

BAD_QUOTES = Problem(
    "",
    "",
    "Your answer has a quotation mark too many or too few, so it cannot be read. Write "
    'one " before and one " after each text, and no " inside it.',
    "syntax",
)
"""The problem of a reply in which a text never ends although the reply does."""

TWO_ANSWERS = Problem(
    "",
    "",
    "Your answer has several JSON objects in it that differ. Write one JSON object only: your own "
    "answer, not the example.",
    "duplicate",
)
"""The problem of a reply whose only right value is the copied example, or a draft before the
end."""

ANOTHER_SPEAKER = Problem(
    "",
    "",
    "Your answer has a second answer in it, written for somebody else. Write one JSON object only: "
    "your own answer, and nothing after it.",
    "duplicate",
)
"""The problem of a reply that continues with a speaker's name and a different answer."""

_EMPTY = Problem("", "", "Your answer was empty. Write one JSON object.", "no_json")
_NO_OBJECT = Problem(
    "",
    "",
    "Your answer has no JSON object in it. Write one JSON object and nothing else.",
    "no_json",
)
_UNREADABLE = Problem(
    "",
    "",
    "Your answer has a JSON object in it that cannot be read. Write each field as "
    '"name": value, with " around its name and around each text.',
    "syntax",
)
_ONLY_THOUGHTS = Problem(
    "",
    "",
    "Your answer has only thoughts in it. Think less, then write one JSON object after them.",
    "no_json",
)
_ANOTHER_TURN = Problem(
    "",
    "",
    "Your answer has no JSON object in it before somebody else's turn begins. Write one JSON "
    "object, your own answer, and nothing after it.",
    "no_json",
)


FAULTS: dict[Fault, Problem] = {"cut": CUT_OFF, "quotes": BAD_QUOTES, "names": _UNREADABLE}
"""The problem for each fault of the syntax."""


def nothing_found(text: str) -> Problem:
    """Return the problem of a reply without anything like an answer in it."""
    if not text.strip():
        return _EMPTY
    if is_thought(text):
        return _ONLY_THOUGHTS
    if _FIELD.search(own_words(text)[0]):
        return _UNREADABLE
    return _ANOTHER_TURN if goes_on(text) else _NO_OBJECT
