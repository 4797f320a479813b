"""Find the JSON values in a reply, also in prose or with slips; never finish a cut one."""

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from smolville.parsers.problem import merge_pairs
from smolville.parsers.reading.turns import own_words

LONGEST_REPLY = 30_000
"""Characters of a reply, without its thinking, that are searched; no answer is nearly as long."""

_MOST_STARTS = 40
_DEEPEST = 12
_START = re.compile(r"[{\[]")
_OPENING = re.compile("[{\\[]\\s*(?:[\"'`\u201c\u2018{\\[]|\\w+\\s*:|$)")
_MARKDOWN = re.compile(r"\\([_*#&~])")
_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=merge_pairs)
_PAIR = re.compile(r"\\(.)|\"", re.DOTALL)
_CLOSER = {"{": "}", "[": "]"}
_BARE = re.compile(r"[^\s,:{}\[\]\"][^,{}\[\]\"\n]*")
_BLANK = re.compile(r"(?:\s+|//[^\n]*|# [^\n]*)*")
"""Blanks and comments."""
_COMMENT_AFTER = re.compile(r"\s(?://|# )")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_LITERALS = {"true": "true", "false": "false", "null": "null"}
_LITERALS |= {"True": "true", "False": "false", "None": "null", "NaN": "null"}
_QUOTES = {'"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019"}
_ANY_QUOTE = "".join({*_QUOTES, *_QUOTES.values()})
_OPEN_ENDED = {"{", "[", ",", ":"}
_OPENING_QUOTE = "[\"'`\u201c\u2018]"
_CLOSING_QUOTE = "[\"'`\u201d\u2019]"
_SECOND = re.compile(r"[^\s{\[]\s*\{\s*[\"'`\u201c]\w{1,40}[\"'`\u201d]\s*:")
"""Words inside a text that lead to an object: the text was cut, and another answer began."""
_GAP = r"(?:\s|//[^\n]*\n|# [^\n]*\n)*"
_NAME = r"[A-Za-z_][\w -]{0,40}"
_QUOTED_NAME = r"[^\"'`\u201c\u201d\u2018\u2019{}\[\]:,\n]{1,60}"
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


@dataclass(slots=True)
class _Search:
    text: str
    mends: tuple[str, ...]
    found: list[FoundJson] = field(default_factory=list)


def read_values(text: str) -> list[FoundJson]:
    """Return the JSON values in a reply, in order; empty if there is nothing like one."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        pass
    else:
        if isinstance(value, str):
            unpacked = ("unpacked an answer that was quoted as a whole",)
            return [replace(each, mends=unpacked + each.mends) for each in read_values(value)]
        return [FoundJson(value)]
    rest, mends = own_words(text)
    search = _Search(_MARKDOWN.sub(r"\1", rest[:LONGEST_REPLY]), mends)
    position, starts = 0, 0
    while starts < _MOST_STARTS and (start := _START.search(search.text, position)):
        starts += 1
        position = _read_value_at(search, start.start())
    return search.found


def _read_value_at(search: _Search, start: int) -> int:
    """Add the value that starts here, if it is readable; return where to continue the search."""
    notes = search.mends + _surroundings(search.text, start)
    try:
        value, end = _DECODER.raw_decode(search.text, start)
        after = search.text[end:].strip().strip("`")
        left_out = ("left out text after the answer",) if after else ()
        seen: FoundJson | None = FoundJson(value, left_out, end=end)
    except (ValueError, RecursionError):
        if not _OPENING.match(search.text, start):
            return start + 1
        seen = _Scanner(search.text, start).read()
    if seen is None:
        return start + 1
    search.found.append(replace(seen, mends=notes + seen.mends))
    return seen.end


def _surroundings(text: str, start: int) -> tuple[str, ...]:
    """Return a note if something other than blanks is before the value."""
    before = text[:start].strip()
    if not before:
        return ()
    if re.fullmatch(r"```\w*", before):
        return ("took the answer out of a code fence",)
    return ("left out text before the answer",)


class _Scanner:
    """Rewrites the value with plain quotes and quoted words, then reads it as JSON."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self._open: list[str] = []
        self._written: list[str] = []
        self._whole: list[tuple[int, tuple[str, ...]]] = []
        """After each closed object: the length written so far, and the brackets still open."""
        self._fault: Fault = ""

    def read(self) -> FoundJson | None:
        """Return the value from the first bracket to its end, or to the end of the text.

        None if it is no JSON, even with slips.
        """
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
                raw = self._text[start:at]
                if _SECOND.search(raw):
                    break
                self._written.append(_in_json(raw, quote))
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
        self._at += max(len(word), 1)
        if self._at >= len(self._text) and word not in _LITERALS:
            self._fault = "cut"
        elif word in _LITERALS:
            self._written.append(_LITERALS[word])
        elif _NUMBER.fullmatch(word) and len(word) < 20:
            self._written.append(word)
        elif word.strip(".… "):
            self._written.append(json.dumps(word))

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


def _in_json(raw: str, quote: str) -> str:
    """Return a quoted text in JSON notation, with its escapes kept and wrong ones mended."""
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
