"""Read whole numbers as models write them: "8/10", "ten", "8 out of 10", "#4"."""

import re

_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TEENS = (
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORDS = {word: number for number, word in enumerate(_ONES + _TEENS)}
"""The numbers from zero to ninety-nine in words."""
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
    rf"(?:(?:number|no\.?|nr\.?|option|memory|task|place|sector|choice) ?)?[\[(#]*"
    rf"(?P<number>\d{{1,4}}|{_WORD})[\])]*\.?"
)


def read_rating(text: str, scale: int | None) -> int | None:
    """The number a text means on a scale that ends at `scale`, or None when that is in doubt.

    "8/10" means 8 only where 10 is the end of the scale; so does "8: a friend moves away", for
    behind "8." the text may be an entry of a list.
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
    """The number of an entry in a list: "4", "#4", "[4]", "memory 4", "four"; or None."""
    listed = _LISTED.fullmatch(" ".join(text.lower().split()))
    return _value(listed["number"]) if listed else None


def split_listed(text: str) -> tuple[int, str] | None:
    """The number and what stands behind it in "4. the kitchen" or "4 (kitchen)", or None."""
    leading = _LEADING.fullmatch(" ".join(text.split()))
    if leading is None:
        return None
    return int(leading["number"]), (leading["rest"] or leading["aside"]).strip()


def has_second(text: str) -> bool:
    """Whether a text starts as if it named another number: "or 5", "and the park"."""
    return _SECOND.match(text.lower()) is not None


def _value(text: str) -> int:
    """The number that digits or a word stand for."""
    return WORDS[text] if text in WORDS else int(float(text))
