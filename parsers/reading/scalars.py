"""Read words and numbers as models write them: "Yes", "null", "talk (with Ben)", "8/10", "#4"."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

_TRUTHS = {"true": True, "yes": True, "y": True, "1": True, "ja": True}
_TRUTHS |= {"false": False, "no": False, "n": False, "0": False, "nein": False}
_NOTHING = {"", "-", "\u2013", "\u2014", "[]", "{}", "null", "none", "nil", "n/a", "na"}
_NOTHING |= {"undefined", "nothing", "nobody"}
_ELLIPSIS = re.compile(r"[\[(<]?(?:\.{2,}|\u2026)[.\u2026 ]*[\])>]?")
_MARKS = "\"'`\u201c\u201d\u2018\u2019*.!<>[]() "
_ARTICLE = re.compile(r"^(?:the|a|an) ")
_ENTRY = re.compile(r"^(?:\d{1,3}|[a-h])[.)] +|^[-*\u2022] +")
_ASIDE = re.compile(
    r"(?P<choice>[^:(,;\u2013\u2014]{1,80}?) ?(?:[:(,;\u2013\u2014]| - )(?P<rest>.*)"
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|nobody|or|instead|rather|but|unless|if|then"
    r"|(?:do|does|did|is|are|was|wo|ca|have|has|had|could|would|should)nt)\b|n['\u2019]t\b"
)
_FILLER = re.compile(
    r"(?:\s*(?:i(?:['\u2019](?:d|ll|m))?|will|would|want|like|to|choose|pick|decide|go|be|am|is|its?|feel"
    r"|feeling|my|our|the|an?|this|that|very|quite|so|answer|choice|decision|option|please|yes|okay|ok"
    r"|in|at|on|for|of|with|him|her|them)(?!\S))*\s*"
)
"""Words around a choice that leave no doubt that it is meant."""
_SEPARATORS = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"\d+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "_": " "})
_LONGEST = 200
_LONGEST_PHRASE = 8


def read_truth(text: str) -> bool | None:
    """Return True or False as a text means it, or None if that is ambiguous."""
    return _TRUTHS.get(text.strip().lower().rstrip("."))


def null_when_said(value: object) -> object:
    """Return None for a text such as "none" or "null"; any other value unchanged."""
    if isinstance(value, str) and value.strip().lower().rstrip(".\u2026") in _NOTHING:
        return None
    return value


def is_ellipsis(value: object) -> bool:
    """Return whether the value is only an ellipsis, which stands for what was not written."""
    return isinstance(value, str) and _ELLIPSIS.fullmatch(value.strip()) is not None


def find_spelled(text: str, choices: Sequence[str]) -> list[int]:
    """Return the positions of the choices that a text spells: one is meant, several are in doubt.

    Case, accents, quotes and articles never count. Where no choice is equal without these, one that
    differs only in separators and punctuation fits.
    """
    folded = fold_text(text)
    names = [fold_text(choice) for choice in choices]
    same = [at for at, name in enumerate(names) if folded and name == folded]
    if same or len(text) > _LONGEST or not any(char.isalpha() for char in folded):
        return same
    return [at for at, name in enumerate(names) if _joined(name) == _joined(folded)]


def _joined(text: str) -> tuple[str, list[str]]:
    """Return a text without its separators, and its numbers: "bedroom 12" is not "bedroom 1 2"."""
    return _SEPARATORS.sub("", text), _DIGITS.findall(text)


def same_choice(text: str, choices: Sequence[str]) -> str | None:
    """Return the only choice that a text spells (see `find_spelled`), or None."""
    found = find_spelled(text, choices)
    return choices[found[0]] if len(found) == 1 else None


def named_choice(text: str, choices: Sequence[str], field: str) -> str | None:
    """Return the only choice that a text names, or None if that is ambiguous.

    The text may also have an entry number, the field's name and a remark, or be a short phrase:
    "choice: talk", "2. talk", "talk (he is free)" and "I would talk to her" mean "talk", but "talk,
    or wait" is ambiguous.
    """
    rest = without_label(_ENTRY.sub("", text.strip(), count=1), field)
    same = same_choice(text, choices) or same_choice(rest, choices)
    if same is not None or len(text) > _LONGEST:
        return same
    aside = _ASIDE.fullmatch(rest)
    if aside is None:
        found = find_in_phrase(rest, choices)
        return choices[found[0]] if len(found) == 1 else None
    chosen = same_choice(aside["choice"], choices)
    behind = fold_text(aside["rest"])
    others = [fold_text(choice) for choice in choices if choice != chosen]
    if _DENIAL.search(behind) or any(_word_in(other, behind) for other in others):
        return None
    return chosen


def find_in_phrase(text: str, choices: Sequence[str]) -> list[int]:
    """Return the positions of the choices in a phrase that says no more than that one is chosen."""
    phrase, names = fold_text(text), [fold_text(choice) for choice in choices]
    if len(phrase.split()) > _LONGEST_PHRASE:
        return []
    found = []
    for at, name in enumerate(names):
        around = re.split(rf"(?<![\w'’-]){re.escape(name)}(?![\w'’-])", phrase) if name else []
        rest = " ".join(around)
        is_filler = len(around) == 2 and _FILLER.fullmatch(rest) is not None
        if is_filler and not any(other and _word_in(other, rest) for other in names):
            found.append(at)
    return found


def without_label(text: str, field: str) -> str:
    """Return the text without the field's name and a colon before it: `minutes: 30`."""
    if not field:
        return text
    label = rf"^\W*{re.escape(field)}[\"'`*]*\s*[:=]\s*"
    return re.sub(label, "", text, count=1, flags=re.IGNORECASE)


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


def _word_in(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}", text) is not None


_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip
_WORDS = {word: number for number, word in enumerate(_NUMBERS)}
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_RATED = re.compile(
    rf"(?:(?:a|about|around|approximately|approx\.?|roughly|~|ca\.) ?)?"
    rf"#?(?P<number>[+-]?\d{{1,9}}|{_WORD})(?:\.0+)?"
    rf"(?: ?(?:/|\(?(?:out of|of|on a scale of 1 to)) ?(?P<scale>\d{{1,9}}(?:\.0+)?|{_WORD})\)?)?"
    rf"(?: points?| years?(?: old)?)?\.?",
    re.ASCII,
)
_COUNT = rf"\d{{1,5}}(?:[.,]\d{{1,2}})?|{_WORD}|an?"
_MINUTES = r"(?:minutes?|mins?\.?|m\.?|')"
_DURATION = re.compile(
    r"(?:(?:for|about|around|approximately|approx\.?|roughly|~|ca\.) ?)?"
    rf"(?:(?P<half>half (?:an )?hour)|(?P<minutes>{_COUNT})[ -]?{_MINUTES}"
    rf"|(?P<hours>{_COUNT})[ -]?(?:hours?|hrs?\.?|h\.?)"
    rf"(?:(?:,? and |, | )?(?P<rest>\d{{1,2}})(?: ?{_MINUTES})?)?)\.?",
    re.ASCII,
)
_LEADING = re.compile(
    r"(?P<number>\d{1,4}) ?(?:[:.)=\u2013\u2014-] ?(?P<rest>[^\W\d_].*)|\((?P<aside>.*)\))"
)
_NUMBERED = re.compile(r"\s*(?P<number>\d{1,2})[.)] +(?P<text>\S.*)")
_EXPLAINED = re.compile(
    r"(?P<number>\d{1,4})(?: ?[:,\u2013\u2014]| -)? ?"
    r"(?P<rest>(?:(?<=[ :,\u2013\u2014])[^\W\d_]|\().*)"
)
_SECOND = re.compile(rf"\d|\b(?:or|and|to|not|maybe|oder|bis|und|{_WORD})\b")
_LISTED = re.compile(
    r"(?:(?:(?:memor(?:y|ie)|line|task|place|sector|spot|promise|person|choice|option|item|entry"
    r"|number)s?|no\.?|nr\.?|m(?=\d))(?: (?:number|no\.?|nr\.?))? ?)?[\[(#]*"
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


def read_duration(text: str) -> int | None:
    """Return the whole minutes of a text with a unit; None if it has none or is ambiguous."""
    parts = _DURATION.fullmatch(" ".join(text.lower().split()))
    if parts is None:
        return None
    rest = int(parts["rest"] or 0)
    hours = 0.5 if parts["half"] else _count(parts["hours"])
    if rest >= 60 or (rest and hours != int(hours)):
        return None
    minutes = hours * 60 + rest + _count(parts["minutes"])
    return round(minutes) if abs(minutes - round(minutes)) < 1e-9 else None


def _count(text: str | None) -> float:
    if text in {"a", "an"}:
        return 1
    return _WORDS[text] if text in _WORDS else float((text or "0").replace(",", "."))


def unnumbered(lines: Sequence[Any]) -> list[str] | None:
    """Return lines without the numbers 1, 2, ... before them; None if they are not numbered so."""
    found = [_NUMBERED.fullmatch(line) if isinstance(line, str) else None for line in lines]
    if len(lines) < 2 or any(
        each is None or each["number"] != str(at) for at, each in enumerate(found, 1)
    ):
        return None
    return [each["text"] for each in found if each]


def has_second(text: str) -> bool:
    """Return whether a text starts as if it named another number: "or 5", "and the park"."""
    return _SECOND.match(text.lower()) is not None


def _value(text: str) -> int:
    return _WORDS[text] if text in _WORDS else int(float(text))
