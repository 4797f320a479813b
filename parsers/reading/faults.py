"""The problems of a whole reply, whatever was asked."""

from parsers.problem import Problem
from parsers.reading.scanning import Fault

CUT_OFF = Problem(
    "",
    "",
    "Your answer was cut off before it was complete. Write the whole answer again, and keep it "
    "shorter.",
)
"""The problem of a reply that ends in the middle."""

BAD_QUOTES = Problem(
    "",
    "",
    "Your answer has a quotation mark too many or too few, so it cannot be read. Write the whole "
    'answer again, with one " before and one " after each text and no " inside it.',
)
"""The problem of a reply in which a text never ends although the reply does."""

FAULTS: dict[Fault, Problem] = {"cut": CUT_OFF, "quotes": BAD_QUOTES}
"""The problem that each fault is."""

_EMPTY = Problem("", "", "Your answer was empty. Write one JSON object.")
_NO_OBJECT = Problem(
    "", "", "Your answer has no JSON object in it. Write one JSON object and nothing else."
)


def nothing_found(text: str) -> Problem:
    """The problem of a reply with nothing like an answer in it."""
    return _NO_OBJECT if text.strip() else _EMPTY
