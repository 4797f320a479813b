"""Keep the right items of a list when others are wrong, and only those that were asked for."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from smolville.parsers.answer import Answer, Context, Mended, read_context_value, shape_of
from smolville.parsers.problem import Problem, field_problem, place_of


def kept_items(
    answer: type[Answer], data: Any, context: Context | None, wrong: Sequence[int]
) -> tuple[BaseModel, ...]:
    """Return the valid items of the answer's list that can be used although the reply has problems.

    An item's key must have been asked, and no other item may have it. Items at the positions in
    `wrong` are left out, although each may be valid by itself.
    """
    if not isinstance(data, dict) or answer.items_field is None:
        return ()
    items = data.get(answer.items_field)
    if not isinstance(items, list):
        return ()
    valid = [
        item
        for position, raw in enumerate(items)
        if position not in wrong and (item := _valid(answer, raw, context)) is not None
    ]
    return tuple(_asked_once(answer, items, valid, context))


def missing_keys(answer: type[Answer], data: Any, context: Context | None) -> tuple[Problem, ...]:
    """Return a problem that names the keys for which the reply has no item at all."""
    asked = read_context_value(context, answer.keys_name) if answer.keys_name else None
    if asked is None or answer.items_field is None or not isinstance(data, dict):
        return ()
    items = data.get(answer.items_field)
    if not isinstance(items, list):
        return ()
    given = {item.get(answer.key_field) for item in items if _has_plain_key(item, answer)}
    missing = [key for key in asked if key not in given]
    return find_missing_keys(answer, missing, answer.items_field)


def find_missing_keys(answer: type[Answer], keys: Sequence[int], field: str) -> tuple[Problem, ...]:
    """Return the problem that the list has no item for these keys; empty if there are no keys."""
    if not keys:
        return ()
    listed = ", ".join(map(str, keys))
    add = "Add it." if len(keys) == 1 else "Add one for each of these."
    message = f"got no item whose `{answer.key_field}` is {listed}. {add}"
    return (Problem(field, "", f"`{field}`: {message}" if field else message, "missing"),)


def renamed_by_key(answer: type[Answer], data: Any, problem: Problem) -> Problem:
    """Return the problem with its item called by its number instead of its position, if possible.

    The number must be unique in the list. When items are asked for again, their positions change,
    but their numbers stay the same.
    """
    field, *rest = problem.field.split(".")
    if answer.key_field is None or field != answer.items_field or len(rest) < 2:
        return problem
    items = [item for item in data[field] if _has_plain_key(item, answer)]
    keys = [item[answer.key_field] for item in items]
    own = data[field][int(rest[0])]
    if rest[1] == answer.key_field or own not in items or keys.count(own[answer.key_field]) > 1:
        return problem
    names = {f"{field}.{rest[0]}": f"the item with `{answer.key_field}` {own[answer.key_field]}"}
    told = problem.message.removeprefix(place_of(problem.field))
    return replace(problem, message=place_of(problem.field, names) + told)


def _has_plain_key(item: Any, answer: type[Answer]) -> bool:
    return isinstance(item, dict) and isinstance(item.get(answer.key_field), int)


def _valid(answer: type[Answer], raw: Any, context: Context | None) -> BaseModel | None:
    try:
        return _adapter(answer).validate_python(raw, context=context)
    except ValidationError:
        return None


def _asked_once(
    answer: type[Answer], all_: list[Any], items: list[BaseModel], context: Context | None
) -> Iterable[BaseModel]:
    """Yield the items whose key was asked and occurs in no other item, right or wrong."""
    if answer.key_field is None:
        yield from items
        return
    keys = [item[answer.key_field] for item in all_ if _has_plain_key(item, answer)]
    asked = read_context_value(context, answer.keys_name) if answer.keys_name else None
    if asked is not None and any(key <= 0 < min(asked, default=0) for key in keys):
        return  # counted from nought: every number may mean the one after it
    for item in items:
        key = getattr(item, answer.key_field)
        if keys.count(key) == 1 and (asked is None or key in asked):
            yield item


@cache
def _adapter(answer: type[Answer]) -> TypeAdapter[BaseModel]:
    assert answer.items_field is not None
    annotation = answer.model_fields[answer.items_field].annotation
    (item,) = getattr(annotation, "__args__")  # noqa: B009 - mypy knows no arguments of a type
    return TypeAdapter(item)


def mend_keys(answer: type[Answer], data: dict[str, Any], context: Context | None) -> Mended:
    """Return the data with only the items that were asked for, and notes.

    Exact repetitions and items that were not asked for are dropped.
    """
    field, key = answer.items_field or "", answer.key_field or ""
    items = data.get(field)
    asked = read_context_value(context, answer.keys_name or "")
    if asked is None or not isinstance(items, list) or not items:
        return data, []
    if not all(isinstance(item, dict) for item in items):
        return data, []
    mended, notes = _drop_repetitions(items, answer)
    mended, dropped = _asked_only(mended, key, list(asked))
    return data | {field: mended}, [f"`{field}`: {note}" for note in notes + dropped]


def key_problems(
    answer: type[Answer], keys: Sequence[int], context: Context | None
) -> list[Problem]:
    """Return the problems of a list in which each number asked must occur exactly once.

    The fields of the problems are relative to the list.
    """
    asked = read_context_value(context, answer.keys_name or "")
    key = answer.key_field or ""
    problems = []
    for position, number in enumerate(keys):
        if number in keys[:position] and (asked is None or number in asked):
            rest = ", which an item before it has already. Write each number exactly once."
            problems.append(field_problem(f"{position}.{key}", number, rest, "duplicate"))
    missing = [number for number in asked or () if number not in keys]
    return [*problems, *find_missing_keys(answer, missing, "")]


def _drop_repetitions(items: list[Any], answer: type[Answer]) -> tuple[list[Any], list[str]]:
    item_shape = shape_of(answer).fields[answer.items_field or ""].item
    asked = item_shape.fields if item_shape else {}
    plain = [{name: item.get(name) for name in asked} for item in items]
    single = [item for at, item in enumerate(items) if plain[at] not in plain[:at]]
    return single, (["left out a repetition"] if len(single) < len(items) else [])


def _asked_only(items: list[Any], key: str, asked: list[int]) -> tuple[list[Any], list[str]]:
    """Return only the items that were asked for, if each of these occurs; else all items."""
    numbers = [item.get(key) for item in items]
    if sorted(number for number in numbers if number in asked) != sorted(asked):
        return items, []
    if any(isinstance(number, int) and number <= 0 < min(asked, default=0) for number in numbers):
        return items, []
    kept = [item for item in items if item.get(key) in asked]
    return kept, ([f"left out items whose `{key}` was not asked"] if len(kept) < len(items) else [])
