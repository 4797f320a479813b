"""Read times of day and lengths of time as models write them: "half past seven", "1h 30"."""

import re
from dataclasses import dataclass

from smolville.parsers.reading.scalars import WORDS

_WORD = "|".join(sorted((word for word, n in WORDS.items() if 1 <= n <= 59), key=len, reverse=True))
_NAMED = {"noon": 720, "midday": 720, "midnight": 0, "24:00": 0, "mittag": 720, "mitternacht": 0}
_LEAD = r"(?:(?:at|around|about|by|from|approximately|approx\.?|~|ca\.|um|gegen) ?)?"
_DAY = r"(?:\d{4}-\d\d-\d\d[t ])?"
_PART = (
    r"(?: ?(?P<half>[ap])\.? ?m\.?"
    r"|,? ?(?:in the |at )(?P<part>morning|afternoon|evening|night)|,? ?(?P<noon>noon|midnight))?"
)
_MARK = r" ?(?P<mark>o['\u2019]?clock|uhr|h|hrs?|hours)?"
_END = r"(?: ?(?:[-\u2013\u2014]|to|until|bis) ?\d{1,2}(?:[:.h]\d\d)?(?: ?[ap]\.? ?m\.?)?)?"
_DIGITS = re.compile(
    rf"{_LEAD}{_DAY}(?P<hour>\d{{1,2}})(?:[:.h](?P<minute>\d\d)(?::\d\d(?:\.\d+)?)?)?"
    rf"{_MARK}{_PART}(?P<end>{_END})\.?",
    re.ASCII,
)
_FOUR = re.compile(r"(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)(?: ?(?:h|hrs?|hours))?", re.ASCII)
_WORDS = re.compile(
    rf"{_LEAD}(?:(?:(?P<count>half|(?:a )?quarter|{_WORD}|\d{{1,2}})(?: minutes?)?"
    rf" (?P<side>past|after|to|before) )?(?P<hour>{_WORD}|\d{{1,2}})(?P<extra>[ -](?:{_WORD}))?)"
    rf"{_MARK}{_PART}\.?"
)
_HALF = re.compile(r"[ap]\.? ?m")
_AFTER_NOON = {"afternoon": range(1, 7), "evening": range(4, 12), "night": range(8, 12)}

_COUNTED = "|".join(sorted(WORDS, key=len, reverse=True))
_ABOUT = r"(?:(?:for|about|around|approximately|approx\.?|roughly|~|ca\.) ?)?"
_HOURS = r"(?:hours?|hrs?\.?|h\.?|stunden?|std\.?)"
_MINUTES = r"(?:minutes?|minuten|mins?\.?|m\.?|')"
_COUNT = rf"\d{{1,5}}(?:[.,]\d{{1,2}})?|{_COUNTED}|an?"
_PARTS = re.compile(
    rf"{_ABOUT}(?:(?P<hours>{_COUNT})[ -]?{_HOURS}(?P<half> and a half)?"
    rf"(?:(?:,? and |, | )?(?P<rest>\d{{1,2}}|{_COUNTED})(?: ?{_MINUTES})?)?"
    rf"|(?P<minutes>{_COUNT})[ -]?{_MINUTES})(?: long)?\.?",
    re.ASCII,
)
_ONE_AND_HALF = re.compile(
    rf"{_ABOUT}(?P<hours>\d{{1,2}}|{_COUNTED}) and a half hours\.?", re.ASCII
)
_NAMED_LENGTHS = {
    "half an hour": 30,
    "half hour": 30,
    "half a hour": 30,
    "a half hour": 30,
    "1/2 hour": 30,
    "a quarter of an hour": 15,
    "quarter of an hour": 15,
    "a quarter hour": 15,
    "quarter hour": 15,
    "three quarters of an hour": 45,
    "eine halbe stunde": 30,
    "eine viertelstunde": 15,
    "eine stunde": 60,
}


@dataclass(frozen=True, slots=True)
class SpokenTime:
    """A time of day, and how unambiguous it is."""

    minute: int
    """The minute of the day; the earlier one if both halves of the day are possible."""
    is_either: bool = False
    """Whether both halves of the day are possible, as in "half past seven"."""
    is_span: bool = False
    """Whether an end follows it, as in "07:00 - 08:00"."""


def read_spoken(text: str) -> SpokenTime | None:
    """Return the time of day in a text, or None if there is none."""
    plain = " ".join(text.lower().split())
    if plain.removeprefix("12 ") in _NAMED:
        return SpokenTime(_NAMED[plain.removeprefix("12 ")])
    four = _FOUR.fullmatch(plain)
    if four is not None:
        return SpokenTime(int(four["hour"]) * 60 + int(four["minute"]))
    digits = _DIGITS.fullmatch(plain)
    if digits is not None:
        return _from_digits(digits)
    words = _WORDS.fullmatch(plain)
    return _from_words(words) if words else None


def _from_digits(match: re.Match[str]) -> SpokenTime | None:
    """Return the time written in digits; a bare hour up to 12 may be in either half of the day."""
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    is_bare = match["minute"] is None and (match["mark"] or "o")[0] == "o"
    if match["minute"] is None and (match["mark"] or "").startswith(("hr", "hour")):
        return None
    if _HALF.search(match["end"]) and not _half_of(hour, match):
        return None
    return _place_in_half_day(hour, minute, match, is_said=is_bare, is_span=bool(match["end"]))


def _from_words(match: re.Match[str]) -> SpokenTime | None:
    """Return the time in words: an hour, minutes past or to it, or an hour followed by minutes."""
    hour = _number(match["hour"])
    if match["extra"]:
        minute = _number(match["extra"][1:])
        is_plain = match["count"] is None and match["hour"] in WORDS and 10 <= minute < 60
        return _place_in_half_day(hour, minute, match, is_said=True) if is_plain else None
    if match["count"] is None:
        return _place_in_half_day(hour, 0, match, is_said=True)
    minutes = {"half": 30, "quarter": 15}.get(match["count"].removeprefix("a "))
    minutes = _number(match["count"]) if minutes is None else minutes
    is_past = match["side"] in {"past", "after"}
    if not 0 < minutes < 60 or not 1 <= hour <= 12 or (match["count"] == "half" and not is_past):
        return None
    whole = _place_in_half_day(hour, 0, match, is_said=True)
    if whole is None:
        return None
    moved = whole.minute + (minutes if is_past else -minutes)
    if whole.is_either:
        return SpokenTime(moved % 720, is_either=True)
    return SpokenTime(moved) if moved // 720 == whole.minute // 720 else None


def _place_in_half_day(
    hour: int, minute: int, match: re.Match[str], *, is_said: bool, is_span: bool = False
) -> SpokenTime | None:
    """Return the time in its half of the day; None if there is no such time."""
    if minute > 59 or hour > 23:
        return None
    half = _half_of(hour, match)
    if half == "none":
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
        return SpokenTime(hour * 60 + minute, is_span=is_span)
    is_either = is_said and 1 <= hour <= 12
    return SpokenTime((hour % 12 if is_either else hour) * 60 + minute, is_either, is_span)


def _half_of(hour: int, match: re.Match[str]) -> str:
    """Return the half of the day that a text names, "a" or "p"; empty if it names none.

    If the hour is impossible in the named half, such as "13 in the morning", return "none".
    """
    if match["noon"]:
        return "none" if hour != 12 else "p" if match["noon"] == "noon" else "a"
    if match["half"]:
        fits = hour <= 12 if match["half"] == "a" else hour > 0
        return match["half"] if fits else "none"
    part = match["part"]
    if not part:
        return ""
    if part == "morning":
        return "a" if 0 < hour < 12 else "none"
    if hour in _AFTER_NOON[part] or hour - 12 in _AFTER_NOON[part]:
        return "p"
    if part == "night":
        return "a" if hour == 12 or hour < 6 else "none"
    return "p" if hour == 12 and part == "afternoon" else "none"


def _number(text: str) -> int:
    """Return the number that digits or a word stand for."""
    return WORDS[text] if text in WORDS else int(text)


def read_duration(text: str) -> int | None:
    """Return the whole minutes of a text with a unit; None if it has none or is ambiguous."""
    plain = " ".join(text.lower().split())
    named = _NAMED_LENGTHS.get(re.sub(rf"^{_ABOUT}", "", plain).rstrip("."))
    if named is not None:
        return named
    half = _ONE_AND_HALF.fullmatch(plain)
    if half is not None:
        return _to_whole_minutes(_count(half["hours"]) * 60 + 30)
    parts = _PARTS.fullmatch(plain)
    return _added_up(parts) if parts else None


def _added_up(parts: re.Match[str]) -> int | None:
    """Return hours and minutes as minutes; None for more than 59 minutes beside hours."""
    if parts["minutes"]:
        return _to_whole_minutes(_count(parts["minutes"]))
    rest = _count(parts["rest"]) if parts["rest"] else 0
    hours = _count(parts["hours"])
    if rest >= 60 or (parts["rest"] and (parts["half"] or hours != int(hours))):
        return None
    return _to_whole_minutes(hours * 60 + rest + (30 if parts["half"] else 0))


def _count(text: str) -> float:
    """Return the number that digits, a word or an article stand for."""
    if text in {"a", "an"}:
        return 1
    return WORDS[text] if text in WORDS else float(text.replace(",", "."))


def _to_whole_minutes(minutes: float) -> int | None:
    """Return the minutes if they are a whole number, else None."""
    return round(minutes) if abs(minutes - round(minutes)) < 1e-9 else None
