"""Hold a reply's values to this call's choices."""

from collections.abc import Iterator, Sequence
from typing import Any

from parsers.problem import Problem, field_problem, one_of
from parsers.reading.fitting import Choices


def choice_problems(data: Any, choices: Choices) -> tuple[Problem, ...]:
    """A problem for each value that is none of its field's choices; null and absence pass."""
    return tuple(
        field_problem(path, value, f". {one_of(value, allowed)}", "choice")
        for name, allowed in choices.items()
        for path, value in _values(data, name.replace("[]", ".[]").split("."), "")
        if not _is_one(value, allowed)
    )


def _is_one(value: Any, allowed: Sequence[str | int]) -> bool:
    """Whether the value is one of these, or null; true and 1 are not the same."""
    if value is None:
        return True
    return isinstance(value, (str, int)) and not isinstance(value, bool) and value in allowed


def _values(data: Any, parts: list[str], path: str) -> Iterator[tuple[str, Any]]:
    """The values at a path of choices, each with its own dotted path."""
    if not parts:
        yield path, data
    elif parts[0] == "[]":
        for position, item in enumerate(data if isinstance(data, list) else ()):
            yield from _values(item, parts[1:], f"{path}.{position}")
    elif isinstance(data, dict) and parts[0] in data:
        name = f"{path}.{parts[0]}" if path else parts[0]
        yield from _values(data[parts[0]], parts[1:], name)
