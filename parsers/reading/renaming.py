"""Find fields under another name: in another case, under a known alias, or slightly misspelled."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from parsers.problem import TwoValues, shown
from parsers.shape import Kind, Shape

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NEAR = 0.85
_SHORTEST = 4
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


def renamed(shape: Shape, fields: dict[Any, Any], path: str) -> list[str]:
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
        notes.append(f"{where}: took the field {shown(keys[0])} for it")
        for key in keys:
            del strange[key], fields[key]
    return notes


def spelling(key: str) -> str:
    """Return a field name in lower case with underscores."""
    plain = _CAMEL.sub("_", key.replace("\\", "").strip(" \"'`*:-"))
    return re.sub(r"[\s\-_]+", "_", plain).lower()


def _is_strange(shape: Shape, key: Any) -> bool:
    """Return whether a key is a name that the shape does not have."""
    return isinstance(key, str) and key not in shape.fields and len(key) <= 60


def _keys_for(
    shape: Shape, field: Shape, fields: dict[Any, Any], strange: dict[str, str]
) -> list[str]:
    """Return the keys that mean this field: other spellings, else aliases, else misspellings."""
    suited = [key for key in strange if _suits(field, fields[key])]
    for names in ((field.name,), field.aliases):
        keys = [key for key in suited if strange[key] in names]
        if keys:
            return keys
    return [key for key in suited if list(_near(shape, strange[key])) == [field.name]][:2]


def _near(shape: Shape, spelled: str) -> Iterator[str]:
    """Yield the names of fields with a similar spelling; none if it is another field's alias."""
    if len(spelled) < _SHORTEST or any(spelled in each.aliases for each in shape.fields.values()):
        return
    for name in shape.fields:
        if SequenceMatcher(None, name, spelled).ratio() >= _NEAR:
            yield name


def _suits(field: Shape, value: Any) -> bool:
    """Return whether a value may be one of this field's, judged by its type."""
    if isinstance(value, list) and len(value) == 1 and field.kind != "list":
        value = value[0]
    if value is None:
        return field.nullable
    if isinstance(value, bool):
        return field.kind == "truth"
    return isinstance(value, _TYPES[field.kind])
