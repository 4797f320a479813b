"""Answers written in lines instead of JSON: which answers can be, how, and how they are read.

A list of objects has one line per item with ` | ` between the fields. Any other answer has a line
`name: value` per field, with a list's items below its name. As plain text, an answer's first text
stands alone, and each of its truths has a line only if it is true.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from smolville.parsers.answer import Answer, Shape, shape_of
from smolville.parsers.instructions import (
    ITEMS_LINE,
    NAMES_LINE,
    TEXT_LINE,
    describe_field,
    field_line,
    field_lines,
    format_allowed_count,
    sentence_case,
)
from smolville.parsers.reading.syntax import LONGEST_REPLY, FoundJson
from smolville.parsers.reading.turns import own_words
from smolville.parsers.reading.values import null_when_said, read_truth, spelling, without_label
from smolville.prompts.contract import Format

BAR = " | "
"""Separates the fields of an item."""
_LABEL = re.compile(r"[\W_]*(?P<name>[A-Za-z][\w -]{0,40}?)[\"'`*_]*\s*:\**\s*(?P<rest>.*)")
_BULLET = re.compile(r"^(?:[-*\u2022]+|\(?\d{1,2}[.):](?!\d))\s*")
_NUMBERS = re.compile(r"[\[(]?\d{1,4}(?:\s*(?:,|and)\s*\d{1,4})*[\])]?")
_TIME = r"(?:about |around |for |~)?(?P<number>\d{1,4})(?: ?-?(?:minutes?|mins?|m|min\.))?"
_NUMBER_LAST = re.compile(
    rf"(?P<text>.*\w.*?)[\s:,;(\[\u2013\u2014=-]+{_TIME}[)\].]*", re.IGNORECASE
)
_NUMBER_FIRST = re.compile(rf"{_TIME}\)?\s*[:,;\u2013\u2014-]\s*(?P<text>.*\w.*)", re.IGNORECASE)
_SCALARS = frozenset({"text", "number", "truth", "clock", "choice"})
_IS_SPLIT = "read a line without bars"


def formats_of(shape: Shape) -> tuple[Format, ...]:
    """Return the formats in which an answer can be written."""
    first, *others = shape.fields.values()
    found: list[Format] = ["json"]
    if all(_fits_lines(field) for field in shape.fields.values()):
        found.append("lines")
        if first.kind == "text" and all(field.kind == "truth" for field in others):
            found.append("text")
    return tuple(found)


def _fits_lines(field: Shape) -> bool:
    item = field.item if field.kind == "list" else field
    if item is None or item.kind in _SCALARS:
        return item is not None
    return field.kind == "list" and all(
        each.kind in _SCALARS or (each.item is not None and each.item.kind == "number")
        for each in item.fields.values()
    )


def listed(shape: Shape) -> Shape | None:
    """Return the list that is the whole answer; None for an answer of several fields."""
    first, *others = shape.fields.values()
    return first if first.kind == "list" and not others else None


def write_answer(answer: type[Answer], written: str, form: Format) -> str:
    """Return an answer, given as its JSON, in one of its formats."""
    return written if form == "json" else write_lines(shape_of(answer), json.loads(written), form)


@cache
def instructions_without_json(answer: type[Answer], form: Format) -> str:
    """Return the instructions for an answer in lines or as plain text, with a worked example."""
    shape = shape_of(answer)
    example = write_answer(answer, answer.example().model_dump_json(), form)
    return "\n".join([*_instructions(shape, form), "Example, about other people:", example])


def _instructions(shape: Shape, form: Format) -> list[str]:
    first, *others = shape.fields.values()
    if form == "text":
        size = sentence_case(describe_field(first))
        lines = [f"{TEXT_LINE} {first.description}. {size}."]
        for each in others:
            when = each.description.removeprefix("true ").partition(", false")[0]
            lines.append(f'Below it, on a line of its own, write "{each.name}: yes" {when}.')
        return [*lines, "Write nothing else before or after it."]
    if (only := listed(shape)) is not None and only.item is not None:
        inner = [*only.item.fields.values()] or [only.item]
        lines = [ITEMS_LINE, *(field_line(each) for each in inner)]
        count = format_allowed_count(only.least, only.most, "line", "lines")
        return [*lines, f"Write {count}, and no other text before or after them."]
    lines = [NAMES_LINE, *field_lines(shape, "")]
    return [*lines, "Write only these lines, with no other text before or after them."]


def write_lines(shape: Shape, data: Mapping[str, Any], form: Format) -> str:
    """Return an answer's data in lines or as plain text."""
    first = next(iter(shape.fields))
    lines = [str(data[first])] if form == "text" else []
    for name, field in shape.fields.items():
        value = data.get(name)
        if form == "text":
            lines += [f"{name}: yes"] if name != first and value else []
        elif field.kind == "list" and field.item is not None:
            items = [_item_in_words(field.item, each) for each in value or ()]
            is_whole = listed(shape) is not None
            lines += items if is_whole else [f"{name}:", *(f"- {each}" for each in items)]
        else:
            lines.append(f"{name}: {_in_words(value)}")
    return "\n".join(lines)


def _item_in_words(item: Shape, value: Any) -> str:
    if item.kind != "object":
        return _in_words(value)
    return BAR.join(_in_words(value.get(name)) for name in item.fields)


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_in_words, value))
    return "none" if value is None else " ".join(str(value).split())


def read_lines(shape: Shape, text: str, form: Format) -> FoundJson | None:
    """Return the data of an answer written in lines; None if the reply has nothing of its form."""
    spoken, notes = own_words(text)
    reading = _Reading(shape, form)
    for line in spoken[:LONGEST_REPLY].splitlines():
        if (line := line.strip().strip("`").strip()) and line not in ("json", "text"):
            reading.take(line)
    data = reading.finish()
    return FoundJson(data, (*notes, *dict.fromkeys(reading.notes))) if data else None


class _Reading:
    """The fields found so far in one reply."""

    def __init__(self, shape: Shape, form: Format) -> None:
        self._shape = shape
        self._only = listed(shape)
        self._form = form
        first = next(iter(shape.fields.values()))
        self._field = first if form == "text" else self._only
        self._data: dict[str, Any] = {}
        self.notes: list[str] = []

    def take(self, line: str) -> None:
        """Read one line: a field's name with its value, or more of the last field."""
        named = _LABEL.fullmatch(line)
        field = self._named(named["name"]) if named is not None else None
        if field is not None and named is not None and (self._only is None or not named["rest"]):
            self._field, line = field, named["rest"]
            if field.kind == "list":
                self._data.setdefault(field.name, [])
            if not line:
                return
        if self._field is None:
            self.notes.append("left out text before the answer")
            return
        self._add(self._field, line)

    def _named(self, name: str) -> Shape | None:
        plain = spelling(name)
        for field in self._shape.fields.values():
            if plain == field.name or plain in field.aliases:
                return field
        return None

    def _add(self, field: Shape, line: str) -> None:
        if field.kind == "list" and field.item is not None:
            items = self._data.setdefault(field.name, [])
            numbers = _NUMBERS.fullmatch(line) if field.item.kind == "number" else None
            if numbers is not None:
                items += map(int, re.findall(r"\d+", line))
            elif null_when_said(line) is not None:
                items.append(self._item(field.item, _BULLET.sub("", line, count=1)))
        elif field.name not in self._data:
            self._data[field.name] = _value(field, line)
        elif field.kind == "text":
            self._data[field.name] = f"{self._data[field.name]} {line}"
        else:
            self.notes.append("left out text after the answer")

    def _item(self, item: Shape, line: str) -> Any:
        if item.kind != "object":
            return _value(item, line)
        fields = list(item.fields.values())
        parts = [part.strip() for part in line.strip("| ").split("|")]
        if len(parts) == 1 and [field.kind for field in fields] == ["text", "number"]:
            found = _NUMBER_LAST.fullmatch(line) or _NUMBER_FIRST.fullmatch(line)
            if found is not None:
                self.notes.append(_IS_SPLIT)
                parts = [found["text"].strip(" *_:-"), found["number"]]
        return {
            field.name: _value(field, without_label(part, field.name))
            for field, part in zip(fields, parts, strict=False)
        }

    def finish(self) -> dict[str, Any]:
        """Return the data, without the words around a list and with the truths not written."""
        if self._only is not None and self._only.item is not None:
            self._drop_words_around(self._only)
        if self._form == "text" and self._data:
            for field in self._shape.fields.values():
                if field.kind == "truth":
                    self._data.setdefault(field.name, False)
        return self._data

    def _drop_words_around(self, field: Shape) -> None:
        items = self._data.get(field.name, [])
        assert field.item is not None
        whole = [at for at, each in enumerate(items) if _is_whole(field.item, each)]
        if whole and (whole[0], whole[-1]) != (0, len(items) - 1):
            self._data[field.name] = items[whole[0] : whole[-1] + 1]
            self.notes.append("left out text around the lines")


def _is_whole(item: Shape, value: Any) -> bool:
    """Return whether an item has all its fields, none of which is only the field's own name."""
    if item.kind != "object":
        return not str(value).endswith(":")
    needed = [field for field in item.fields.values() if not field.optional]
    return all(field.name in value for field in needed) and not all(
        re.fullmatch(r"[-: ]*", str(each)) or spelling(str(each)) == name
        for name, each in value.items()
    )


def _value(field: Shape, text: str) -> Any:
    """Return what the words mean in a field; words that mean something else stay as they are."""
    if (field.nullable or field.optional) and null_when_said(text) is None:
        return None
    if field.kind == "truth":
        truth = read_truth(text[:10])
        return text if truth is None else truth
    if field.kind == "number" and text.isdecimal() and len(text) < 10:
        return int(text)
    if field.kind == "list":
        return (
            [int(each) for each in re.findall(r"\d+", text)] if _NUMBERS.fullmatch(text) else text
        )
    return text
