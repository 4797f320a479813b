"""Prepare texts of operators and models for storing and for display."""

import re
from collections.abc import Callable, Sequence

from agents.errors import RunError

LONGEST = 2_000
"""Characters that an operator may send to a town at once."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # Control characters except tab and newline.
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # Change the text direction or break lines.
    "\xad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # Invisible characters.
    "\ud800-\udfff\ue000-\uf8ff\U000e0000-\U000e007f\U000f0000-\U0010ffff]"
)
"""Control and invisible characters; those that join emoji and scripts are kept."""


def _as_python(letter: str) -> str:
    """Return a character as a Python escape sequence."""
    return letter.encode("unicode_escape").decode()


def visible(text: str, written: Callable[[str], str] = _as_python) -> str:
    r"""Return a text with control and invisible characters written as escape sequences.

    An escape character becomes `\x1b`, a bidirectional override `\u202e`; newlines are kept.
    """
    return _UNSEEN.sub(lambda found: written(found[0]), text)


def visible_line(text: str) -> str:
    """Return a text on one line, with control characters as escape sequences."""
    return " ".join(visible(text).split())


def one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))


def names_of(people: Sequence[str]) -> str:
    """Return the participants' names if they are short enough, else their number."""
    if len(people) == 1:
        return f"{people[0]} alone"
    if len(people) <= 5:
        return f"{', '.join(people[:-1])} and {people[-1]}"
    return f"{len(people)} people: {', '.join(people[:3])}, ..."


def worded(text: str, what: str) -> str:
    """Return an operator's text on one line. Raises RunError when it is empty or too long."""
    plain = one_line(text).strip()
    if not plain:
        raise RunError(f"{what} needs some words.")
    if len(plain) > LONGEST:
        raise RunError(f"{what} has at most {LONGEST:,} letters; this has {len(plain):,}.")
    return plain
