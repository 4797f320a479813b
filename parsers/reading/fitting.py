"""Convert a value found in a reply to the answer's form, as far as its meaning is unambiguous.

First the whole value is unwrapped, wrapped, or made a list (`in_form`), then each field is fitted.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smolville.parsers.answer import Shape
from smolville.parsers.clock import clock_text, sure_clock
from smolville.parsers.problem import (
    PlainWords,
    Problem,
    TwoValues,
    field_problem,
    one_of,
    quote_value,
)
from smolville.parsers.reading.sentences import clip_text
from smolville.parsers.reading.syntax import LONGEST_REPLY, read_values
from smolville.parsers.reading.values import (
    Labels,
    find_number,
    is_ellipsis,
    named_choice,
    null_when_said,
    read_duration,
    read_listed,
    read_rating,
    read_truth,
    rename_fields,
    spelling,
    split_listed,
    unnumbered,
    without_label,
)

Choices = Mapping[str, Sequence[str | int]]
"""This call's choices by dotted path, with `[]` for a list's items."""
Form = tuple[Any, tuple[str, ...]]
"""A value, and notes on what was done to it."""

_LONGEST = 200
_MOST_FIELDS = 24
_MOST_INSIDE = 100
"""Maximum number of values inside one value that are searched for the answer."""
_MOST_UNASKED = 3
_SEVERAL = re.compile(r"\s*[,;]\s*|\s+and\s+")


def likeness(shape: Shape, value: Any) -> int:
    """Return how many of the answer's fields the value has."""
    if not isinstance(value, dict):
        return 0
    keys = [key for key in list(value)[:_MOST_FIELDS] if isinstance(key, str) and len(key) <= 60]
    exact = len(shape.fields.keys() & value.keys())
    return exact or len(shape.fields.keys() & {spelling(key) for key in keys})


def in_form(shape: Shape, value: Any) -> Form:
    """Return the value as the requested object, if it differs only in form.

    The answer may be inside fields such as `answer` or `value`, or in the call of a tool in the
    notation of any chat template. A value that contains answers that differ becomes a `TwoValues`,
    which is a problem.
    """
    notes: tuple[str, ...] = ()
    if not _is_itself(shape, value) and (found := _find_inside(shape, value)):
        value, notes = found[0]
        other = next((each for each, _ in found if each != value), None)
        value = value if other is None else TwoValues(value, other)
    formed, done = _as_object(shape, value)
    return formed, notes + done


def _is_itself(shape: Shape, value: Any) -> bool:
    """Return whether a value is like the answer, and no text of it is an object: another layer."""
    return likeness(shape, value) > 0 and not any(
        field.kind == "text" and isinstance(value.get(name), dict)
        for name, field in shape.fields.items()
    )


def join_objects(shape: Shape, values: list[Any]) -> Form | None:
    """Return several objects in a row as the requested list, or None if they do not form it."""
    field = _only_list(shape)
    if field is None or field.item is None or field.item.kind != "object" or len(values) < 2:
        return None
    if all(likeness(field.item, value) and not likeness(shape, value) for value in values):
        return {field.name: values}, (f"put {len(values)} objects into the list `{field.name}`",)
    return None


def _only_list(shape: Shape) -> Shape | None:
    """Return the answer's list field, if every other field is optional."""
    needed = [field for field in shape.fields.values() if not field.optional]
    return needed[0] if len(needed) == 1 and needed[0].kind == "list" else None


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
        if may_be_formed and _as_object(shape, outer)[1]:
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
    inside: list[Form] = []
    if isinstance(value, list):
        inside = [(each, ("took the answer out of a list",)) for each in value]
    if isinstance(value, dict):
        inside = [
            (each, (f"took the answer out of the field {str(key)[:30]!r}",))
            for key, each in value.items()
        ]
    return [
        form
        for form in inside
        if isinstance(form[0], (dict, list))
        or (isinstance(form[0], str) and ("{" in form[0] or "[" in form[0]))
    ]


def _as_object(shape: Shape, value: Any) -> Form:
    """Return the value with the missing object put around it."""
    field = _only_list(shape)
    if field is None or field.item is None:
        return value, ()
    if isinstance(value, list) and value and all(_is_item(field.item, each) for each in value):
        return {field.name: value}, (f"took the list for `{field.name}`",)
    if not isinstance(value, dict) or likeness(shape, value) or _has_alias(field, value):
        return value, ()
    if _is_item(field.item, value):
        return {field.name: [value]}, (f"took the object for the only one of `{field.name}`",)
    if _items_of_map(field.item, value) is None:
        return value, ()
    return {field.name: value}, (f"took the object for `{field.name}`",)


def _has_alias(field: Shape, value: dict[Any, Any]) -> bool:
    return any(isinstance(key, str) and spelling(key[:60]) in field.aliases for key in value)


def _is_item(item: Shape, value: Any) -> bool:
    if item.kind != "object":
        return item.kind == "text" and isinstance(value, str)
    return bool(likeness(item, value))


def _items_of_map(item: Shape, value: dict[Any, Any]) -> list[Any] | None:
    """Return the items of a list that was written as a map by number; None for any other map.

    `{"4": 8}` is a list of one rating; the values may also be objects without their number.
    """
    if item.kind != "object" or not value or any(read_listed(str(key)) is None for key in value):
        return None
    first, *others = item.fields.values()
    needed = [field.name for field in others if not field.optional]
    if first.kind != "number":
        return None
    items = []
    for key, each in value.items():
        if isinstance(each, dict) and not {first.name, *first.aliases} & each.keys():
            items.append({first.name: key, **each})
        elif len(needed) == 1 and isinstance(each, (int, str)) and not isinstance(each, bool):
            items.append({first.name: key, needed[0]: each})
        else:
            return None
    return items


class Fitting:
    """The conversion of one reply: changes values and notes each mend."""

    def __init__(self, choices: Choices, labels: Mapping[str, Labels]) -> None:
        """Store this call's choices, and the texts that stand behind the numbers of its fields."""
        self._choices = choices
        self._labels = labels
        self.notes: list[str] = []

    def fit(self, shape: Shape, value: Any, path: str = "") -> Any:
        """Return the value in the form that the shape requires; unchanged if it is ambiguous."""
        if shape.kind == "object":
            return self._object(shape, value, path) if isinstance(value, dict) else value
        if shape.kind == "list":
            return self._list(shape, value, path)
        if value is None or (shape.nullable and null_when_said(value) is None):
            return None if value is None else self._note(path, value, None)
        if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], (list, dict)):
            value = self._note(path, value, value[0])
        readers = {"number": self._number, "clock": self._clock, "truth": self._truth}
        return readers.get(shape.kind, self._text)(shape, value, path)

    def _note(self, path: str, got: Any, mended: Any) -> Any:
        self.notes.append(f"`{path}`: read {quote_value(got)} as {quote_value(mended)}")
        return mended

    def _object(self, shape: Shape, value: dict[Any, Any], path: str) -> dict[Any, Any]:
        fitted = dict(value)
        if not shape.fields.keys() <= fitted.keys():
            self.notes += rename_fields(shape, fitted, path)
        if unasked := [key for key in fitted if key not in shape.fields]:
            listed = ", ".join(quote_value(key) for key in unasked[:_MOST_UNASKED])
            note = f"left out what was not asked: {listed}"
            self.notes += [note] if note not in self.notes else []
        prefix = f"{path}." if path else ""
        for name, field in shape.fields.items():
            if not self._choices.get(f"{choice_path(prefix + name)}[]", (0,)):
                if fitted.get(name):
                    note = f"`{prefix}{name}`: left out, for there is nothing to choose"
                    self.notes.append(note)
                fitted[name] = []
            elif name in fitted:
                fitted[name] = self.fit(field, fitted[name], prefix + name)
        return fitted

    def _list(self, shape: Shape, value: Any, path: str) -> Any:
        assert shape.item is not None
        if not isinstance(value, list):
            value = self._as_list(shape, shape.item, value, path)
            if not isinstance(value, list):
                return value
        if shape.item.kind == "text":
            texts: list[Any] = unnumbered(value) or value
            if not shape.least:
                texts = [item for item in texts if null_when_said(item) is not None]
            value = value if texts == value else self._note(path, value, texts)
        return [self.fit(shape.item, item, f"{path}.{i}") for i, item in enumerate(value)]

    def _as_list(self, shape: Shape, item: Shape, value: Any, path: str) -> Any:
        """Return a single item, a text's numbers or a map as a list; any other value unchanged."""
        if not shape.least and not shape.nullable and null_when_said(value) is None:
            return self._note(path, value, [])
        listed: list[Any] | None = None
        if isinstance(value, dict) and item.kind == "object":
            listed = [value] if item.fields.keys() & value.keys() else _items_of_map(item, value)
        elif item.kind == "number" and isinstance(value, int) and not isinstance(value, bool):
            listed = [value]
        elif item.kind == "number" and isinstance(value, str):
            listed = _numbers(value)
        elif item.kind == "text" and isinstance(value, str):
            listed = [value]
        return value if listed is None else self._note(path, value, listed)

    def _number(self, shape: Shape, value: Any, path: str) -> Any:
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
            return self._note(path, value, int(value))
        if isinstance(value, str) and len(value) <= _LONGEST:
            number = self._number_of(shape, without_label(value, shape.name), path)
            if number is not None:
                return self._note(path, value, number)
        return value

    def _number_of(self, shape: Shape, text: str, path: str) -> int | None:
        """Return the number a text means in this field: a list's entry, minutes, or a rating."""
        if labels := self._labels.get(choice_path(path)):
            return find_number(text, labels)
        if shape.name == "minutes":
            minutes = read_duration(text)
            return read_rating(text, None) if minutes is None else minutes
        if shape.most is not None:
            return read_rating(text, shape.most)
        listed, entry = read_listed(text), split_listed(text)
        return entry[0] if listed is None and entry is not None else listed

    def _clock(self, shape: Shape, value: Any, path: str) -> Any:
        text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(text, str):
            return value
        text = text.strip()
        minute = sure_clock(text) if len(text) <= _LONGEST else None
        if minute is None:
            return text
        exact = clock_text(minute)
        return exact if exact == value else self._note(path, value, exact)

    def _truth(self, shape: Shape, value: Any, path: str) -> Any:
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            return value
        truth = read_truth(str(value)[:10])
        return value if truth is None else self._note(path, value, truth)

    def _text(self, shape: Shape, value: Any, path: str) -> Any:
        """Return a text: one of the choices if there are any, shortened if that loses nothing."""
        if not isinstance(value, str):
            return value
        if is_ellipsis(value):
            return PlainWords(f"{quote_value(value)}, which says nothing")
        offered = shape.fixed or self._choices.get(choice_path(path), ())
        choices = tuple(choice for choice in offered if isinstance(choice, str))
        if choices and value not in choices:
            named = named_choice(value, choices, shape.name)
            return value if named is None else self._note(path, value, named)
        if shape.trims and shape.most is not None and len(value) > shape.most:
            self.notes.append(f"`{path}`: shortened from {len(value)} characters")
            return clip_text(value, shape.most)
        return value


def choice_path(path: str) -> str:
    """Return the path that choices use for a field: `items.2.place` becomes `items[].place`."""
    return re.sub(r"\.\d+(?=\.|$)", "[]", path)


def _numbers(text: str) -> list[int] | None:
    plain = text.strip().strip("[]()")
    if len(plain) > _LONGEST or not plain:
        return None
    numbers = [read_listed(part) for part in _SEVERAL.split(plain)]
    return None if None in numbers else [number for number in numbers if number is not None]


def choice_problems(data: Any, choices: Choices) -> tuple[Problem, ...]:
    """Return a problem for each value outside its field's choices; null and absence are allowed."""
    return tuple(
        field_problem(path, value, f". {one_of(value, allowed)}", "choice")
        for name, allowed in choices.items()
        for path, value in _values(data, name.replace("[]", ".[]").split("."), "")
        if not _is_one(value, allowed)
    )


def _is_one(value: Any, allowed: Sequence[str | int]) -> bool:
    """Return whether the value is one of these, or null; true and 1 are not the same."""
    if value is None:
        return True
    return isinstance(value, (str, int)) and not isinstance(value, bool) and value in allowed


def _values(data: Any, parts: list[str], path: str) -> Iterator[tuple[str, Any]]:
    """Yield the values at a path of choices, each with its own dotted path."""
    if not parts:
        yield path, data
    elif parts[0] == "[]":
        for position, item in enumerate(data if isinstance(data, list) else ()):
            yield from _values(item, parts[1:], f"{path}.{position}")
    elif isinstance(data, dict) and parts[0] in data:
        name = f"{path}.{parts[0]}" if path else parts[0]
        yield from _values(data[parts[0]], parts[1:], name)
