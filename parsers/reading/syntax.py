"""Find the JSON values in a reply: after thinking, in fences and prose, escaped, with slips."""

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

from smolville.parsers.problem import merge_pairs
from smolville.parsers.reading.scanning import Fault, Scan, fold_marks, in_json, scan
from smolville.parsers.reading.turns import (
    end_before_another,
    is_by_another,
    only_thoughts,
    own_words,
)

LONGEST_REPLY = 30_000
"""Characters of a reply, without its thinking, that are searched; no answer is nearly as long."""

_MOST_STARTS = 40
_LONGEST_LEAD = 120
_START = re.compile(r"[{\[\uff5b\uff3b]")
_OPENING = re.compile("[{\\[]\\s*(?:[\"'`\u201c\u2018\uff02\uff07{\\[]|\\w+\\s*:|$)")
_MARKDOWN = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = re.compile(r"[{\[](?:\\[nrt]|[\s{\[])*\\+\"")
"""The beginning of a value whose quotes are escaped, as if it stood inside a JSON text."""
_CONTENT = re.compile(r'(?:[^"\\]|\\.)*', re.DOTALL)
_BARE_FIELDS = re.compile(r'\s*"[A-Za-z_ ]{1,40}"\s*:')
_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=merge_pairs)


@dataclass(frozen=True, slots=True)
class FoundJson:
    """One JSON value found in a reply."""

    value: Any
    """The value as a Python object."""
    mends: tuple[str, ...] = ()
    """Notes on what was done to read it."""
    fault: Fault = ""
    """Why it is incomplete; `value` is then its complete part."""
    lead: str = ""
    """The end of the line or sentence right before it."""
    tail: str = ""
    """The first words after it."""
    is_by_another: bool = False
    """Whether a speaker's name is between it and the JSON before it."""
    is_thought: bool = False
    """Whether it is among thoughts, because the reply has nothing else."""


@dataclass(slots=True)
class _Search:
    """The state of a search through one reply."""

    text: str
    mends: tuple[str, ...] = ()
    found: list[FoundJson] = field(default_factory=list)
    seen: int | None = None
    """Position after the last JSON, readable or not."""


def read_values(text: str) -> list[FoundJson]:
    """Return the JSON values in a reply, in order; empty if there is nothing like one."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return _search(text)
    if isinstance(value, str):
        unpacked = ("unpacked an answer that was quoted as a whole",)
        return [replace(each, mends=unpacked + each.mends) for each in read_values(value)]
    return [FoundJson(value)]


def _search(text: str) -> list[FoundJson]:
    """Return the values in a reply that is not exactly one JSON value."""
    if thoughts := only_thoughts(text):
        in_thoughts = ("took the answer out of the thoughts",)
        return [
            replace(each, mends=in_thoughts + each.mends, is_thought=True)
            for each in _search(thoughts[-LONGEST_REPLY:])
        ]
    rest, mends = own_words(text)
    search = _Search(_MARKDOWN.sub(_remove_backslash, rest[:LONGEST_REPLY]), mends)
    position, starts = 0, 0
    while starts < _MOST_STARTS and (start := _START.search(search.text, position)):
        starts += 1
        position = _read_value_at(search, start.start())
    if not search.found and _BARE_FIELDS.match(search.text):
        search.text = "{" + search.text
        search.mends += ("opened a bracket that was missing",)
        _read_value_at(search, 0)
    return search.found


def _read_value_at(search: _Search, start: int) -> int:
    """Add the value that starts here, if it is readable; return where to continue the search."""
    notes = search.mends + _surroundings(search.text, start)
    try:
        value, end = _DECODER.raw_decode(search.text, start)
        seen = Scan(value, end, readable=True, mends=_rest(search.text, end))
    except (ValueError, RecursionError):
        folded = fold_marks(search.text)
        if _ESCAPED.match(folded, start):
            return _unescape_at(search, start)
        if not _OPENING.match(folded, start):
            search.seen = start + 1 if folded[start] == "{" else search.seen
            return start + 1
        seen = scan(search.text[: end_before_another(search.text, start)], start)
    before, search.seen = search.seen, seen.end if seen.readable else start + 1
    if seen.readable:
        is_other = before is not None and is_by_another(search.text[before:start])
        lead = _lead(search.text, start)
        tail = search.text[seen.end : seen.end + _LONGEST_LEAD]
        found = FoundJson(seen.value, notes + seen.mends, seen.fault, lead, tail, is_other)
        search.found.append(found)
    return search.seen


def _unescape_at(search: _Search, start: int) -> int:
    """Remove one level of escapes from the value that starts here; return where it starts.

    It ends at the latest before the next quote that is not escaped.
    """
    content = _CONTENT.match(search.text, start)
    assert content is not None
    plain = json.loads(in_json(content[0], '"'), strict=False)
    plain = _MARKDOWN.sub(_remove_backslash, plain)
    search.text = search.text[:start] + plain + search.text[content.end() :]
    note = "removed the backslashes before its quotes"
    search.mends += (note,) * (note not in search.mends)
    return start


def _lead(text: str, start: int) -> str:
    """Return the end of the line or sentence before the value, if it is short."""
    before = re.sub(r"\s*(?:```\w*)?\s*$", "", text[max(0, start - _LONGEST_LEAD) : start])
    return re.split(r"[.!?}\]\n]", before)[-1]


def _remove_backslash(match: re.Match[str]) -> str:
    """Return a character without a backslash that is allowed in Markdown but not in JSON."""
    return match[1] if match[1] in "_*#&~" else match[0]


def _surroundings(text: str, start: int) -> tuple[str, ...]:
    """Return a note if something other than blanks is before the value."""
    before = text[:start].strip()
    if not before:
        return ()
    if re.fullmatch(r"```\w*", before):
        return ("took the answer out of a code fence",)
    return ("left out text before the answer",)


def _rest(text: str, end: int) -> tuple[str, ...]:
    """Return a note if something other than blanks or a fence's end is after the value."""
    after = text[end:].strip().strip("`")
    return ("left out text after the answer",) if after else ()
