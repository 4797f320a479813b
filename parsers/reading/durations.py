"""Read lengths of time as models write them: "1h 30", "half an hour", "90 minutes"."""

import re

from parsers.reading.scalars import WORDS

_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_ABOUT = r"(?:(?:for|about|around|approximately|approx\.?|roughly|~|ca\.) ?)?"
_HOURS = r"(?:hours?|hrs?\.?|h\.?|stunden?|std\.?)"
_MINUTES = r"(?:minutes?|minuten|mins?\.?|m\.?|')"
_COUNT = rf"\d{{1,5}}(?:[.,]\d{{1,2}})?|{_WORD}|an?"
_PARTS = re.compile(
    rf"{_ABOUT}(?:(?P<hours>{_COUNT})[ -]?{_HOURS}(?P<half> and a half)?"
    rf"(?:(?:,? and |, | )?(?P<rest>\d{{1,2}}|{_WORD})(?: ?{_MINUTES})?)?"
    rf"|(?P<minutes>{_COUNT})[ -]?{_MINUTES})(?: long)?\.?",
    re.ASCII,
)
_ONE_AND_HALF = re.compile(rf"{_ABOUT}(?P<hours>\d{{1,2}}|{_WORD}) and a half hours\.?", re.ASCII)
_NAMED = {
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


def read_duration(text: str) -> int | None:
    """Return the whole minutes of a text with a unit; None if it has none or is ambiguous."""
    plain = " ".join(text.lower().split())
    named = _NAMED.get(re.sub(rf"^{_ABOUT}", "", plain).rstrip("."))
    if named is not None:
        return named
    half = _ONE_AND_HALF.fullmatch(plain)
    if half is not None:
        return _whole(_count(half["hours"]) * 60 + 30)
    parts = _PARTS.fullmatch(plain)
    return _added_up(parts) if parts else None


def _added_up(parts: re.Match[str]) -> int | None:
    """Return hours and minutes as minutes; None for more than 59 minutes beside hours."""
    if parts["minutes"]:
        return _whole(_count(parts["minutes"]))
    rest = _count(parts["rest"]) if parts["rest"] else 0
    hours = _count(parts["hours"])
    if rest >= 60 or (parts["rest"] and (parts["half"] or hours != int(hours))):
        return None
    return _whole(hours * 60 + rest + (30 if parts["half"] else 0))


def _count(text: str) -> float:
    """Return the number that digits, a word or an article stand for."""
    if text in {"a", "an"}:
        return 1
    return WORDS[text] if text in WORDS else float(text.replace(",", "."))


def _whole(minutes: float) -> int | None:
    """Return the minutes if they are a whole number, else None."""
    return round(minutes) if abs(minutes - round(minutes)) < 1e-9 else None
