"""Read an answer given as a Markdown table, as `field: value` lines or as a plain list."""

import json
import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from smolville.parsers.answer import Shape
from smolville.parsers.reading.naming import spelling
from smolville.parsers.reading.scalars import read_truth, unnumbered
from smolville.parsers.reading.syntax import LONGEST_REPLY
from smolville.parsers.reading.turns import own_words
from smolville.parsers.reading.wrapping import Form, item_of_text, only_list

_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"[|\s:-]*-[|\s:-]*")
_CELL_END = re.compile(r"(?<!\\)\|")
_LINE = re.compile(
    r"\s*(?:[-*+\u2022]\s+)?[*_`\"']{0,3}(?P<name>[A-Za-z](?:[\w -]|\\_){0,40}?)[*_`\"']{0,3}"
    r"\s*[:=\uff1a][*_`]{0,3}\s*(?P<value>.*?)\s*"
)
_ENTRY = re.compile(r"\s*(?:\d{1,2}[.)]|[-*+\u2022])\s+(?P<text>.*[.?!][\"\u201d*_]*)\s*")
_ENDED = re.compile(r".*[.!?\u2026\"\u201d)]", re.DOTALL)
_MARKS = "*`_ "
_PARTS = re.compile(r"\)?\s*[,;]\s*(?=\(?\s*(?:[A-Z]|\d{1,3})\s*[:=.),-])")
"""Separator between several keys with their values on one line."""
_LETTER = re.compile(r"[A-Z]")
_OF_LETTER = re.compile(r"\s*(?:[-*]\s+)?\**(?P<key>[A-Z])\**\s*[:=.)\uff1a]\s*(?P<value>\S.*)")
_OF_NUMBER = re.compile(
    r"\s*(?:[-*]\s+)?\(?(?:memory |number |no\.? ?)?#?(?P<key>\d{1,3})\s*"
    r"(?:[:=.)>,-]|->|\u2013)+\s*"
    r"(?P<value>\d{1,2})(?:\s*/\s*10)?\s*[).,]?\s*",
    re.IGNORECASE,
)
_LONGEST_PART = 200
_PARAMETER = re.compile(r"<parameter=(\w{1,40})>(.*?)</parameter>", re.DOTALL)


def read_plain_form(shape: Shape, text: str) -> Form | None:
    """Return the answer in a reply without JSON that uses another plain form, or None."""
    spoken, left_out = own_words(text)
    lines = [line for line in spoken[:LONGEST_REPLY].splitlines() if line.strip("` ")]
    for read, note in (
        (_parameters(shape, spoken), "read the parameters of a call as the answer"),
        (_table(shape, lines), "read a table as the answer"),
        (_fields(shape, spoken[:LONGEST_REPLY]), "read lines of fields as the answer"),
        (_entries(shape, lines), "read a list of lines as the answer"),
        (_keyed(shape, lines), "read lines of keys and values as the answer"),
        (_lasting(shape, lines), "read lines of steps as the answer"),
    ):
        if read is not None:
            return read, (*left_out, note)
    return None


def _parameters(shape: Shape, text: str) -> dict[str, Any] | None:
    """Return the answer in the only call of a tool that names its parameters in tags (Qwen)."""
    found = dict(_PARAMETER.findall(text))
    if text.count("<function=") != 1 or not _has_needed(shape, found):
        return None
    return {name: _listed(value.strip()) for name, value in found.items()}


def _listed(value: str) -> Any:
    """Return the list that a text is in JSON, or the text."""
    try:
        listed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return listed if isinstance(listed, list) else value


def _table(shape: Shape, lines: list[str]) -> dict[str, Any] | None:
    """Return the answer in the only table of a reply."""
    groups = groupby(lines, key=lambda line: _ROW.fullmatch(line) is not None)
    tables = [list(group) for is_table, group in groups if is_table]
    if len(tables) != 1 or len(tables[0]) < 3 or not _RULE.fullmatch(tables[0][1]):
        return None
    head, *rows = [_cells(line) for line in (tables[0][0], *tables[0][2:])]
    if any(len(row) != len(head) for row in rows):
        return None
    field = only_list(shape)
    if field is not None and field.item is not None:
        if not _has_needed(field.item, head):
            return None
        return {field.name: [dict(zip(head, row, strict=True)) for row in rows]}
    if _has_needed(shape, head):
        return dict(zip(head, rows[0], strict=True)) if len(rows) == 1 else None
    names = [row[0] for row in rows]
    if len(head) != 2 or not _has_needed(shape, names) or len(set(names)) < len(names):
        return None
    return {row[0]: row[1] for row in rows}


def _cells(line: str) -> list[str]:
    """Return the texts of a table's row."""
    cells = _CELL_END.split(line.strip()[1:-1])
    return [cell.replace("\\|", "|").strip().strip(_MARKS) for cell in cells]


def _has_needed(shape: Shape, names: Iterable[str]) -> bool:
    """Return whether the names are those of a shape's fields, including every required one."""
    spelled = {spelling(name[:60]) for name in names}
    own = {field.name: {field.name, *field.aliases} for field in shape.fields.values()}
    needed = [field.name for field in shape.fields.values() if not field.optional]
    return bool(needed) and all(own[name] & spelled for name in needed)


def _fields(shape: Shape, text: str) -> dict[str, Any] | None:
    """Return the answer in lines `field: value`, if these follow one another and are complete."""
    fields = {
        name: field for field in shape.fields.values() for name in (*field.aliases, field.name)
    }
    if any(field.item and field.item.kind != "text" for field in fields.values()):
        return None
    lines = text.rstrip("` ").split("\n")
    found: dict[str, tuple[int, str, Shape]] = {}
    for at, line in enumerate(lines):
        match = _LINE.fullmatch(line)
        name = spelling(match["name"]) if match else ""
        if match is None or name not in fields:
            continue
        own = fields[name].name
        if own in found or not match["value"] or match["value"][0] in "{[|":
            return None
        found[own] = (at, match["value"].rstrip(","), fields[name])
    if not _has_needed(shape, found) or not _stand_together(lines, found.values()):
        return None
    return {name: _plain(value) for name, (_, value, _) in found.items()}


def _stand_together(lines: list[str], found: Iterable[tuple[int, str, Shape]]) -> bool:
    """Return whether no other text is between the fields' lines, and the last value is complete."""
    places = list(found)
    first, (last, value, field) = places[0][0], places[-1]
    taken = {at for at, _, _ in places}
    if any(lines[at].strip() for at in range(first, last) if at not in taken):
        return False
    after = [line for line in lines[last + 1 :] if line.strip("` ")]
    if after and (field.kind == "text" or lines[last + 1].strip("` ")):
        return False
    is_closed = field.kind != "text" and not lines[-1].strip("` ")
    return bool(after) or is_closed or _is_whole(field, value)


def _is_whole(field: Shape, value: str) -> bool:
    """Return whether a value at the very end of a reply cannot be the start of a longer one."""
    if field.nullable and value.strip(_MARKS).lower() in ("null", "none"):
        return True
    if field.kind == "number":
        digits = value.strip(_MARKS)
        return digits.isdecimal() and field.most is not None and int(digits) * 10 > field.most
    if field.kind == "truth":
        return read_truth(value.strip(_MARKS)) is not None
    if field.kind == "choice":
        return value.strip(_MARKS).lower() in field.fixed
    return field.kind != "clock" and _ENDED.fullmatch(value) is not None


def _plain(value: str) -> str:
    """Return the text of a value without surrounding Markdown or quotes."""
    plain = value.strip(_MARKS)
    if plain[:1] == '"':
        try:
            text = json.loads(plain, strict=False)
        except ValueError:
            return plain
        return text if isinstance(text, str) else plain
    return plain


def _keyed(shape: Shape, lines: list[str]) -> dict[str, Any] | None:
    """Return the answer in lines, or parts of one line, that each have a key and a value.

    The keys are the letters of an answer that is keyed by letters, or the numbers of the items of
    its list: `A: 1, B: 2`, `1. 7/10`, `(1, 7), (2, 3)`.
    """
    parts = _PARTS.split(lines[0].strip()) if len(lines) == 1 else lines
    if len(parts) < 2 or any(len(part) > _LONGEST_PART for part in parts):
        return None
    if shape.fields and all(_LETTER.fullmatch(name) for name in shape.fields):
        pairs = [_OF_LETTER.fullmatch(part) for part in parts]
        found = {pair["key"]: pair["value"].strip(_MARKS) for pair in pairs if pair}
        is_whole = len(found) == len(parts) and found.keys() <= shape.fields.keys()
        return found if is_whole and all(found.values()) else None
    field = only_list(shape)
    needed = [each for each in _item_fields(field) if not each.optional]
    if field is None or [each.kind for each in needed] != ["number", "number"]:
        return None
    rows = [_OF_NUMBER.fullmatch(part) for part in parts]
    items = [{needed[0].name: row["key"], needed[1].name: row["value"]} for row in rows if row]
    return {field.name: items} if len(items) == len(parts) else None


def _item_fields(field: Shape | None) -> list[Shape]:
    """Return the fields of a list's items."""
    return list(field.item.fields.values()) if field is not None and field.item else []


def _lasting(shape: Shape, lines: list[str]) -> dict[str, Any] | None:
    """Return the items of a list whose lines each give a step and its minutes."""
    field = only_list(shape)
    if field is None or field.item is None or field.item.kind != "object":
        return None
    items = [item_of_text(field.item, line.strip()) for line in _without_opening(lines)]
    return {field.name: items} if len(items) > 1 and None not in items else None


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
    texts = unnumbered(_without_opening(lines))
    return [text.strip(_MARKS) for text in texts] if texts else None


def _without_opening(lines: list[str]) -> list[str]:
    """Return the lines without a first one that announces them."""
    return lines[1:] if lines and lines[0].rstrip("*_ ").endswith(":") else lines
