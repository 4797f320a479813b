"""Read words and numbers as models write them: "Yes", "null", "talk (with Ben)", "8/10", "#4"."""

import re
import unicodedata
from collections.abc import Sequence

_TRUTHS = {"true": True, "yes": True, "y": True, "1": True, "ja": True}
_TRUTHS |= {"false": False, "no": False, "n": False, "0": False, "nein": False}
_NOTHING = {
    "",
    "null",
    "none",
    "nil",
    "n/a",
    "na",
    "undefined",
    "nothing",
    "nobody",
    "-",
    "\u2013",
    "\u2014",
    "[]",
    "{}",
}
_MARKS = "\"'`\u201c\u201d\u2018\u2019*.!<>[]() "
_ARTICLE = re.compile(r"^(?:the|a|an) ")
_ENTRY = re.compile(r"^(?:\d{1,3}|[a-h])[.)] +|^[-*\u2022] +")
_ASIDE = re.compile(
    r"(?P<choice>[^:(,;\u2013\u2014]{1,80}?) ?(?:[:(,;\u2013\u2014]| - )(?P<rest>.*)"
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|nobody|or|instead|rather|but|unless|if|then)\b|n['\u2019]t\b"
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "_": " "})
_LONGEST = 200


def read_truth(text: str) -> bool | None:
    """Return True or False as a text means it, or None if that is ambiguous."""
    return _TRUTHS.get(text.strip().lower().rstrip("."))


def null_when_said(value: object) -> object:
    """Return None for a text such as "none" or "null"; any other value unchanged."""
    if isinstance(value, str) and value.strip().lower().rstrip(".") in _NOTHING:
        return None
    return value


def same_choice(text: str, choices: Sequence[str]) -> str | None:
    """Return the only choice that equals a text except for case, accents, quotes or articles."""
    folded = fold_text(text)
    found = [choice for choice in choices if fold_text(choice) == folded]
    return found[0] if folded and len(found) == 1 else None


def named_choice(text: str, choices: Sequence[str], field: str) -> str | None:
    """Return the only choice that a text names, or None if that is ambiguous.

    The text may also have an entry number, the field's name and a remark: "choice: talk", "2. talk"
    and "talk (he is free)" mean "talk", but "talk, or wait" is ambiguous.
    """
    same = same_choice(text, choices)
    if same is not None or len(text) > _LONGEST:
        return same
    rest = _ENTRY.sub("", text.strip(), count=1)
    rest = re.sub(rf"^{re.escape(field)}\s*[:=]\s*", "", rest, count=1, flags=re.IGNORECASE)
    same = same_choice(rest, choices)
    aside = _ASIDE.fullmatch(rest) if same is None else None
    if aside is None:
        return same
    chosen = same_choice(aside["choice"], choices)
    behind = fold_text(aside["rest"])
    others = [fold_text(choice) for choice in choices if choice != chosen]
    if _DENIAL.search(behind) or any(_word_in(other, behind) for other in others):
        return None
    return chosen


def named_place(text: str, places: Sequence[str]) -> str | None:
    """Return the first of some addresses that a text names, whole or by one of its parts."""
    said = fold_text(text)
    for place in places:
        parts = place.split(": ")
        if said in (fold_text(each) for each in (place, ", ".join(parts), *parts)):
            return place
    return None


def fold_text(text: str) -> str:
    """Return the text without case, accents, quotes and article, which distinguish no names."""
    plain = " ".join(text.lower().translate(_UMLAUTS).split()).strip(_MARKS)
    if not plain.isascii():
        parts = unicodedata.normalize("NFKD", plain)
        plain = "".join(char for char in parts if not unicodedata.combining(char))
    return _ARTICLE.sub("", plain)


def shorten_text(text: str, most: int) -> str:
    """Return the text cut to at most this many characters, after a whole word if possible."""
    cut = text[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip(" ,;:") + "…"


def _word_in(word: str, text: str) -> bool:
    """Return whether a word or name occurs in a text, also as the start of a longer word."""
    return re.search(rf"\b{re.escape(word)}", text) is not None


_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TEENS = (
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORDS = {word: number for number, word in enumerate(_ONES + _TEENS)}
"""The numbers from zero to ninety-nine, by their words."""
WORDS |= {ten: (at + 2) * 10 for at, ten in enumerate(_TENS)}
WORDS |= {
    f"{ten}{mark}{one}": (at + 2) * 10 + number
    for at, ten in enumerate(_TENS)
    for number, one in enumerate(_ONES)
    if 0 < number < 10
    for mark in "- "
}
_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_RATED = re.compile(
    rf"(?:(?:a|about|around|approximately|approx\.?|roughly|~|ca\.) ?)?"
    rf"#?(?P<number>[+-]?\d{{1,9}}|{_WORD})(?:\.0+)?"
    rf"(?: ?(?:/|\(?(?:out of|of|on a scale of 1 to)) ?(?P<scale>\d{{1,9}}(?:\.0+)?|{_WORD})\)?)?"
    rf"(?: points?)?\.?",
    re.ASCII,
)
_LEADING = re.compile(
    r"(?P<number>\d{1,4}) ?(?:[:.)\u2013\u2014-] ?(?P<rest>[^\W\d_].*)|\((?P<aside>.*)\))"
)
_EXPLAINED = re.compile(
    r"(?P<number>\d{1,4})(?: ?[:,\u2013\u2014]| -)? ?"
    r"(?P<rest>(?:(?<=[ :,\u2013\u2014])[^\W\d_]|\().*)"
)
_SECOND = re.compile(rf"\d|\b(?:or|and|to|not|maybe|oder|bis|und|{_WORD})\b")
_LISTED = re.compile(
    rf"(?:(?:number|no\.?|nr\.?|option|memor(?:y|ies)|lines?|m(?=\d)|task|place|sector|choice)"
    rf" ?)?[\[(#]*"
    rf"(?P<number>\d{{1,4}}|{_WORD})[\])]*\.?"
)


def read_rating(text: str, scale: int | None) -> int | None:
    """Return the number that a text means on a scale up to `scale`; None if that is ambiguous.

    "8/10" means 8 only if `scale` is 10. "8: a friend moves away" means 8 only if there is a scale:
    without one, the text may be entry 8 of a list.
    """
    plain = " ".join(text.lower().split())
    rated = _RATED.fullmatch(plain)
    if rated is not None:
        end = rated["scale"]
        return _value(rated["number"]) if end is None or _value(end) == scale else None
    explained = _EXPLAINED.fullmatch(plain) if scale is not None else None
    if explained is None or _SECOND.search(explained["rest"]):
        return None
    return int(explained["number"])


def read_listed(text: str) -> int | None:
    """Return the number of an entry in a list: "4", "#4", "[4]", "memory 4", "four"; or None."""
    listed = _LISTED.fullmatch(" ".join(text.lower().split()))
    return _value(listed["number"]) if listed else None


def split_listed(text: str) -> tuple[int, str] | None:
    """Return the number and the text after it in "4. the kitchen" or "4 (kitchen)", or None."""
    leading = _LEADING.fullmatch(" ".join(text.split()))
    if leading is None:
        return None
    return int(leading["number"]), (leading["rest"] or leading["aside"]).strip()


def has_second(text: str) -> bool:
    """Return whether a text starts as if it named another number: "or 5", "and the park"."""
    return _SECOND.match(text.lower()) is not None


def _value(text: str) -> int:
    """Return the number that digits or a word stand for."""
    return WORDS[text] if text in WORDS else int(float(text))
