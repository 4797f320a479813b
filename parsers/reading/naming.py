"""Find the number of a listed thing that was named instead: "Hobbs Cafe", "2. the kitchen"."""

import re
from collections.abc import Mapping

from parsers.reading.scalars import folded, has_second, read_listed, split_listed

Labels = Mapping[int, str]
"""What is listed, by number; a place is written `sector: arena`."""

_BEHIND = re.compile(r"(?P<name>.{1,120}?) ?[\[(](?:no\.? ?|number ?|#)?(?P<number>\d{1,4})[\])]")
_WORDS = re.compile(r"[^\W_]+")
_SMALL = {"the", "a", "an", "of", "in", "at", "s", "to", "room", "place"}
_PARTED = re.compile(r" ?(?:->|=>|[>/|,\u2192\u00bb]) ?")
"""What models write between the parts of an address."""
_LONGEST = 200


def numbered(text: str, labels: Labels) -> int | None:
    """The number that a text means among these, or None when that is in doubt.

    A name must be that of exactly one of them, and a number before or behind a name its own.
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
    """The number of the only thing with this name, whole or the last part of its address."""
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
    """Whether a text is a label, one part of its address, or starts with it."""
    wanted = folded(text)
    parts = {folded(label), *(folded(part) for part in label.split(": "))}
    return (
        wanted in parts or wanted.startswith(folded(label) + ": ") or _words(text) == _words(label)
    )


def _words(text: str) -> list[str]:
    """The words of a name in alphabetical order, without small ones."""
    return sorted(word for word in _WORDS.findall(folded(text)) if word not in _SMALL)
