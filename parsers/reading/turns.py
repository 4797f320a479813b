"""Separate a model's own words from its thinking, and from invented turns of others."""

import json
import re

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
THOUGHT = re.compile(rf"<(?:(?P<end>/)?(?:{_NAMES}))>|\[(?P<last>/)?THINK\]", re.IGNORECASE)
"""A tag that begins or ends a thought."""

Spoken = tuple[str, tuple[str, ...]]
"""The model's own words, and a note if something was left out."""

OUTSIDE = "left out what stands outside its turn"
"""The note on a reply that continues after its turn, or begins with a role marker."""

_MOST_VALUES = 40
"""Maximum number of brackets checked for complete values, inside which a marker is text."""
_ROLES = "user|human|assistant|system|model|chatbot|bot|tool"
_SPECIAL = (
    # The tokens around the call of a tool end no turn: an answer may be in it.
    r"(?:<[|｜](?!python_tag|tool[_▁](?:call|sep))[^<>|｜\n]{1,40}[|｜]>"
    r"|</?s>|<[be]os>|<(?:start|end)_of_turn>|\[/?INST\]|<</?SYS>>)"
)
_MARKER = re.compile(
    # Special tokens of a chat template, in a row, with the role that they name.
    rf"{_SPECIAL}(?:\s*{_SPECIAL})*"
    rf"(?:\s*(?:{_ROLES}|final|analysis|json|commentary(?: to=[\w.]+)?)\b\s*(?=[\n<{{\[]|$)"
    rf"(?:{_SPECIAL}\s*)*)*"
    # The headings of Alpaca and its kin, and a role in words on a line or right after a mark.
    r"|(?:^|(?<=[{}\[\],:`]))[ \t>]*(?:"
    rf"\#{{1,6}} ?(?:instructions?|response|input|{_ROLES})\b[ \t*]*(?::[ \t*]*|(?=\n|$))"
    rf"|[*_]{{0,3}}(?:{_ROLES})[*_]{{0,3}}[ \t]*:[*_]{{0,3}}"
    rf"|(?:{_ROLES})[ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)
_BRACKET = re.compile(r"[{\[]")
_OPENED = re.compile(r"\s*(?:```\w*\s*)?|[^{\[]*:\s*(?:```\w*\s*)?")
"""Text allowed before a marker that opens the turn: none, or a line that announces it."""
_OTHERS = re.compile(r"user|human|system|instruction|input|\[inst\]|analysis", re.IGNORECASE)
_OWN = re.compile(r"assistant|model|response|final", re.IGNORECASE)
_DECODER = json.JSONDecoder(strict=False)


def without_thoughts(text: str) -> Spoken:
    """Return the reply without the model's thinking, and a note if there was any.

    A thought without a start tag begins with the reply; one without an end tag lasts to its end. A
    tag inside a complete JSON value is text.
    """
    parts: list[str] = []
    position: int | None = 0
    at, values, is_any = 0, 0, False
    for tag in THOUGHT.finditer(text):
        if position is not None:
            at, values = _skip_values(text, max(at, position), tag.start(), values)
        if tag.start() < at:
            continue
        is_any = True
        ends = tag["end"] or tag["last"]
        if not ends and position is not None:
            parts.append(text[position : tag.start()])
            position = None
        elif ends:
            parts = [] if position is not None else parts
            position = tag.end()
    if not is_any:
        return text, ()
    if position is not None:
        parts.append(text[position:])
    return " ".join(parts), ("left out a thought before the answer",)


def own_words(text: str) -> Spoken:
    """Return the reply without thinking and without other speakers' turns, and notes on both.

    The reply's turn ends at the first role marker after its beginning. A marker inside a complete
    JSON value is text. A marker inside an incomplete value ends the turn, and the value counts as
    cut.
    """
    spoken, notes = without_thoughts(text)
    start, end = _turn(spoken)
    if (start, end) == (0, len(spoken)):
        return spoken, notes
    return spoken[start:end], (*notes, OUTSIDE)


def _turn(text: str) -> tuple[int, int]:
    """Return where the reply's own turn starts and ends.

    Thinking that a template marks as analysis is skipped, and so is a question before the turn.
    """
    start, at, values, is_own = 0, 0, 0, True
    for marker in _MARKER.finditer(text):
        at, values = _skip_values(text, at, marker.start(), values)
        if marker.start() < at:
            continue
        if is_own and not _OPENED.fullmatch(text, start, marker.start()):
            return start, marker.start()
        start = at = marker.end()
        others = [found.end() for found in _OTHERS.finditer(marker[0])]
        own = [found.end() for found in _OWN.finditer(marker[0])]
        is_own = max(others, default=0) <= max(own, default=0)
    return start, len(text)


def _skip_values(text: str, at: int, end: int, values: int) -> tuple[int, int]:
    """Return where the last value that starts before `end` ends, and how many were looked at."""
    while values < _MOST_VALUES and (bracket := _BRACKET.search(text, at, end)):
        values += 1
        try:
            at = _DECODER.raw_decode(text, bracket.start())[1]
        except (ValueError, RecursionError):
            at = bracket.start() + 1
    return at, values
