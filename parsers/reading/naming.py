"""Find the number of a listed entry given by its name: "Hobbs Cafe", "2. the kitchen"."""

import re
from collections.abc import Mapping

from parsers.reading.scalars import folded, has_second, read_listed, split_listed

Labels = Mapping[int, str]
"""The listed entries by number; places are written `sector: arena`."""

_BEHIND = re.compile(r"(?P<name>.{1,120}?) ?[\[(](?:no\.? ?|number ?|#)?(?P<number>\d{1,4})[\])]")
_WORDS = re.compile(r"[^\W_]+")
_SMALL = {"the", "a", "an", "of", "in", "at", "s", "to", "room", "place"}
_PARTED = re.compile(r" ?(?:->|=>|[>/|,\u2192\u00bb]) ?")
"""Separators that models write between the parts of an address."""
_LONGEST = 200


def numbered(text: str, labels: Labels) -> int | None:
    """Return the number that a text means among these, or None if that is ambiguous.

    A name must match exactly one of them; a number before or after a name must be that entry's own.
    """
    if len(text) > _LONGEST:
        return None
    plain = " ".join(text.split())
    number = by_name(plain, labels)
    if number is None and _PARTED.search(plain):
        number = by_name(_PARTED.sub(": ", plain), labels)
    if number is not None:
        return number
    listed = read_listed(plain)
    if listed is not None:
        return listed
    behind = _BEHIND.fullmatch(plain)
    entry = (int(behind["number"]), behind["name"]) if behind else split_listed(plain)
    if entry is None or entry[0] not in labels or has_second(entry[1]):
        return None
    return entry[0] if _is_part(entry[1], labels[entry[0]]) else None


def by_name(text: str, labels: Labels) -> int | None:
    """Return the number of the only entry with this name, or with this last part of its address."""
    wanted = folded(text)
    if not wanted:
        return None
    for names in (
        {number: folded(label) for number, label in labels.items()},
        {number: folded(label.rpartition(": ")[2]) for number, label in labels.items()},
    ):
        found = [number for number, name in names.items() if name == wanted]
        if found:
            return found[0] if len(found) == 1 else None
    inside = [number for number, label in labels.items() if wanted.startswith(folded(label) + ": ")]
    if inside:
        return inside[0] if len(inside) == 1 else None
    words = _words(text)
    same = [number for number, label in labels.items() if words and _words(label) == words]
    return same[0] if len(same) == 1 else None


def _is_part(text: str, label: str) -> bool:
    """Return whether a text is a label, one part of its address, or starts with it."""
    wanted = folded(text)
    parts = {folded(label), *(folded(part) for part in label.split(": "))}
    return (
        wanted in parts or wanted.startswith(folded(label) + ": ") or _words(text) == _words(label)
    )


def _words(text: str) -> list[str]:
    """Return the words of a name in alphabetical order, without small ones."""
    return sorted(word for word in _WORDS.findall(folded(text)) if word not in _SMALL)
