"""Find fields and listed entries under other names: an alias, "Hobbs Cafe", "2. the kitchen"."""

import re
from collections.abc import Mapping
from typing import Any

from smolville.parsers.answer import Kind, Shape
from smolville.parsers.problem import TwoValues, quote_value
from smolville.parsers.reading.scalars import (
    find_in_phrase,
    find_spelled,
    fold_text,
    has_second,
    read_listed,
    split_listed,
)

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MOST = 24
_TYPES: dict[Kind, tuple[type, ...]] = {
    "object": (dict,),
    "list": (list, dict, str, int),
    "text": (str,),
    "choice": (str,),
    "number": (int, float, str),
    "clock": (str, int),
    "truth": (bool, str, int),
}

Labels = Mapping[int, str]
"""The listed entries by number; places are written `sector: arena`."""

WRAPPERS = frozenset(("value", "answer", "result", "output", "content"))
"""Names that say nothing of what they hold."""

_BEHIND = re.compile(r"(?P<name>.{1,120}?) ?[\[(](?:no\.? ?|number ?|#)?(?P<number>\d{1,4})[\])]")
_WORDS = re.compile(r"[^\W_]+")
_SMALL = {"the", "a", "an", "of", "in", "at", "s", "to", "room", "place"}
_LONGEST = 200


def rename_fields(shape: Shape, fields: dict[Any, Any], path: str) -> list[str]:
    """Rename fields that are under another name in place, and return a note for each.

    Two candidates with different values become one `TwoValues`, which is a problem.
    """
    strange = {key: spelling(key) for key in list(fields)[:_MOST] if _is_strange(shape, key)}
    notes = []
    for name, field in shape.fields.items():
        if name in fields or not strange:
            continue
        keys = _keys_for(shape, field, fields, strange)
        if not keys:
            continue
        first, *others = (fields[key] for key in keys)
        other = next((each for each in others if each != first), None)
        fields[name] = first if other is None else TwoValues(first, other)
        where = f"`{path}.{name}`" if path else f"`{name}`"
        notes.append(f"{where}: took the field {quote_value(keys[0])} for it")
        for key in keys:
            del strange[key], fields[key]
    return notes


def spelling(key: str) -> str:
    """Return a field name in lower case with underscores."""
    plain = _CAMEL.sub("_", key.replace("\\", "").strip(" \"'`*:-"))
    return re.sub(r"[\s\-_]+", "_", plain).lower()


def _is_strange(shape: Shape, key: Any) -> bool:
    return isinstance(key, str) and key not in shape.fields and len(key) <= 60


def _keys_for(
    shape: Shape, field: Shape, fields: dict[Any, Any], strange: dict[str, str]
) -> list[str]:
    """Return the keys that mean this field: other spellings, else aliases."""
    suited = [key for key in strange if _suits(field, fields[key])]
    general = WRAPPERS if len(shape.fields) == 1 else ()
    for names in ((field.name,), field.aliases, general):
        keys = [key for key in suited if strange[key] in names]
        if keys:
            return keys
    return []


def _suits(field: Shape, value: Any) -> bool:
    if isinstance(value, list) and len(value) == 1 and field.kind != "list":
        value = value[0]
    if value is None:
        return field.nullable
    if isinstance(value, bool):
        return field.kind == "truth"
    return isinstance(value, _TYPES[field.kind])


def find_number(text: str, labels: Labels) -> int | None:
    """Return the number of the entry that a text means, or None if that is ambiguous.

    A name must match exactly one entry. In a text with a number and a name, the name must be that
    of the entry with this number.
    """
    if len(text) > _LONGEST:
        return None
    plain = " ".join(text.split())
    number = _by_name(plain, labels)
    number = read_listed(plain) if number is None else number
    if number is not None:
        return number
    behind = _BEHIND.fullmatch(plain)
    entry = (int(behind["number"]), behind["name"]) if behind else split_listed(plain)
    if entry is None or entry[0] not in labels or has_second(entry[1]):
        return None
    return entry[0] if _is_part(entry[1], labels[entry[0]]) else None


def _by_name(text: str, labels: Labels) -> int | None:
    """Return the number of the only entry that a name means, or None.

    A name may be the whole label, the last part of its address, the label with further parts after
    it, the label's words in another order, or a respelling or short phrase of the label or its last
    part.
    """
    folded = fold_text(text)
    if not folded:
        return None
    parts = {number: label.rpartition(": ")[2] for number, label in labels.items()}
    whole = [number for number, name in labels.items() if fold_text(name) == folded]
    last = [number for number, name in parts.items() if fold_text(name) == folded]
    above = [number for number, name in labels.items() if folded.startswith(fold_text(name) + ": ")]
    if found := whole or last or above:
        return found[0] if len(found) == 1 else None
    words = _words(text)
    same = [number for number, label in labels.items() if words and _words(label) == words]
    numbers, names = [*labels, *parts], (*labels.values(), *parts.values())
    near = {*same} | {
        numbers[at] for at in find_spelled(text, names) or find_in_phrase(text, names)
    }
    return near.pop() if len(near) == 1 else None


def _is_part(text: str, label: str) -> bool:
    """Return whether a text names an entry with this label.

    It may be the label, one part of its address or the first ones, the label with further parts
    after it, or the label's words in another order.
    """
    folded = fold_text(text)
    parts = {fold_text(label), *(fold_text(part) for part in label.split(": "))}
    return (
        folded in parts
        or folded.startswith(fold_text(label) + ": ")
        or fold_text(label).startswith(folded + ": ")
        or _words(text) == _words(label)
    )


def _words(text: str) -> list[str]:
    """Return the words of a name in alphabetical order, without short function words."""
    return sorted(word for word in _WORDS.findall(fold_text(text)) if word not in _SMALL)
