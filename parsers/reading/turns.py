"""Separate a model's own words from its thinking, and from invented turns of others."""

import json
import re

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
THOUGHT = re.compile(rf"<(?:(?P<end>/)?(?:{_NAMES}))>|\[(?P<last>/)?THINK\]", re.IGNORECASE)
"""A tag that begins or ends a thought."""

Spoken = tuple[str, tuple[str, ...]]
"""The model's own words, and a note if something was left out."""


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


def only_thoughts(text: str) -> str:
    """Return the thinking of a reply that has no words beside it; otherwise an empty text."""
    if THOUGHT.search(text) is None or _SAID.search(_FRAME.sub("", own_words(text)[0])):
        return ""
    thoughts = THOUGHT.sub("\n", text)
    start, end = _turn(thoughts)
    return thoughts[start:end]


_FRAME = re.compile(r"```\w*|\[TOOL_CALLS\]\w*|\[ARGS\]|</?tool_call>")
_SAID = re.compile(r"[\w{\[]")
OUTSIDE = "left out what stands outside its turn"
"""The note on a reply that continues after its turn, or begins with a role marker."""

_MOST_VALUES = 40
"""Maximum number of brackets checked for complete values, inside which a marker is text."""
_ROLES = "user|human|assistant|system|model|chatbot|bot|tool"
_SPECIAL = (
    # The tokens around the call of a tool end no turn: an answer may be in it.
    r"(?:<[|｜](?!python_tag|tool[_▁](?:call|sep))[^<>|｜\n]{1,40}[|｜]>"
    r"|\[\|/?\w{1,20}\|\]|</?s>|<[be]os>|<(?:start|end)_of_turn>"
    r"|\[/?INST\]|<</?SYS>>)"
)
_MARKER = re.compile(
    # Special tokens of a chat template, in a row, with the role that they name.
    rf"(?P<token>{_SPECIAL}(?:\s*{_SPECIAL})*"
    rf"(?:\s*(?:{_ROLES}|final|analysis|json|commentary(?: to=[\w.]+)?)\b\s*(?=[\n<{{\[]|$)"
    rf"(?:{_SPECIAL}\s*)*)*)"
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
_ASKING = ("user", "human", "system", "instruction", "input", "[inst]")
_NAMED = re.compile(
    "|".join(map(re.escape, (*_ASKING, "assistant", "model", "response", "final", "analysis"))),
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"(?:^|\n)[ \t>*_#-]*(?P<name>[^\W\d_][\w.'’-]{0,30}(?: [^\W\d_][\w.'’-]{0,30}){0,3})"
    r"(?: ?\([^()\n]{1,30}\))?[*_]{0,3}:"
)
_BEFORE_OBJECT = r"[*_]{0,3}\s*(?:```\w*\s*)?"
_OBJECT = re.compile(_BEFORE_OBJECT + r"\{")
_ROLE_SPEAKS = re.compile(rf"\b(?:User|Human|Assistant)[*_]{{0,3}}:{_BEFORE_OBJECT}(?=\{{|$)")
"""A role name in the middle of a line, right before an object."""
_LABELS = re.compile(
    r"\b(?:actually|again|also|alternative|alternatively|answer|antwort|attempt|beispiel"
    r"|besser|better|changed|clarification|corrected|correction|draft|edit|edited|example"
    r"|explanation|final|finally|fixed|format|great|hence|here|hier|hinweis|however|improved"
    r"|instead|json|korrektur|korrigiert|maybe|now|note|notes|object|oder|oh|ok|okay|oops"
    r"|option|or|output|perhaps|possibly|reason|reasoning|reply|response|result|revised"
    r"|revision|second|so|solution|sorry|step|summary|sure|the|then|this|third|thought"
    r"|thoughts|thus|update|updated|version|wait|well|yes)\b",
    re.IGNORECASE,
)
"""Words before a colon that refer to the model's own answer instead of naming a speaker."""
SAYS = r"(?:says|said|asks|asked|adds|added|replies|replied|answers|answered)"
"""The words that say in a script that somebody speaks."""
_SAYING = re.compile(rf" {SAYS}$")
_DECODER = json.JSONDecoder(strict=False)


def own_words(text: str) -> Spoken:
    """Return the reply without thinking and without other speakers' turns, and notes on both.

    The reply's turn ends at the first role marker after its beginning. A marker inside a complete
    JSON value is text. A marker inside an incomplete value ends the turn, and the value counts as
    cut.
    """
    if _MARKER.search(text) is None:
        return without_thoughts(text)
    spoken, notes = without_thoughts(_before_lost_thought(text))
    start, end = _turn(spoken)
    if (start, end) == (0, len(spoken)):
        return spoken, notes
    return spoken[start:end], (*notes, OUTSIDE)


def goes_on(text: str) -> bool:
    """Return whether somebody else's turn, or its marker, comes after the reply's own."""
    spoken, _ = without_thoughts(text)
    return _turn(spoken)[1] < len(spoken)


def is_by_another(between: str) -> bool:
    """Return whether the text between two values names somebody as the speaker."""
    if _ROLE_SPEAKS.search(between):
        return True
    return any(_is_name(match["name"]) for match in _SPEAKER.finditer(between))


def end_before_another(text: str, start: int) -> int:
    """Return where an incomplete value ends at the latest: before another speaker's object."""
    role = _ROLE_SPEAKS.search(text, start)
    end = role.start() if role else len(text)
    for match in _SPEAKER.finditer(text, start, end):
        if _is_name(match["name"]) and _OBJECT.match(text, match.end()):
            return match.start()
    return end


def _is_name(words: str) -> bool:
    """Return whether the words before a colon name a speaker, not the text that follows."""
    name = _SAYING.sub("", words)
    last = name.rpartition(" ")[2]
    return name[0].isupper() and last[0].isupper() and _LABELS.search(name) is None


def _before_lost_thought(text: str) -> str:
    """Return the reply without a later thought that has an end tag but no start tag.

    If a special token ended the reply's turn before such a thought, only the text up to the token
    is returned. Otherwise the thought stands at the beginning of the reply, and the text is
    unchanged.
    """
    tag = THOUGHT.search(text)
    if tag is None or not (tag["end"] or tag["last"]):
        return text
    _, end = _turn(text[: tag.start()], only_tokens=True)
    return text[:end] if end < tag.start() else text


def _turn(text: str, *, only_tokens: bool = False) -> tuple[int, int]:
    """Return where the reply's own turn starts and ends.

    Thinking that a template marks as analysis is skipped, and so is a question before the turn. But
    a question with a bracket may hold an example or an answer: then the turn is empty.
    """
    start, at, values, named = 0, 0, 0, ""
    for marker in _MARKER.finditer(text):
        at, values = _skip_values(text, at, marker.start(), values)
        if marker.start() < at or (only_tokens and not marker["token"]):
            continue
        if not _OPENED.fullmatch(text, start, marker.start()):
            if named not in (*_ASKING, "analysis"):
                return start, marker.start()
            if named != "analysis" and _BRACKET.search(text, start, marker.start()):
                return start, start
        start = at = marker.end()
        named = (_NAMED.findall(marker[0]) or [""])[-1].lower()
    return start, len(text)


def _skip_values(text: str, at: int, end: int, values: int) -> tuple[int, int]:
    """Return where the last value that starts before `end` ends, and how many were looked at."""
    while values < _MOST_VALUES and (bracket := _BRACKET.search(text, at, end)):
        values += 1
        at = _end_of_value(text, bracket.start())
    return at, values


def _end_of_value(text: str, start: int) -> int:
    """Return where the value at a bracket ends, or the position after the bracket if incomplete."""
    try:
        return _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return start + 1
