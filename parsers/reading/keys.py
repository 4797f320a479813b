"""Check lists in which every item answers one numbered question: each number exactly once."""

from collections.abc import Sequence
from typing import Any

from parsers.answer import Answer, Context, known
from parsers.problem import Problem, field_problem, one_of
from parsers.reading.keeping import lacking


def mend_keys(
    answer: type[Answer], data: dict[str, Any], context: Context | None
) -> tuple[dict[str, Any], list[str]]:
    """Return the data with its items' numbers corrected if only the counting is wrong."""
    field, key = answer.items_field or "", answer.key_field or ""
    items = data.get(field)
    asked = known(context, answer.keys_name or "")
    if asked is None or not isinstance(items, list):
        return data, []
    if not items or not all(isinstance(item, dict) for item in items):
        return data, []
    mended, notes = _once(items, key)
    mended, counted = _counted_from(mended, key, list(asked))
    mended, dropped = _asked_only(mended, key, list(asked))
    return data | {field: mended}, [f"`{field}`: {note}" for note in notes + counted + dropped]


def key_problems(
    answer: type[Answer], keys: Sequence[int], context: Context | None
) -> list[Problem]:
    """Return the problems of a list that does not answer each number once, relative to the list."""
    asked = known(context, answer.keys_name or "")
    key = answer.key_field or ""
    problems = []
    for position, number in enumerate(keys):
        path = f"{position}.{key}"
        if asked is not None and number not in asked:
            problems.append(field_problem(path, number, f". {one_of(number, asked)}", "choice"))
        elif number in keys[:position]:
            rest = ", which an item before it has already. Write each number exactly once."
            problems.append(field_problem(path, number, rest, "duplicate"))
    missing = [number for number in asked or () if number not in keys]
    return [*problems, *lacking(answer, missing, "")]


def _once(items: list[Any], key: str) -> tuple[list[Any], list[str]]:
    """Return the items without exact repetitions."""
    single = [item for i, item in enumerate(items) if item not in items[:i]]
    return single, (["left out a repetition"] if len(single) < len(items) else [])


def _counted_from(items: list[Any], key: str, asked: list[int]) -> tuple[list[Any], list[str]]:
    """Return the items with the numbers asked, if they have none or count from another one."""
    numbers = [item.get(key) for item in items]
    if len(items) != len(asked):
        return items, []
    if all(number is None for number in numbers):
        note = f"filled in `{key}` in the order asked"
    elif asked[0] == 1 and numbers == [number - 1 for number in asked]:
        note = f"counted `{key}` from {asked[0]}"
    else:
        return items, []
    return [item | {key: number} for item, number in zip(items, asked, strict=True)], [note]


def _asked_only(items: list[Any], key: str, asked: list[int]) -> tuple[list[Any], list[str]]:
    """Return the items without those that nobody asked for, if all others are there."""
    numbers = [item.get(key) for item in items]
    if sorted(number for number in numbers if number in asked) != sorted(asked):
        return items, []
    if any(isinstance(number, int) and number <= 0 < min(asked, default=0) for number in numbers):
        return items, []
    kept = [item for item in items if item.get(key) in asked]
    return kept, ([f"left out items whose `{key}` was not asked"] if len(kept) < len(items) else [])
