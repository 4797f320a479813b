"""Fit a reply's values to the answer's shape, where their meaning is not in doubt."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from parsers.clock import clock_text, read_clock
from parsers.problem import shown
from parsers.reading.scalars import null_when_said, read_number, read_truth, same_choice, shortened
from parsers.shape import Shape

Choices = Mapping[str, Sequence[str | int]]
"""This call's choices by dotted path, `[]` for a list's items."""

_NUMBERS = re.compile(r"\s*\d{1,9}(?:\s*(?:,|;|and)\s*\d{1,9})*\s*", re.ASCII)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Fitting:
    """One reading of one reply: fits values and keeps a note of each mend."""

    def __init__(self, choices: Choices) -> None:
        """Start with this call's choices and no notes."""
        self._choices = choices
        self.notes: list[str] = []

    def fit(self, shape: Shape, value: Any, path: str = "") -> Any:
        """The value as the shape wants it; unchanged where its meaning is in doubt."""
        if value is None:
            return self._absent(shape, path)
        if shape.kind == "object":
            return self._object(shape, value, path) if isinstance(value, dict) else value
        if shape.kind == "list":
            return self._list(shape, value, path)
        if shape.nullable and null_when_said(value) is None:
            return self._note(path, value, None)
        if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], (list, dict)):
            value = self._note(path, value, value[0])
        return self._single(shape, value, path)

    def _single(self, shape: Shape, value: Any, path: str) -> Any:
        """A number, time, truth or text as the shape wants it."""
        if shape.kind == "number":
            return self._number(shape, value, path)
        if shape.kind == "clock":
            return self._clock(value, path)
        if shape.kind == "truth":
            return self._truth(value, path)
        return self._text(shape, value, path)

    def _note(self, path: str, got: Any, mended: Any) -> Any:
        """The mended value, with a note that it was mended."""
        self.notes.append(f"`{path}`: read {shown(got)} as {shown(mended)}")
        return mended

    def _absent(self, shape: Shape, path: str) -> Any:
        """What null stands for: an empty list where a list may be empty."""
        if shape.kind == "list" and not shape.nullable and not shape.least:
            return self._note(path, None, [])
        return None

    def _object(self, shape: Shape, value: dict[Any, Any], path: str) -> dict[Any, Any]:
        """The object with its fields fitted, those under another name found."""
        fitted = dict(value)
        if not shape.fields.keys() <= fitted.keys():
            self._rename(shape, fitted, path)
        prefix = f"{path}." if path else ""
        for name, field in shape.fields.items():
            if name in fitted:
                fitted[name] = self.fit(field, fitted[name], prefix + name)
        return fitted

    def _rename(self, shape: Shape, fitted: dict[Any, Any], path: str) -> None:
        """Give fields that stand under another spelling or a known other name their own."""
        strange = {
            _spelling(key): key
            for key in fitted
            if isinstance(key, str) and key not in shape.fields
        }
        for name, field in shape.fields.items():
            if name in fitted or not strange:
                continue
            other = next((each for each in (name, *field.aliases) if each in strange), None)
            if other is not None:
                key = strange.pop(other)
                fitted[name] = fitted.pop(key)
                where = f"`{path}.{name}`" if path else f"`{name}`"
                self.notes.append(f"{where}: took the field {shown(key)} for it")

    def _list(self, shape: Shape, value: Any, path: str) -> Any:
        """The list with its items fitted; a single item is put into a list."""
        assert shape.item is not None
        if not isinstance(value, list):
            value = self._as_list(shape, shape.item, value, path)
            if not isinstance(value, list):
                return value
        return [self.fit(shape.item, item, f"{path}.{i}") for i, item in enumerate(value)]

    def _as_list(self, shape: Shape, item: Shape, value: Any, path: str) -> Any:
        """A list of the single item, of the numbers in a text, or the value as it is."""
        if item.kind == "number" and isinstance(value, str) and _NUMBERS.fullmatch(value):
            return self._note(path, value, [int(number) for number in re.findall(r"\d+", value)])
        if item.kind == "text" and isinstance(value, str):
            nothing = not shape.least and null_when_said(value) is None
            return self._note(path, value, [] if nothing else [value])
        if item.kind == "number" and isinstance(value, int) and not isinstance(value, bool):
            return self._note(path, value, [value])
        if item.kind == "object" and isinstance(value, dict) and item.fields.keys() & value.keys():
            return self._note(path, value, [value])
        return value

    def _number(self, shape: Shape, value: Any, path: str) -> Any:
        """A whole number, from a text or a float that means one."""
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
            return self._note(path, value, int(value))
        if isinstance(value, str):
            is_minutes = shape.name == "minutes"
            number = read_number(value, scale=shape.most, is_minutes=is_minutes)
            if number is not None:
                return self._note(path, value, number)
        return value

    def _clock(self, value: Any, path: str) -> Any:
        """A clock text, from another way to write the time or from a bare hour."""
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        text = str(value) if is_number else value
        if not isinstance(text, str):
            return value
        text = text.strip()
        minute = read_clock(text)
        if minute is None or (is_number and not isinstance(value, int)):
            return text
        exact = clock_text(minute)
        return exact if exact == value else self._note(path, value, exact)

    def _truth(self, value: Any, path: str) -> Any:
        """True or false, from a word or number that means one of them."""
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            return value
        truth = read_truth(str(value)[:10])
        return value if truth is None else self._note(path, value, truth)

    def _text(self, shape: Shape, value: Any, path: str) -> Any:
        """A text: one of the choices where there are any, shortened where that loses nothing."""
        if not isinstance(value, str):
            return value
        choices = shape.fixed or self._choices_at(path)
        if choices and value not in choices:
            same = same_choice(value, choices)
            return value if same is None else self._note(path, value, same)
        if shape.trims and shape.most is not None and len(value) > shape.most:
            self.notes.append(f"`{path}`: shortened from {len(value)} characters")
            return shortened(value, shape.most)
        return value

    def _choices_at(self, path: str) -> tuple[str, ...]:
        """This call's texts to choose from at a path."""
        if not self._choices:
            return ()
        allowed = self._choices.get(choice_path(path), ())
        return tuple(choice for choice in allowed if isinstance(choice, str))


def choice_path(path: str) -> str:
    """The path by which choices name a field: `items.2.place` is `items[].place`."""
    return re.sub(r"\.\d+(?=\.|$)", "[]", path)


def _spelling(key: str) -> str:
    """A field name in lower case with underscores."""
    return re.sub(r"[\s\-]+", "_", _CAMEL.sub("_", key.strip(" \"'`*:"))).lower()
