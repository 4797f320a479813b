"""Tell a model's own words from what it thought aloud, and from turns of others it invented."""

import json
import re

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
THOUGHT = re.compile(rf"<(?:(?P<end>/)?(?:{_NAMES}))>|\[(?P<last>/)?THINK\]", re.IGNORECASE)
"""A tag at which a thought begins or ends."""

Spoken = tuple[str, tuple[str, ...]]
"""What a reply says, and a note if something was left out."""


def without_thoughts(text: str) -> Spoken:
    """The reply without what the model thought aloud, and a note if it did.

    A thought without a start began with the reply; one without an end lasts to its end.
    """
    parts: list[str] = []
    position: int | None = 0
    tag = None
    for tag in THOUGHT.finditer(text):
        ends = tag["end"] or tag["last"]
        if not ends and position is not None:
            parts.append(text[position : tag.start()])
            position = None
        elif ends:
            parts = [] if position is not None else parts
            position = tag.end()
    if tag is None:
        return text, ()
    if position is not None:
        parts.append(text[position:])
    return " ".join(parts), ("left out a thought before the answer",)


def is_thought(text: str) -> bool:
    """Whether a reply has thoughts in it and nothing else."""
    spoken, notes = without_thoughts(text)
    return bool(notes) and not spoken.strip()


OUTSIDE = "left out what stands outside its turn"
"""The note of a reply that goes on after its turn, or opens it with a role marker."""

_MOST_VALUES = 40
"""At most so many brackets are looked at for whole values, in which a marker is text."""
_ROLES = "user|human|assistant|system|model|chatbot|bot|tool"
_SPECIAL = (
    r"(?:<[|｜][^<>|｜\n]{1,40}[|｜]>|\[\|/?\w{1,20}\|\]|</?s>|<[be]os>|<(?:start|end)_of_turn>"
    r"|\[/?INST\]|<</?SYS>>)"
)
_MARKER = re.compile(
    # Special tokens of a chat template, in a row, with the role that they name.
    rf"(?P<token>{_SPECIAL}(?:\s*{_SPECIAL})*"
    rf"(?:\s*(?:{_ROLES}|final|analysis)\b\s*(?=[\n<{{\[]|$)(?:{_SPECIAL}\s*)*)*)"
    # The headings of Alpaca and its kin, and a role in words on a line or right after a mark.
    r"|(?:^|(?<=[{}\[\],:`]))[ \t>]*(?:"
    rf"\#{{1,6}} ?(?:instructions?|response|input|{_ROLES})\b[ \t*]*(?::[ \t*]*|(?=\n|$))"
    rf"|[*_]{{0,3}}(?:{_ROLES})[*_]{{0,3}}[ \t]*:[*_]{{0,3}}"
    rf"|(?:{_ROLES})[ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)
_BRACKET = re.compile(r"[{\[]")
_OPENED = re.compile(r"\s*(?:```\w*\s*)?|[^{\[]*:\s*(?:```\w*\s*)?")
"""What may stand before a marker that opens the turn: nothing, or a line that announces it."""
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
"""A role in the middle of a line, right before an object."""
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
"""Words that stand before a colon where a model speaks of its own answer, not for somebody."""
_SAYING = re.compile(r" (?:says|said|asks|asked|replies|replied|answers|answered)$")
_DECODER = json.JSONDecoder(strict=False)


def own_words(text: str) -> Spoken:
    """The reply without what was thought aloud and without other turns, and notes of both.

    The reply's turn ends at the first role marker after it has begun. A marker within a whole JSON
    value is text; one within a value that is not whole ends it, so that it reads as cut.
    """
    if _MARKER.search(text) is None:
        return without_thoughts(text)
    spoken, notes = without_thoughts(_before_lost_thought(text))
    start, end = _turn(spoken)
    if (start, end) == (0, len(spoken)):
        return spoken, notes
    return spoken[start:end], (*notes, OUTSIDE)


def goes_on(text: str) -> bool:
    """Whether somebody else's turn, or the marker of one, comes after the reply's own."""
    spoken, _ = without_thoughts(text)
    return _turn(spoken)[1] < len(spoken)


def is_by_another(between: str) -> bool:
    """Whether somebody is named as the speaker in what stands between two values."""
    if _ROLE_SPEAKS.search(between):
        return True
    return any(_is_name(match["name"]) for match in _SPEAKER.finditer(between))


def end_before_another(text: str, start: int) -> int:
    """Where a value that is not whole ends at the latest: where a speaker has an object next."""
    role = _ROLE_SPEAKS.search(text, start)
    end = role.start() if role else len(text)
    for match in _SPEAKER.finditer(text, start, end):
        if _is_name(match["name"]) and _OBJECT.match(text, match.end()):
            return match.start()
    return end


def _is_name(words: str) -> bool:
    """Whether the words before a colon name somebody, rather than what comes after them."""
    name = _SAYING.sub("", words)
    last = name.rpartition(" ")[2]
    return name[0].isupper() and last[0].isupper() and _LABELS.search(name) is None


def _before_lost_thought(text: str) -> str:
    """The reply up to a special token that comes before the end of a thought without a start.

    What is left of such a thought begins with the reply, unless the reply's turn ended before it.
    """
    tag = THOUGHT.search(text)
    if tag is None or not (tag["end"] or tag["last"]):
        return text
    _, end = _turn(text[: tag.start()], only_tokens=True)
    return text[:end] if end < tag.start() else text


def _turn(text: str, *, only_tokens: bool = False) -> tuple[int, int]:
    """Where the reply's own turn starts and ends.

    Thoughts that a template marks as analysis are passed over, and so is a question that stands
    before it; one with a bracket may hold an example or an answer, and nothing is the reply's own.
    """
    start, at, values, named = 0, 0, 0, ""
    for marker in _MARKER.finditer(text):
        while values < _MOST_VALUES and (bracket := _BRACKET.search(text, at, marker.start())):
            values += 1
            at = _end_of_value(text, bracket.start())
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


def _end_of_value(text: str, start: int) -> int:
    """Where the value at a bracket ends, or right after the bracket if it is not whole."""
    try:
        return _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return start + 1
