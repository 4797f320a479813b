"""What the stand-in takes for news and for dated events, by English words and fixed phrases."""

import re
from calendar import day_name, month_name
from collections.abc import Iterable
from dataclasses import dataclass

from smolville.agents.english import clip, sentences, stems
from smolville.agents.memory import quoted_words
from smolville.parsers.clock import CLOCK_TEXT, halves_of, sure_clock
from smolville.parsers.prompt_inputs import PersonaInput

LEADS = (
    "Here is some news for you:",
    "There is something I want to tell you:",
    "You may like to know this:",
    "By the way, have you heard this?",
)
"""What is said before news: by these words whoever hears it can tell it again."""
LONGEST = 130
"""Maximum number of characters of news, so that it fits into a line of a talk."""
_TOLD = re.compile(f"(?:{'|'.join(map(re.escape, LEADS))}) (.+)$")
_PRIVATE = re.compile(r"\b(?:secret\w*|nobody|crush|not announced)\b", re.IGNORECASE)
_SAME = 0.7
"""Share of a text's words in another for it to count as told there."""

_EVENT = re.compile(
    r"\b(?:[Aa]n?|[Tt]he) ((?:[\w'’-]+ ){0,3}(?:party|festival|wedding|concert|dance|fair|picnic"
    r"|feast|exhibition|quiz|debate|match|meeting|rehearsal|show|dinner|evening|reading))\b"
)
_TIME = re.compile(rf"\b(?:at|from|around|about) ({CLOCK_TEXT}|noon)", re.IGNORECASE)
_MONTHS = "|".join(month_name[1:])
_DATE = re.compile(
    rf"\b(\d\d?)(?:st|nd|rd|th)?(?: of)? ({_MONTHS})\b|\b({_MONTHS}) (\d\d?)(?:st|nd|rd|th)?\b"
)
_WEEKDAY = re.compile("|".join(day_name))


def news_in(text: str) -> str:
    """Return the news in a line of a talk, or in the memory of one; empty if there is none."""
    found = _TOLD.search(quoted_words(text) or text)
    return found[1] if found else ""


def own_news(me: PersonaInput) -> list[str]:
    """Return what somebody tells of themselves: the sentences of their concerns that name them."""
    named = [each for each in sentences(me.currently) if each.startswith(me.first_name)]
    return [clip(each, LONGEST) for each in named if not _PRIVATE.search(each)]


def is_told(news: str, texts: Iterable[str]) -> bool:
    """Return whether one of these texts has most words of some news."""
    words = stems(news)
    return any(len(words & stems(text)) >= _SAME * len(words) for text in texts)


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An event with a day and an hour."""

    name: str
    """The event in a few words: `spring lantern party`."""
    start: int
    """Minute of the day."""
    told: str

    def is_on(self, date: str) -> bool:
        """Return True if it takes place on a date, `Monday 6 May`."""
        dates = [f"{one or two} {month or other}" for one, month, other, two in self._dates]
        days = _WEEKDAY.findall(self.told)
        return any(f" {each}" in f" {date}" for each in dates or days)

    @property
    def _dates(self) -> list[tuple[str, str, str, str]]:
        return _DATE.findall(self.told)


def event_in(text: str) -> ToldEvent | None:
    """Return the event that a text tells of with its hour, or None."""
    event, time = _EVENT.search(text), _TIME.search(text)
    if event is None or time is None:
        return None
    minute = sure_clock(time[1].lower())
    start = max(halves_of(time[1].lower()), default=0) if minute is None else minute
    return ToldEvent(event[1], start, text)
