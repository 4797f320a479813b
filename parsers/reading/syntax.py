"""Find the JSON values in a reply, also in prose, escaped or with slips; never finish a cut one."""

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from smolville.parsers.problem import merge_pairs
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
_ANY_QUOTE = "\"'`\u201c\u201d\u2018\u2019\uff02\uff07"
_PAIR = re.compile(r"\\(.)|\"", re.DOTALL)
_DEEPEST = 12
_CLOSER = {"{": "}", "[": "]"}
_BARE = re.compile(r"[^\s,:{}\[\]\"][^,{}\[\]\"\n]*")
_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|# [^\n]*)*", re.DOTALL)
"""Blanks and comments."""
_COMMENT_AFTER = re.compile(r"\s(?://|/\*|# )")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_LITERALS = {"true": "true", "false": "false", "null": "null"}
_LITERALS |= {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_LITERALS |= {"TRUE": "true", "FALSE": "false", "NULL": "null", "NaN": "null"}
_QUOTES = {'"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019"}
_QUOTES |= {"\uff02": "\uff02", "\uff07": "\uff07"}
_OPEN_ENDED = {"{", "[", ",", ":"}
_OPENING_QUOTE = "[\"'`\u201c\u2018\uff02\uff07]"
_SECOND = re.compile(r"[^\s{\[]\s*\{\s*[\"'`\u201c]\w{1,40}[\"'`\u201d]\s*:")
"""Words inside a text that lead to an object: the text was cut, and another answer began."""
_CLOSING_QUOTE = "[\"'`\u201d\u2019\uff02\uff07]"
_GAP = r"(?:\s|//[^\n]*\n|# [^\n]*\n|/\*[^*]*\*/)*"
_NAME = r"[A-Za-z_][\w -]{0,40}"
_QUOTED_NAME = r"[^\"'`\u201c\u201d\u2018\u2019\uff02\uff07{}\[\]:,\n]{1,60}"
_AFTER_KEY = re.compile(rf"{_GAP}(?::|$)")
_AFTER_FIELD = re.compile(
    rf"{_GAP}(?:[}}\]]|$"
    rf"|[,;]{_GAP}(?:[.…]|$|[}}\]]|{_OPENING_QUOTE}$|{_OPENING_QUOTE}?{_NAME}{_CLOSING_QUOTE}?\s*(?::|$)"
    rf"|{_OPENING_QUOTE}{_QUOTED_NAME}{_CLOSING_QUOTE}\s*:)"
    rf"|{_OPENING_QUOTE}{_NAME}{_CLOSING_QUOTE}\s*:)"
)
_AFTER_ITEM = re.compile(
    rf"{_GAP}(?:[}}\]]|$|[,;]{_GAP}(?:$|[\d{{}}\[\].…-]|{_OPENING_QUOTE}|\w+$|true|false|null)"
    rf"|\n\s*{_OPENING_QUOTE})"
)

_INVISIBLE = (
    "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062"
    "\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
"""Characters without a width, which mean nothing outside a text."""
_FULL_WIDTH = str.maketrans(
    "\uff1a\uff0c\u3001\uff1b\uff5b\uff5d\uff3b\uff3d" + _INVISIBLE,
    ":,,;{}[]" + " " * len(_INVISIBLE),
)

Fault = Literal["", "cut", "quotes", "names"]
"""Why a value is incomplete: the text ends in its middle, a quote never closes, or something
invalid is in the place of a name."""


@dataclass(frozen=True, slots=True)
class FoundJson:
    """One JSON value found in a reply."""

    value: Any
    """The value as a Python object."""
    mends: tuple[str, ...] = ()
    """Notes on what was done to read it."""
    fault: Fault = ""
    """Why it is incomplete; `value` is then its complete part."""
    end: int = 0
    """Where it ends in the text that was searched."""
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
        seen: FoundJson | None = FoundJson(value, _rest(search.text, end), end=end)
    except (ValueError, RecursionError):
        folded = fold_marks(search.text)
        if _ESCAPED.match(folded, start):
            return _unescape_at(search, start)
        if not _OPENING.match(folded, start):
            search.seen = start + 1 if folded[start] == "{" else search.seen
            return start + 1
        seen = scan(search.text[: end_before_another(search.text, start)], start)
    before, search.seen = search.seen, seen.end if seen else start + 1
    if seen:
        found = replace(
            seen,
            mends=notes + seen.mends,
            lead=_lead(search.text, start),
            tail=search.text[seen.end : seen.end + _LONGEST_LEAD],
            is_by_another=before is not None and is_by_another(search.text[before:start]),
        )
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
    after = text[end:].strip().strip("`")
    return ("left out text after the answer",) if after else ()


def fold_marks(text: str) -> str:
    """Return the text with JSON's marks in ASCII and blanks for invisible characters.

    Every character keeps its position. The result tells how a reply is built, not what its texts
    say.
    """
    return text if text.isascii() else text.translate(_FULL_WIDTH)


def scan(text: str, start: int) -> FoundJson | None:
    """Read the value that starts at this bracket; None if it is no JSON, even with slips."""
    return _Scanner(text, start).read()


class _Scanner:
    """Rewrites the value with plain quotes and quoted words, then reads it as JSON."""

    def __init__(self, text: str, start: int) -> None:
        self._text = fold_marks(text)
        self._unfolded = text
        self._at = start
        self._open: list[str] = []
        self._written: list[str] = []
        self._whole: list[tuple[int, tuple[str, ...]]] = []
        """After each closed object: the length written so far, and the brackets still open."""
        self._fault: Fault = ""

    def read(self) -> FoundJson | None:
        """Return the value from the first bracket to its end, or to the end of the text."""
        while self._at < len(self._text):
            blank = _BLANK.match(self._text, self._at)
            self._at = blank.end() if blank else self._at
            if self._at >= len(self._text):
                break
            if not self._step():
                return None
            if not self._open:
                return self._repaired("".join(self._written), self._at, ("mended its syntax",))
        return self._unfinished()

    def _step(self) -> bool:
        """Write the next bracket, mark, string or word; return False if none of it is JSON."""
        char = self._text[self._at]
        if char in "}]":
            return self._close(char)
        if char in ",:;":
            return self._mark(char)
        if self._ends_in_value():
            self._written.append(",")
        if char in "{[":
            self._open.append(char)
            self._written.append(char)
            self._at += 1
        elif char in _QUOTES:
            self._string(_QUOTES[char])
        else:
            self._word()
        return len(self._open) <= _DEEPEST

    def _close(self, char: str) -> bool:
        """Close a bracket and the unclosed ones inside it; ignore `char` if no bracket fits it."""
        self._at += 1
        if all(_CLOSER[opened] != char for opened in self._open):
            return True
        while True:
            if not self._finish_value():
                return False
            if self._written[-1] == ",":
                self._written.pop()
            closer = _CLOSER[self._open.pop()]
            self._written.append(closer)
            if closer == "}":
                self._whole.append((len(self._written), tuple(self._open)))
            if closer == char:
                return True

    def _mark(self, char: str) -> bool:
        """Write a comma or colon; return False if a field's name has no value."""
        self._at += 1
        if char == ":":
            self._written.append(char)
            return True
        if not self._finish_value():
            return False
        if self._written[-1] not in _OPEN_ENDED:
            self._written.append(",")
        return True

    def _finish_value(self) -> bool:
        """Write null if a colon has no value after it; return False if the colon is missing too."""
        if self._written[-1] == ":":
            self._written.append("null")
        return not self._ends_in_key()

    def _ends_in_value(self) -> bool:
        return (
            bool(self._written) and self._written[-1] not in _OPEN_ENDED and not self._ends_in_key()
        )

    def _string(self, quote: str) -> None:
        """Write a quoted text; a quote inside it that closes nothing belongs to the text."""
        start = self._at + 1
        at = start
        while at < len(self._text):
            char = self._text[at]
            if char == "\\":
                at += 2
                continue
            if char == quote and self._closes(at):
                raw = self._unfolded[start:at]
                if _SECOND.search(raw):
                    break
                self._written.append(in_json(raw, quote))
                self._at = at + 1
                is_end_sure = re.search(rf"(?<!\\){quote}", raw) is None
                if not self._text[at + 1 :].strip() and not is_end_sure:
                    self._fault = "cut"
                return
            at += 1
        is_whole = self._text.rstrip(" \n`")[-1:] in {"}", "]"} and at >= len(self._text)
        self._fault = "cut"
        if is_whole:
            self._fault = "names" if self._expects_key() else "quotes"
        self._at = len(self._text)

    def _closes(self, at: int) -> bool:
        """Return whether the quote at this position ends its text, judged by what follows it."""
        if self._expects_key():
            return _AFTER_KEY.match(self._text, at + 1) is not None
        after = _AFTER_FIELD if self._open[-1] == "{" else _AFTER_ITEM
        return after.match(self._text, at + 1) is not None

    def _word(self) -> None:
        """Write a number, a word such as `true`, or other unquoted words as a quoted text."""
        match = _BARE.match(self._text, self._at)
        assert match is not None
        raw = match[0]
        word = raw.partition(":")[0] if self._expects_key() else _COMMENT_AFTER.split(raw)[0]
        word = word.rstrip()
        start = self._at
        self._at += max(len(word), 1)
        if self._at >= len(self._text) and word not in _LITERALS:
            self._fault = "cut"
        elif word in _LITERALS:
            self._written.append(_LITERALS[word])
        elif _NUMBER.fullmatch(word) and len(word) < 20:
            self._written.append(word)
        elif word.strip(".… "):
            self._written.append(json.dumps(self._unfolded[start : start + len(word)]))

    def _expects_key(self) -> bool:
        return self._open[-1] == "{" and self._written[-1] in {"{", ","}

    def _unfinished(self) -> FoundJson | None:
        """Return the value, or its complete part, if the text ends before its closing bracket."""
        if not self._fault and self._ends_in_value():
            closers = "".join(_CLOSER[char] for char in reversed(self._open))
            note = ("closed a bracket that was missing",)
            return self._repaired("".join(self._written) + closers, self._at, note)
        fault = self._fault or "cut"
        if not self._whole:
            return FoundJson({}, fault=fault, end=len(self._text))
        length, still_open = self._whole[-1]
        closers = "".join(_CLOSER[char] for char in reversed(still_open))
        part = "".join(self._written[:length]) + closers
        seen = self._repaired(part, len(self._text), ())
        return FoundJson(seen.value if seen else {}, fault=fault, end=len(self._text))

    def _ends_in_key(self) -> bool:
        return (
            self._open[-1] == "{"
            and self._written[-1].startswith('"')
            and self._written[-2] in {"{", ","}
        )

    def _repaired(self, written: str, end: int, mends: tuple[str, ...]) -> FoundJson | None:
        try:
            value = json.loads(written, strict=False, object_pairs_hook=merge_pairs)
        except (ValueError, RecursionError):
            return None
        return FoundJson(value, mends, end=end)


def in_json(raw: str, quote: str) -> str:
    """Return a quoted text in JSON notation, with its escapes kept and wrong ones mended."""
    if quote == '"' and '"' not in raw and "\\" not in raw and "\n" not in raw:
        return f'"{raw}"'
    written = f'"{_PAIR.sub(_escape_in_json, raw)}"'
    try:
        return json.dumps(json.loads(written, strict=False))
    except ValueError:
        return json.dumps(raw.replace("\\" + quote, quote))


def _escape_in_json(match: re.Match[str]) -> str:
    if match[0] == '"':
        return '\\"'
    if match[1] in '"\\/bfnrtu':
        return match[0]
    return match[1] if match[1] in _ANY_QUOTE else "\\" + match[0]
