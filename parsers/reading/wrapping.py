"""Convert a value to the requested form: unwrap it, wrap it, or make a list or item of it."""

import json
import re
from collections import deque
from typing import Any

from smolville.parsers.answer import Answer, Context, Shape, read_context_value, shape_of
from smolville.parsers.clock import halves_of
from smolville.parsers.problem import TwoValues
from smolville.parsers.reading.naming import spelling
from smolville.parsers.reading.scalars import read_listed, unnumbered
from smolville.parsers.reading.syntax import LONGEST_REPLY, read_values
from smolville.parsers.reading.turns import own_words

_PARAMETER = re.compile(r"<parameter=(\w{1,40})>(.*?)</parameter>", re.DOTALL)
_ENTRY = re.compile(r"\s*(?:\d{1,2}[.)]|[-*+\u2022])\s+(?P<text>.*[.?!][\"\u201d*_]*)\s*")
_MARKS = "*`_ "

_LAYERS = 4
_MOST = 24
_MOST_INSIDE = 100
"""Maximum number of values inside one value that are searched for the answer."""

Form = tuple[Any, tuple[str, ...]]
"""A value, and notes on what was done to it."""


def in_form(shape: Shape, value: Any, *, is_alone: bool = True) -> Form:
    """Return the value as the requested object, if it differs only in form.

    A value that is not alone in its reply is never taken for the only item of a list.
    """
    notes: tuple[str, ...] = ()
    for _ in range(_LAYERS):
        value, unwrapped = _without_layers(shape, value)
        if not unwrapped:
            break
        notes += unwrapped
    formed, done = _as_object(shape, value, is_alone=is_alone)
    return formed, notes + done


def in_order_asked(answer: type[Answer], value: Any, context: Context | None) -> Form:
    """Return the answer that a bare list gives to the numbers asked, with a note; else the value.

    `[3, 7]` answers the questions 1 and 2. An item may have only its number and one value, and
    there must be as many values as were asked. A list that equals the numbers asked is left
    unchanged: it may only repeat them.
    """
    if isinstance(value, list) and (fields := answer.of_list(value, context)) is not None:
        return fields, (f"took {len(value)} values in the order asked",)
    asked = read_context_value(context, answer.keys_name or "")
    field = shape_of(answer).fields.get(answer.items_field or "")
    is_list = isinstance(value, list) and asked and len(value) == len(asked)
    if not is_list or value == list(asked) or field is None or field.item is None:
        return value, ()
    items = items_of_map(field.item, dict(zip(map(str, asked), value, strict=True)))
    note = f"took {len(value)} values in the order asked"
    return (value, ()) if items is None else ({field.name: items}, (note,))


def join_objects(shape: Shape, values: list[Any]) -> Form | None:
    """Return several objects in a row as the requested list, or None if they do not form it."""
    field = only_list(shape)
    if field is None or field.item is None or len(values) < 2:
        return None
    if field.item.kind == "object" and all(
        isinstance(value, dict) and likeness(field.item, value) and not likeness(shape, value)
        for value in values
    ):
        return {field.name: values}, (f"put {len(values)} objects into the list `{field.name}`",)
    return None


def likeness(shape: Shape, value: Any) -> int:
    """Return how many of the answer's fields the value has."""
    if not isinstance(value, dict):
        return 0
    exact = len(shape.fields.keys() & value.keys())
    return exact or _count_other_spellings(shape, value)


def _count_other_spellings(shape: Shape, value: dict[Any, Any]) -> int:
    keys = [key for key in list(value)[:_MOST] if isinstance(key, str) and len(key) <= 60]
    return len(shape.fields.keys() & {spelling(key) for key in keys})


def only_list(shape: Shape) -> Shape | None:
    """Return the answer's list field, if every other field is optional."""
    needed = [field for field in shape.fields.values() if not field.optional]
    return needed[0] if len(needed) == 1 and needed[0].kind == "list" else None


def _without_layers(shape: Shape, value: Any) -> Form:
    """Return the answer inside the value without the objects, lists and texts around it.

    These may be fields such as `answer` or `value`, or the call of a tool in the notation of any
    chat template. A value that is the answer itself is unchanged; one that contains answers that
    differ becomes a `TwoValues`, which is a problem.
    """
    like = likeness(shape, value)
    if like and not (inside := _held_by_itself(shape, value)):
        return value, ()
    found = inside if like else _find_inside(shape, value)
    if not found:
        return value, ()
    other = next((each for each, _ in found if each != found[0][0]), None)
    return found[0] if other is None else (TwoValues(found[0][0], other), ())


def _held_by_itself(shape: Shape, value: dict[Any, Any]) -> list[Form]:
    """Return the answer that is in its own only field: `{"text": {"text"…`."""
    own = [key for key in value if key in shape.fields]
    if len(own) != 1 or shape.fields[own[0]].kind != "text":
        return []
    found = _find_inside(shape, {own[0]: value[own[0]]})
    return [each for each in found if likeness(shape, each[0])]


def _find_inside(shape: Shape, value: Any) -> list[Form]:
    """Return the answers inside a value, each with notes; at most one of another form.

    A text is searched like a reply; all texts together may be as long as one.
    """
    whole, formed, room = list[Form](), list[Form](), LONGEST_REPLY
    queue: deque[tuple[Any, tuple[str, ...], bool]] = deque([(value, (), True)])
    for _ in range(_MOST_INSIDE):
        if not queue or room < 0:
            break
        outer, notes, may_be_formed = queue.popleft()
        room -= len(outer) if isinstance(outer, str) else 0
        if notes and likeness(shape, outer):
            whole.append((outer, notes))
            continue
        if may_be_formed and _as_object(shape, outer, is_alone=True)[1]:
            may_be_formed = False
            if notes:
                formed.append((outer, notes))
        for inner, note in _layer(outer):
            queue.append((inner, notes + note, may_be_formed))
    if queue or room < 0:
        return []
    return whole or (formed if len(formed) == 1 else [])


def _layer(value: Any) -> list[Form]:
    """Return the values directly inside a value that may contain an answer, each with notes."""
    if isinstance(value, str):
        return [(each.value, each.mends) for each in read_values(value) if not each.fault]
    note = ("took the answer out of a list",)
    inside = [(each, note) for each in value] if isinstance(value, list) else []
    if isinstance(value, dict):
        inside = [
            (each, (f"took the answer out of the field {str(key)[:30]!r}",))
            for key, each in value.items()
        ]
    return [form for form in inside if isinstance(form[0], (dict, list)) or _is_reply(form[0])]


def _is_reply(value: Any) -> bool:
    return isinstance(value, str) and not {"{", "[", "\uff5b", "\uff3b"}.isdisjoint(value)


def _as_object(shape: Shape, value: Any, *, is_alone: bool) -> Form:
    """Return the value with the missing object put around it."""
    field = only_list(shape)
    if field is None or field.item is None:
        return value, ()
    if isinstance(value, list) and value and all(_is_item(field, each) for each in value):
        return {field.name: value}, (f"took the list for `{field.name}`",)
    if not isinstance(value, dict) or likeness(shape, value) or _has_alias(field, value):
        return value, ()
    if _is_item(field, value):
        notes = (f"took the object for the only one of `{field.name}`",)
        return ({field.name: [value]}, notes) if is_alone else (value, ())
    first = next(iter(field.item.fields.values()), None)
    if first is None or first.kind == "text" or items_of_map(field.item, value) is None:
        return value, ()
    return {field.name: value}, (f"took the object for `{field.name}`",)


def _has_alias(field: Shape, value: dict[Any, Any]) -> bool:
    return any(isinstance(key, str) and spelling(key[:60]) in field.aliases for key in value)


def _is_item(field: Shape, value: Any) -> bool:
    assert field.item is not None
    if field.item.kind != "object":
        return field.item.kind == "text" and isinstance(value, str)
    return bool(likeness(field.item, value))


def items_of_map(item: Shape, value: dict[Any, Any]) -> list[Any] | None:
    """Return the items of a list that was written as a map; None if the map is no such list.

    The keys are the first fields of the items: `{"4": 8}` is a list of one rating. Or they only
    count the texts of a list, or objects that have a first field of their own.
    """
    values = list(value.values())
    is_counted = [str(key) for key in value] == [str(at + 1) for at in range(len(values))]
    if item.kind == "text" and is_counted and not any(isinstance(it, TwoValues) for it in values):
        return values or None
    if item.kind != "object" or not value or item.fields.keys() & value.keys():
        return None
    first, *others = item.fields.values()
    are_keys = all(_is_key(first, key) for key in value)
    if all(isinstance(each, dict) and item.fields.keys() & each.keys() for each in values):
        own = [{first.name, *first.aliases} & each.keys() for each in values]
        if all(own) and is_counted:
            is_said = all(str(each.get(first.name)) == str(key) for key, each in value.items())
            return values if first.kind != "number" or is_said else None
        return _with_key(first, value) if are_keys and not any(own) else None
    needed = [field for field in others if not (field.optional or field.trims)]
    if len(needed) != 1 or first.optional or first.trims or not are_keys:
        return None
    if not all(_is_value(needed[0], each) for each in values):
        return None
    spare = {field.name: "" for field in others if field.trims}
    return _with_key(first, {key: {**spare, needed[0].name: it} for key, it in value.items()})


def _with_key(first: Shape, value: dict[Any, dict[str, Any]]) -> list[Any]:
    return [{first.name: key, **each} for key, each in value.items()]


def _is_key(field: Shape, key: object) -> bool:
    if field.kind == "number":
        return read_listed(str(key)) is not None
    if field.kind == "clock":
        return bool(halves_of(str(key)))
    return field.kind == "text" and isinstance(key, str) and not key.strip().isdigit()


def _is_value(field: Shape, value: object) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, (int, str) if field.kind == "number" else str)


def read_plain_form(shape: Shape, text: str) -> Form | None:
    """Return the answer in a reply without JSON: a call's parameters, or a plain list; or None."""
    spoken, left_out = own_words(text)
    if (call := _parameters(shape, spoken)) is not None:
        return call, (*left_out, "read the parameters of a call as the answer")
    lines = [line for line in spoken[:LONGEST_REPLY].splitlines() if line.strip("` ")]
    texts = _entries(shape, lines)
    return (texts, (*left_out, "read a list of lines as the answer")) if texts else None


def _parameters(shape: Shape, text: str) -> dict[str, Any] | None:
    """Return the answer in the only call of a tool that names its parameters in tags (Qwen)."""
    found = dict(_PARAMETER.findall(text))
    needed = [field for field in shape.fields.values() if not field.optional]
    spelled = {spelling(name) for name in found}
    is_whole = needed and all({field.name, *field.aliases} & spelled for field in needed)
    if text.count("<function=") != 1 or not is_whole:
        return None
    return {name: _listed(value.strip()) for name, value in found.items()}


def _listed(value: str) -> Any:
    try:
        listed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return listed if isinstance(listed, list) else value


def _entries(shape: Shape, lines: list[str]) -> dict[str, Any] | list[str] | None:
    """Return the texts of a numbered or bulleted list, if there are exactly as many as asked.

    Where the number of texts is free, the lines have to be numbered; an answer with several lists
    of texts takes them as the only one that was asked.
    """
    field = only_list(shape)
    lists = [field] if field is not None else list(shape.fields.values())
    if any(each.item is None or each.item.kind != "text" for each in lists):
        return None
    if field is not None and field.least == field.most:
        matches = [_ENTRY.fullmatch(line) for line in lines]
        entries = [match["text"].strip(_MARKS) for match in matches if match]
        return {field.name: entries} if len(entries) == field.least else None
    opening = bool(lines) and lines[0].rstrip("*_ ").endswith(":")
    texts = unnumbered(lines[opening:])
    return [text.strip(_MARKS) for text in texts] if texts else None
