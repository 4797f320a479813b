"""Convert a reply's values to the answer's shape if their meaning is unambiguous."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smolville.parsers.answer import Shape
from smolville.parsers.clock import clock_text, halves_of
from smolville.parsers.problem import PlainWords, Problem, field_problem, one_of, quote_value
from smolville.parsers.reading.naming import WRAPPERS, Labels, find_number, rename_fields, spelling
from smolville.parsers.reading.scalars import (
    has_second,
    is_ellipsis,
    named_choice,
    null_when_said,
    read_duration,
    read_listed,
    read_rating,
    read_truth,
    split_listed,
    unnumbered,
    without_label,
)
from smolville.parsers.reading.sentences import clip_text
from smolville.parsers.reading.wrapping import items_of_map

Choices = Mapping[str, Sequence[str | int]]
"""This call's choices by dotted path, with `[]` for a list's items."""

_LONGEST = 200
_ANY = (0,)
_MOST_UNASKED = 3
_SEVERAL = re.compile(r"\s*[,;]\s*|\s+and\s+")


class Fitting:
    """The conversion of one reply: changes values and notes each mend."""

    def __init__(self, choices: Choices, labels: Mapping[str, Labels] | None = None) -> None:
        """Store this call's choices, and the texts that stand behind the numbers of its fields."""
        self._choices = choices
        self._labels = labels or {}
        self.notes: list[str] = []

    def fit(self, shape: Shape, value: Any, path: str = "") -> Any:
        """Return the value in the form that the shape requires; unchanged if it is ambiguous."""
        if value is None:
            return self._read_absent_value(shape, path)
        value = self._without_wrapper(shape, value, path)
        if shape.kind == "object":
            return self._object(shape, value, path) if isinstance(value, dict) else value
        if shape.kind == "list":
            return self._list(shape, value, path)
        if shape.nullable and null_when_said(value) is None:
            return self._note(path, value, None)
        if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], (list, dict)):
            value = self._note(path, value, value[0])
        return self._single(shape, value, path)

    def _without_wrapper(self, shape: Shape, value: Any, path: str) -> Any:
        """Return the value without an object around it whose only field names the value again."""
        if shape.kind == "object" or not isinstance(value, dict) or len(value) != 1 or not path:
            return value
        ((key, inner),) = value.items()
        holder = re.split(r"\.\d+$", path)[0].rpartition(".")[2]
        names = {*WRAPPERS, *shape.aliases, holder, holder.removesuffix("s")}
        is_named = isinstance(key, str) and spelling(key[:60]) in names
        if (
            not is_named
            or isinstance(inner, dict)
            or (shape.kind != "list") is isinstance(inner, list)
        ):
            return value
        return self._note(path, value, inner)

    def _single(self, shape: Shape, value: Any, path: str) -> Any:
        if shape.kind == "number":
            return self._number(shape, value, path)
        if shape.kind == "clock":
            return self._clock(shape, value, path)
        if shape.kind == "truth":
            return self._truth(value, path)
        return self._text(shape, value, path)

    def _note(self, path: str, got: Any, mended: Any) -> Any:
        """Return the mended value after noting the mend."""
        self.notes.append(f"`{path}`: read {quote_value(got)} as {quote_value(mended)}")
        return mended

    def _read_absent_value(self, shape: Shape, path: str) -> Any:
        """Return an empty list for null in a field whose list may be empty, otherwise None."""
        if shape.kind == "list" and not shape.nullable and not shape.least:
            return self._note(path, None, [])
        return None

    def _object(self, shape: Shape, value: dict[Any, Any], path: str) -> dict[Any, Any]:
        fitted = dict(value)
        if not shape.fields.keys() <= fitted.keys():
            self.notes += rename_fields(shape, fitted, path)
        if not fitted.keys() <= shape.fields.keys():
            self._note_unasked([key for key in fitted if key not in shape.fields])
        prefix = f"{path}." if path else ""
        for name, field in shape.fields.items():
            if not self._choices.get(f"{choice_path(prefix + name)}[]", _ANY):
                fitted[name] = self._nothing_chosen(fitted.get(name), prefix + name)
            elif name in fitted:
                fitted[name] = self.fit(field, fitted[name], prefix + name)
        return fitted

    def _nothing_chosen(self, value: Any, path: str) -> list[Any]:
        if value not in (None, []):
            self.notes.append(f"`{path}`: left out, for there is nothing to choose")
        return []

    def _note_unasked(self, keys: list[Any]) -> None:
        """Add a note on the dropped fields that nobody asked for; the same note is added only once.

        Such a reply was read, but not as it was written, so it does not count as clean.
        """
        listed = ", ".join(quote_value(key) for key in keys[:_MOST_UNASKED])
        note = f"left out what was not asked: {listed}"
        if note not in self.notes:
            self.notes.append(note)

    def _list(self, shape: Shape, value: Any, path: str) -> Any:
        assert shape.item is not None
        if not isinstance(value, list):
            value = self._as_list(shape, shape.item, value, path)
            if not isinstance(value, list):
                return value
        if len(value) > 1 and is_ellipsis(value[-1]) and shape.item.kind != "object":
            value = self._note(path, value, value[:-1])
        if shape.item.kind == "text":
            value = self._texts(shape, value, path)
        return [self.fit(shape.item, item, f"{path}.{i}") for i, item in enumerate(value)]

    def _texts(self, shape: Shape, items: list[Any], path: str) -> list[Any]:
        """Return a list of texts without their numbers, and without "none" if it may be empty."""
        texts = unnumbered(items) or items
        if not shape.least:
            texts = [item for item in texts if null_when_said(item) is not None]
        return items if texts == items else self._note(path, items, texts)

    def _as_list(self, shape: Shape, item: Shape, value: Any, path: str) -> Any:
        """Return a single item, a text's numbers or a map as a list; any other value unchanged."""
        if not shape.least and null_when_said(value) is None:
            return self._note(path, value, [])
        if isinstance(value, dict):
            if item.kind == "object" and item.fields.keys() & value.keys():
                return self._note(path, value, [value])
            listed = items_of_map(item, value)
            return value if listed is None else self._note(path, value, listed)
        if item.kind == "number" and isinstance(value, (str, int)) and not isinstance(value, bool):
            numbers = [value] if isinstance(value, int) else _numbers(value)
            return value if numbers is None else self._note(path, value, numbers)
        if item.kind == "text" and isinstance(value, str):
            lines = unnumbered([line for line in value.splitlines() if line.strip()])
            if lines is not None:
                return self._note(path, value, lines)
            return self._note(path, value, [value])
        return value

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
        labels = self._labels.get(choice_path(path)) if self._labels else None
        if labels:
            return find_number(text, labels)
        if shape.name == "minutes":
            minutes = read_duration(text)
            return read_rating(text, None) if minutes is None else minutes
        if shape.most is not None:
            return read_rating(text, shape.most)
        listed, entry = read_listed(text), split_listed(text)
        if listed is not None or entry is None:
            return listed
        return None if has_second(entry[1]) else entry[0]

    def _clock(self, shape: Shape, value: Any, path: str) -> Any:
        text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(text, str):
            return value
        text = text.strip()
        minutes = halves_of(text) if len(text) <= _LONGEST else ()
        if len(minutes) > 1:
            least, most = shape.least or 0, shape.most or 0
            minutes = tuple(minute for minute in minutes if least <= minute <= most)
        if len(minutes) != 1:
            return text
        exact = clock_text(minutes[0])
        return exact if exact == value else self._note(path, value, exact)

    def _truth(self, value: Any, path: str) -> Any:
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
        choices = shape.fixed or self._choices_at(path)
        if choices and value not in choices:
            named = named_choice(value, choices, shape.name)
            return value if named is None else self._note(path, value, named)
        if shape.trims and shape.most is not None and len(value) > shape.most:
            self.notes.append(f"`{path}`: shortened from {len(value)} characters")
            return clip_text(value, shape.most)
        return value

    def _choices_at(self, path: str) -> tuple[str, ...]:
        if not self._choices:
            return ()
        allowed = self._choices.get(choice_path(path), ())
        return tuple(choice for choice in allowed if isinstance(choice, str))


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
