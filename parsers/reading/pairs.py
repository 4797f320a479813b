"""Read a JSON object in which a field may stand twice."""

from typing import Any

from parsers.problem import Twice


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs; a field that stands there with two values has both of them."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    first: dict[str, Any] = {}
    for name, value in pairs:
        if name not in first:
            first[name] = value
        elif first[name] != value and not isinstance(first[name], Twice):
            first[name] = Twice(first[name], value)
    return first
