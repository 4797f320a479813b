"""Find the JSON values in a reply: behind thoughts, in fences and prose, with slips of syntax."""

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

from parsers.problem import once
from parsers.reading.scanning import Fault, Scan, scan
from parsers.reading.turns import end_before_another, is_by_another, own_words

LONGEST_REPLY = 30_000
"""Characters of a reply, apart from thoughts, that are looked at; no answer is near as long."""

_MOST_STARTS = 40
_LONGEST_LEAD = 120
_START = re.compile(r"[{\[]")
_OPENING = re.compile("[{\\[]\\s*(?:[\"'`\u201c\u2018{\\[]|\\w+\\s*:|$)")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BARE_FIELDS = re.compile(r'\s*"[A-Za-z_ ]{1,40}"\s*:')
_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=once)


@dataclass(frozen=True, slots=True)
class Found:
    """One JSON value found in a reply."""

    value: Any
    """The value, as Python has it."""
    mends: tuple[str, ...] = ()
    """What was done to read it."""
    fault: Fault = ""
    """Why it is not whole; `value` then holds the whole part that came before."""
    lead: str = ""
    """What leads to it: the end of the line or sentence right before it."""
    is_by_another: bool = False
    """Whether a speaker's name stands between it and the JSON before it."""


@dataclass(slots=True)
class _Search:
    """What a search through one reply has come to."""

    text: str
    mends: tuple[str, ...] = ()
    found: list[Found] = field(default_factory=list)
    seen: int | None = None
    """Where the last JSON ends, be it readable or not."""


def read_values(text: str) -> list[Found]:
    """The JSON values in a reply, in their order; none when there is nothing like one."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return _search(text)
    if isinstance(value, str):
        unpacked = ("unpacked an answer that was quoted as a whole",)
        return [replace(each, mends=unpacked + each.mends) for each in _search(value)]
    return [Found(value)]


def _search(text: str) -> list[Found]:
    """The values in a reply that is more, or less, than one JSON value."""
    rest, mends = own_words(text)
    search = _Search(_ESCAPED.sub(_unescaped, rest[:LONGEST_REPLY]), mends)
    position, starts = 0, 0
    while starts < _MOST_STARTS and (start := _START.search(search.text, position)):
        starts += 1
        position = _take(search, start.start())
    if not search.found and _BARE_FIELDS.match(search.text):
        search.text = "{" + search.text
        search.mends += ("opened a bracket that was missing",)
        _take(search, 0)
    return search.found


def _take(search: _Search, start: int) -> int:
    """Take the value that starts here, if it can be read; where to go on looking."""
    notes = search.mends + _surroundings(search.text, start)
    try:
        value, end = _DECODER.raw_decode(search.text, start)
        seen = Scan(value, end, readable=True, mends=_rest(search.text, end))
    except (ValueError, RecursionError):
        if not _OPENING.match(search.text, start):
            search.seen = start + 1 if search.text[start] == "{" else search.seen
            return start + 1
        seen = scan(search.text[: end_before_another(search.text, start)], start)
    before, search.seen = search.seen, seen.end if seen.readable else start + 1
    if seen.readable:
        is_other = before is not None and is_by_another(search.text[before:start])
        lead = _lead(search.text, start)
        found = Found(seen.value, notes + seen.mends, seen.fault, lead, is_other)
        search.found.append(found)
    return search.seen


def _lead(text: str, start: int) -> str:
    """The end of the line or sentence that leads to the value, as far as it is short."""
    before = re.sub(r"\s*(?:```\w*)?\s*$", "", text[max(0, start - _LONGEST_LEAD) : start])
    return re.split(r"[.!?}\]\n]", before)[-1]


def _unescaped(match: re.Match[str]) -> str:
    """A character without the backslash that Markdown, but no JSON, puts before it."""
    return match[1] if match[1] in "_*#&~" else match[0]


def _surroundings(text: str, start: int) -> tuple[str, ...]:
    """A note when something other than blanks stands before the value."""
    before = text[:start].strip()
    if not before:
        return ()
    if re.fullmatch(r"```\w*", before):
        return ("took the answer out of a code fence",)
    return ("left out text before the answer",)


def _rest(text: str, end: int) -> tuple[str, ...]:
    """A note when something other than blanks or a fence's end stands after the value."""
    after = text[end:].strip().strip("`")
    return ("left out text after the answer",) if after else ()
