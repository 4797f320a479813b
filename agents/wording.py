"""Texts of operators and models, made fit to be kept and to be shown."""

import re
from collections.abc import Callable, Sequence

from agents.errors import RunError

LONGEST = 2_000
"""Letters of what an operator says to a town at once."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # Control characters: all but tab and newline.
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # What turns text round, and breaks its lines.
    "\xad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # What has no shape.
    "\ud800-\udfff\ue000-\uf8ff\U000e0000-\U000e007f\U000f0000-\U0010ffff]"
)
"""Characters that steer a terminal, or that nobody sees; the joiners of emoji and scripts stay."""


def _as_python(letter: str) -> str:
    """Return a character as Python writes it in a string."""
    return letter.encode("unicode_escape").decode()


def visible(text: str, written: Callable[[str], str] = _as_python) -> str:
    r"""Return a text in which what steers a terminal, or cannot be seen, is written out.

    An escape character becomes `\x1b`, a bidirectional override `\u202e`; lines stay lines.
    """
    return _UNSEEN.sub(lambda found: written(found[0]), text)


def visible_line(text: str) -> str:
    """Return a text on one line, with its control characters written out."""
    return " ".join(visible(text).split())


def one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))


def names_of(people: Sequence[str]) -> str:
    """Return who takes part: by name while they fit, else how many."""
    if len(people) == 1:
        return f"{people[0]} alone"
    if len(people) <= 5:
        return f"{', '.join(people[:-1])} and {people[-1]}"
    return f"{len(people)} people: {', '.join(people[:3])}, ..."


def worded(text: str, what: str) -> str:
    """Return what an operator wrote on one line; RunError when there is nothing, or too much."""
    plain = one_line(text).strip()
    if not plain:
        raise RunError(f"{what} needs some words.")
    if len(plain) > LONGEST:
        raise RunError(f"{what} has at most {LONGEST:,} letters; this has {len(plain):,}.")
    return plain
