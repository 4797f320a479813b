"""Replace relative days in a text by dates, so that a memory of it stays true."""

import re
from datetime import date

from agents.times import date_text

_DAY = re.compile(
    r"(?P<before>\b(?:on|until|till|by|for|from|of|since|before|after|about|in)\s+)?"
    r"\b(?P<day>the day after tomorrow|tomorrow|today|tonight|yesterday)\b(?P<own>['’]s\b)?"
    r"(?:\s+(?P<part>morning|afternoon|evening|night)\b)?",
    re.IGNORECASE,
)
_AGO = {"the day after tomorrow": 2, "tomorrow": 1, "today": 0, "tonight": 0, "yesterday": -1}


def dated(text: str, start: date, day: int) -> str:
    """Return a text said on `day` (from 1) with "tomorrow" and similar words as dates.

    `Come tomorrow evening` becomes `Come on Tuesday 7 May in the evening`. A "today" that has its
    date beside it, and days before the first, are left as they are.
    """

    def named(found: "re.Match[str]") -> str:
        word = found["day"].casefold()
        other = day + _AGO[word]
        if other < 1:
            return found.group()
        name = date_text(start, other)
        if name.casefold() in text.casefold():
            return found.group()
        part = "evening" if word == "tonight" else (found["part"] or "").casefold()
        when = f"{name}{found['own'] or ''}"
        if found["own"]:
            return f"{found['before'] or ''}{when}{f' {part}' if part else ''}"
        tail = f" {'at night' if part == 'night' else f'in the {part}'}" if part else ""
        return f"{found['before'] or 'on '}{when}{tail}"

    dates = _DAY.sub(named, text)
    return dates[:1].upper() + dates[1:] if text[:1].isupper() else dates
