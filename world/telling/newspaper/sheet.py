"""What a newspaper is made of: articles, quotes and where they are taken from, as plain data."""

from collections.abc import Sequence
from dataclasses import dataclass

NUMBERS = [
    "No",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
]
LONGEST_HEADLINE = 84
"""Letters."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a statement is taken from."""

    at: int
    """Town second."""
    who: str = ""
    """Whom to look at there."""
    talk: str = ""
    """Id of a talk."""
    tick: int | None = None
    """Of a thought of `who`."""


@dataclass(frozen=True, kw_only=True)
class Quote:
    """Recorded words, to the letter."""

    text: str
    by: str
    """Whose words they are, or of whom they tell."""
    source: Source
    note: str = ""
    """How it stands in the record: `to Ravi Menon`, `9 of 10`."""


@dataclass(frozen=True, kw_only=True)
class Article:
    """One article: what is stated, and the words it rests on."""

    kicker: str
    headline: str
    facts: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    news: str = ""
    """Id of a memory whose path through the town can be shown."""
    source: Source | None = None
    """Where the whole of it can be seen."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """A small column of names and what is told of them."""

    title: str
    rows: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    is_figures: bool = False
    """True when all that is told are numbers."""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """One day's newspaper."""

    town: str
    day: int
    days: int
    """So many days have been lived, the last perhaps not whole."""
    until: int
    """Town second up to which this day is told."""
    is_whole: bool
    """False while the day is not over."""
    lead: Article | None
    articles: tuple[Article, ...]
    boxes: tuple[Box, ...]

    @property
    def is_empty(self) -> bool:
        """True when nothing was recorded that day."""
        return self.lead is None and not self.articles


def spelled(number: int, word: str = "", words: str = "") -> str:
    """Return a number as a headline spells it: `Nine people`, `22 people`."""
    told = NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"
    if not word:
        return told
    return f"{told} {word if number == 1 else words or f'{word}s'}"


def headline(text: str) -> str:
    """Return the beginning of a text as a headline, cut where a clause or a word ends."""
    told = " ".join(text.split()).rstrip(".")
    if len(told) <= LONGEST_HEADLINE:
        return told
    head = told[:LONGEST_HEADLINE]
    for mark in (", ", " and ", " because ", "; ", " on ", " from "):
        cut = head.rfind(mark)
        if cut >= LONGEST_HEADLINE // 2:
            return head[:cut]
    return head.rsplit(" ", 1)[0].rstrip(",;:") + " …"


def names(people: Sequence[str], most: int = 8) -> str:
    """Return names as a sentence lists them, of many the first ones."""
    if len(people) > most:
        return f"{', '.join(people[:most])} and {len(people) - most} more"
    if len(people) < 2:
        return "".join(people)
    return f"{', '.join(people[:-1])} and {people[-1]}"
