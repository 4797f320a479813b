"""Make texts of people from outside harmless: short, on one line, without markup of ours."""

import re
import unicodedata
from collections.abc import Iterable

from agents.errors import RunError

LONGEST_LINE = 2_000
"""Characters of a line in a talk, or of an announcement, at most."""
LONGEST_NAME = 60
LONGEST_ABOUT = 120
LONGEST_DEED = 160

_JOINER = "\u200d"
"""Joins emoji; every other character that only controls the typesetting is removed."""
_MARKER = re.compile(
    r"<\s*([|/]?\s*(?:im_\w+|start_\w+|end_\w+|eot\w*|eom\w*|s|bos|eos|pad|unk|system|user|assistant)\b"
    r"[^<>]{0,40})>|<\|([^<>]{0,60})\|>|\[\s*(/?INST|/?SYS\w*)\s*\]|<<\s*(/?SYS)\s*>>",
    re.IGNORECASE,
)
"""Markers that models' chat templates put between messages."""
_NAME = re.compile(r"[^\W\d_][\w .'’-]*")
_TAKEN = frozenset(["the cap", "you", "me", "nobody", "somebody", "everybody", "outdoors"])
"""Words that stand for somebody else in a town's records."""


def plain(text: str, longest: int) -> str:
    """Return a text on one line without control characters, cut between words if too long.

    Anything that a model's chat template would read as the end of a message loses its brackets.
    """
    text = unicodedata.normalize("NFC", text[: 20 * longest])
    kept = (letter for letter in text if letter == _JOINER or _is_shown(letter))
    line = " ".join("".join(" " if letter.isspace() else letter for letter in kept).split())
    # Twice: removing one marker must not create another.
    while (harmless := _MARKER.sub(_without_brackets, line)) != line:
        line = harmless
    return _cut(" ".join(line.split()), longest)


def needed(text: str, longest: int, what: str) -> str:
    """Return a text made plain. Raises RunError when nothing of it is left."""
    line = plain(text, longest)
    if not line.strip(" .,;:!?…" + _JOINER):
        raise RunError(f"{what} needs some words.")
    return line


def visitor_name(text: str, people: Iterable[str]) -> str:
    """Return a visitor's name. Raises RunError for no valid name, or one already used in town."""
    name = plain(text, LONGEST_NAME + 1)
    if len(name) > LONGEST_NAME or len(name) < 2 or not _NAME.fullmatch(name):
        raise RunError(
            f"{name!r} cannot be a visitor's name: write 2 to {LONGEST_NAME} letters, "
            "such as Rosa Lind."
        )
    if name.casefold() in _TAKEN:
        raise RunError(f"{name!r} is nobody's name; choose another one.")
    for known in people:
        folded = known.casefold()
        if name.casefold() in (folded, folded.split()[0]):
            raise RunError(f"{known} lives in this town; choose another name than {name!r}.")
    return name


def about_of(text: str) -> str:
    """Return who somebody says they are, in the form that follows a name and a comma."""
    about = plain(text, LONGEST_ABOUT).strip(" .,;:!")
    return re.sub(r"^(?:i am|i'm|is|who is|they are)\s+", "", about, flags=re.IGNORECASE)


def deed_of(text: str) -> str:
    """Return an activity in the form that follows `is`. Raises RunError for an empty text."""
    deed = needed(text, LONGEST_DEED, "what a visitor does").strip(" .,;:!")
    return re.sub(r"^(?:i am|i'm|(?:she|he) is|they are|is|are)\s+", "", deed, flags=re.IGNORECASE)


def _is_shown(letter: str) -> bool:
    """Return True for visible characters and white space, not for control or private ones."""
    return letter.isspace() or unicodedata.category(letter)[0] != "C"


def _without_brackets(found: re.Match[str]) -> str:
    """Return the words of a marker."""
    return next((part for part in found.groups() if part), "").strip(" |/")


def _cut(line: str, longest: int) -> str:
    """Return a line cut to the length, between words if that costs little."""
    if len(line) <= longest:
        return line
    head = line[: longest - 2]
    at = head.rfind(" ")
    return f"{(head[:at] if at > longest * 3 // 4 else head).rstrip()} …"
