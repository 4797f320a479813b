"""Sentences of a free text: which of them fit, and which only repeat earlier ones."""

import re
from collections.abc import Iterable, Sequence

SAYS = r"(?:says|said|asks|asked|adds|added|replies|replied|answers|answered)"
"""The words that say in a script that somebody speaks."""
LEAST = 5
"""Minimum number of words of a sentence that can count as a repetition."""
_SAME = 0.8
"""Minimum share of common words for two sentences to count as the same."""
_NEW = 0.6
"""Minimum share of a text's words that are left when repeated sentences are left out."""
_WORD = 5
"""A text that was broken off is at most this many characters shorter than the limit."""
_HOW_ARE_YOU = re.compile(
    r"\W*(?:and )?(?:how (?:are|about|have) you\b|what about you\b|what['’]s (?:up|new)\b"
    r"|how['’]s it going\b|how is it going\b)[^.!?]{0,24}\?+[\"'”’)]*$",
    re.IGNORECASE,
)
"""A sentence that only asks how somebody is."""
_WELL = r"(?:i['’]m|i am|it['’]s|doing|am)"
_SMALL_TALK = re.compile(
    r"(?:(?:hello|hi|hey|oh|well|yes|good (?:morning|afternoon|evening|day|night))(?:[ ,]+there)?"
    rf"|{_WELL} (?:doing )?(?:very |really |pretty )?(?:good|fine|well|great|okay|ok)(?:[ ,]+too)?"
    r"|(?:thanks|thank you)(?: (?:so|very) much| a lot)?(?: for (?:asking|coming|your time))?"
    r"|too|i['’]m (?-i:[A-Z])[\w'’-]+|my name is [\w'’-]+"
    r"|(?:nice|good|great) to (?:see|meet|hear from) you(?:[ ,]+too)?|you too"
    r"|(?:how )?(?:can|may) i help(?: you)?(?: today)?"
    r"|i (?:have to|must|need to) go(?: on)?(?: now)?"
    r"|good ?bye|bye(?:[ -]bye)?|take care|see you(?: soon| later| then| around)?"
    r"|have a (?:nice|good|great|lovely) (?:day|evening|afternoon|time))"
    r"(?:[\s,]+(?!(?:and|but|at|on|in|to)\b)[\w'’-]+){0,2}",
    re.IGNORECASE,
)
"""A clause that could be said to anybody and contains at most a name."""
_END = re.compile(r"[.!?…][\"'”’)]*(?=\s|$)")
_BETWEEN = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+")


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [each for each in _BETWEEN.split(text.strip()) if each]


def words_of(text: str) -> list[str]:
    """Return the words of a sentence, in lower case."""
    return re.findall(r"\w+", text.casefold())


def keep_whole_sentences(text: str, longest: int) -> str:
    """Return the whole sentences of a text that fit into a length; the text if none fits.

    A server that constrains a reply to a schema may break off a line in mid-sentence.
    """
    if len(text) < longest - _WORD:
        return text
    if len(text) <= longest and _END.search(text, len(text) - 2):
        return text
    ends = [match.end() for match in _END.finditer(text) if match.end() <= longest]
    return text[: ends[-1]] if ends else text


def clip_text(text: str, longest: int) -> str:
    """Return the whole sentences of a text that fit; if the first is too long, its beginning."""
    short = keep_whole_sentences(text, longest)
    if len(short) <= longest:
        return short
    head = short[: longest - 1]
    at = max(head.rfind(", "), head.rfind("; "))
    cut = head[:at] if at > longest // 2 else head.rsplit(" ", 1)[0]
    return cut.rstrip(" ,;:-") + "…"


def without_said(text: str, said: Iterable[str]) -> str:
    """Return the sentences of a text that were not said before; the whole text if few are new.

    Short sentences (a greeting, thanks) may be repeated, and are not new. A text that mostly
    repeats is returned whole, so that a check sees what it is.
    """
    before = [words for line in said for each in sentences_of(line) if (words := words_of(each))]
    sentences = sentences_of(text)
    new = [each for each in sentences if not _is_among(words_of(each), before)]
    has_news = any(len(words_of(each)) >= LEAST for each in new)
    is_most = len(words_of(" ".join(new))) >= _NEW * len(words_of(text))
    return " ".join(new) if has_news and is_most and len(new) < len(sentences) else text


def _is_among(words: Sequence[str], said: Sequence[Sequence[str]]) -> bool:
    if len(words) < LEAST:
        return False
    own = set(words)
    return any(len(own & set(each)) >= _SAME * max(len(own), len(set(each))) for each in said)


def is_small_talk(text: str) -> bool:
    """Return whether every sentence is only a greeting, thanks, a goodbye, or how somebody is."""
    clauses = [
        clause
        for each in sentences_of(text)
        if _HOW_ARE_YOU.match(each) is None
        for clause in re.split(r"[,;!.?…]+\s*", each)
        if clause.strip("\"'”’) ")
    ]
    names = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?")
    return all(_SMALL_TALK.fullmatch(each) or names.fullmatch(each) for each in clauses)
