"""Read times and dates in plain sentences."""

import re
from dataclasses import dataclass
from functools import lru_cache

DAY = 1440

_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_TIME = (
    r"(?:(?P<h{0}>\d{{1,2}})(?:[:.](?P<m{0}>\d\d))?\s*(?P<half{0}>[ap]\.?m\b\.?|o'clock)?"
    r"|(?P<past{0}>half past |quarter past |quarter to )?(?P<word{0}>noon|midday|midnight|"
    + "|".join(_NUMBERS)
    + r")\b)"
)
_SPAN = re.compile(
    r"(?:(?:from|between)\s+)?(?:about\s+|around\s+)?"
    + _TIME.format("a")
    + r"\s*(?:-|–|to|until|till|and)\s*(?:about\s+|around\s+)?"
    + _TIME.format("b"),
    re.IGNORECASE,
)
_POINT = re.compile(
    r"\b(?P<how>at|from|around|about|by|until|till|before|after|since)\s+"
    r"(?:about\s+|around\s+)?" + _TIME.format("a"),
    re.IGNORECASE,
)
_MONTHS = [
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
]
_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_DATE = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({'|'.join(_MONTHS)})\b"
    rf"|\b({'|'.join(_MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?\b"
)
_ON = re.compile(
    rf"\b(?:on|this|next) (?=(?:{'|'.join(_WEEKDAYS + _MONTHS)})|\d+(?:st|nd|rd|th)? [A-Z])",
    re.IGNORECASE,
)
_YEAR = re.compile(r",? ?\b(?:19|20)\d\d\b")
_WEEKDAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)})s?\b")


@dataclass(frozen=True, slots=True)
class Times:
    """The start and the end that a clause mentions."""

    start: int | None
    """Minute of the day."""
    end: int | None
    """Minute of the day."""
    rest: str
    """The clause without its times."""


def clock(minute: int) -> str:
    """Return a minute of the day as `HH:MM`."""
    return f"{minute // 60 % 24:02d}:{minute % 60:02d}"


def minute_of(text: str) -> int:
    """Return the last `HH:MM` in a text as a minute of the day; 0 if the text has no such time."""
    found = re.findall(r"(\d{1,2}):(\d\d)", text)
    return int(found[-1][0]) * 60 + int(found[-1][1]) if found else 0


@lru_cache(maxsize=2048)
def read_times(clause: str) -> Times:
    """Return the start and the end of an activity, as far as the clause mentions them."""
    span = _SPAN.search(clause)
    if span is not None and _is_time(span, "a", "b"):
        end = _minute(span, "b")
        start = _find_span_start(_minute(span, "a"), end, _half(span, "a"), _half(span, "b"))
        return Times(
            start, _find_span_end(start, end, _half(span, "b")), _remove_time(clause, span)
        )
    for point in _POINT.finditer(clause):
        if not _is_time(point, "a"):
            continue
        minute = _likely(_minute(point, "a"), _half(point, "a") or (point["ma"] or ""))
        is_end = point["how"].lower() in {"until", "till", "before", "by"}
        rest = _remove_time(clause, point)
        return Times(None, minute, rest) if is_end else Times(minute, None, rest)
    return Times(None, None, clause)


def falls_on(text: str, date: str) -> bool:
    """Return True when the text names `date` (`Monday 6 May`) by day and month, or by weekday."""
    dated = _DATE.findall(text)
    if dated:
        days = {(first or second, month or other) for first, month, other, second in dated}
        return any(f" {day} {month}" in f" {date}" for day, month in days)
    return any(weekday in date for weekday in _WEEKDAY.findall(text))


def names_a_day(text: str) -> bool:
    """Return True when the text names a date or a weekday."""
    return _DATE.search(text) is not None or _WEEKDAY.search(text) is not None


def is_over(text: str, now: str) -> bool:
    """Return whether every date in a text is past at the moment `now`, `Monday 6 May, 07:40`.

    On the day itself, an event is past after its end, or two hours after its start if no end is
    given. Dates have no year, so the nearest ones are meant. Return False if the text has no date.
    """
    days = _days_from(now, text)
    if not days or max(days) > 0:
        return False
    times = read_times(text)
    end = times.end or (DAY if times.start is None else times.start + 2 * 60)
    return max(days) < 0 or end <= minute_of(now)


def _days_from(now: str, text: str) -> list[int]:
    """Return how many days after a moment each date in a text is."""
    today = _ordinal(_DATE.findall(now)[0])
    return [_days_after(today, _ordinal(each)) for each in _DATE.findall(text)]


def _ordinal(found: tuple[str, ...]) -> int:
    """Return about how many days after the beginning of the year a date found by `_DATE` is."""
    first, month, other, second = found
    return 31 * _MONTHS.index(month or other) + int(first or second)


def _days_after(today: int, day: int) -> int:
    """Return how many days a day is after today, at most half a year in either direction."""
    year = 31 * len(_MONTHS)
    return (day - today + year // 2) % year - year // 2


def _is_time(found: "re.Match[str]", *groups: str) -> bool:
    """Return True if every number can be the hour of a time of day as people write it."""
    hours = [found[f"h{group}"] for group in groups]
    if any(hour is not None and int(hour) > 24 for hour in hours):
        return False
    marked = any(
        found[f"half{group}"] or found[f"m{group}"] or found[f"word{group}"] for group in groups
    )
    return marked or found.group(0).lower().startswith(("from", "between", "at", "until", "around"))


def _half(found: "re.Match[str]", group: str) -> str:
    """Return the half of the day that a time names: `a` for am, `p` for pm, empty for neither.

    Return `24` if the time needs none, such as noon or an hour above 12.
    """
    half = (found[f"half{group}"] or "").lower()[:1]
    word = (found[f"word{group}"] or "").lower()
    if word in {"noon", "midday", "midnight"} or int(found[f"h{group}"] or 0) > 12:
        return "24"
    return half if half in {"a", "p"} else ""


def _minute(found: "re.Match[str]", group: str) -> int:
    """Return the minute of the day of one time, in its half of the day if one is given."""
    word = (found[f"word{group}"] or "").lower()
    if word:
        named = {"noon": 720, "midday": 720, "midnight": DAY}
        minute = named[word] if word in named else (_NUMBERS.index(word) + 1) * 60
        past = (found[f"past{group}"] or "").lower().strip()
        return minute + {"half past": 30, "quarter past": 15, "quarter to": -15}.get(past, 0)
    minute = int(found[f"h{group}"]) * 60 + int(found[f"m{group}"] or 0)
    return _with_half(minute, _half(found, group))


def _with_half(minute: int, half: str) -> int:
    """Return a minute moved into the given half of the day."""
    if half == "p" and minute < 720:
        return minute + 720
    return minute - 720 if half == "a" and minute >= 720 else minute


def _likely(minute: int, half: str) -> int:
    """Return the likeliest minute: `at 5` without am or pm is taken as the afternoon."""
    return minute + 720 if not half and 60 <= minute < 360 else minute


def _find_span_start(start: int, end: int, half: str, other: str) -> int:
    """Return the start of a span whose end is known: `from 2 to 5pm` starts at 14:00."""
    if half:
        return start
    if other == "p" and start < 720 and start + 720 < end:
        return start + 720
    return start + 720 if not other and start < 360 else start


def _find_span_end(start: int, end: int, half: str) -> int:
    """Return the end of a span whose start is known: `from 9 to 5` ends at 17:00."""
    if end <= start:
        return end + 720 if not half and end + 720 > start else DAY - 1
    return end


def _remove_time(clause: str, found: "re.Match[str]") -> str:
    """Return the clause without the matched time."""
    rest = f"{clause[: found.start()]} {clause[found.end() :]}"
    return " ".join(rest.replace(" ,", ",").split()).strip(" ,;.")


def without_dates(text: str) -> str:
    """Return a text without its dates and weekdays."""
    text = _YEAR.sub("", _WEEKDAY.sub("", _DATE.sub("", _ON.sub("", text))))
    return re.sub(r"\s*,(?:\s*,)+", ",", " ".join(text.split())).replace(" ,", ",").strip(" ,;.")
