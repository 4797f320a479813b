"""The parts of a newspaper as plain data: articles, quotes and their sources."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from smolville.agents.memory import read_quote

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
"""Maximum number of characters of a headline."""
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")


@dataclass(frozen=True, kw_only=True)
class Source:
    """The source of a statement."""

    at: int
    """Town second of the source."""
    who: str = ""
    """The person to show at that moment."""
    talk: str = ""
    """Id of the talk from which the statement is taken."""
    tick: int | None = None
    """Tick of the thought of `who` from which the statement is taken."""


@dataclass(frozen=True, kw_only=True)
class Quote:
    """A literal quotation of recorded words."""

    text: str
    by: str
    """The person who said the words, or whom the words describe."""
    source: Source
    note: str = ""
    """The context in the record: `to Ravi Menon`, `9 of 10`."""


@dataclass(frozen=True, kw_only=True)
class Article:
    """One article: statements, and the quotes that support them."""

    kicker: str
    headline: str
    facts: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    news: str = ""
    """Id of a memory whose path through the town can be shown; empty if there is none."""
    source: Source | None = None
    """The source with the full context."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """A small column of names with a text for each."""

    title: str
    rows: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    is_figures: bool = False
    """True if all values are numbers."""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """One day's newspaper."""

    town: str
    day: int
    days: int
    """Number of days that the run has begun; the last may be incomplete."""
    until: int
    """Town second up to which this day is reported."""
    is_whole: bool
    """False while the day is not over."""
    lead: Article | None
    articles: tuple[Article, ...]
    boxes: tuple[Box, ...]

    @property
    def is_empty(self) -> bool:
        """True if nothing was recorded that day."""
        return self.lead is None and not self.articles


def spell_count(number: int, word: str = "", words: str = "") -> str:
    """Return a count in the form for a headline: `Nine people`, `22 people`."""
    spelled = NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"
    if not word:
        return spelled
    return f"{spelled} {word if number == 1 else words or f'{word}s'}"


def headline(text: str) -> str:
    """Return a text as a headline.

    If the text says who said something, the headline is the longest sentence of what was said.
    Otherwise it is the beginning of the text. A long headline ends after a clause or a word.
    """
    line = " ".join(text.split()).rstrip(".")
    said = read_quote(line)
    if said is not None:
        sentences = _SENTENCE_END.split(said[1])
        return f"“{_cut(max(sentences, key=len).rstrip('.'))}”"
    return _cut(line)


def words_and_speaker(text: str, owner: str) -> tuple[str, str]:
    """Return the quoted words of a memory and who said them; else the memory and its owner."""
    said = read_quote(text)
    return (text, owner) if said is None else (said[1], said[0])


def _cut(line: str) -> str:
    if len(line) <= LONGEST_HEADLINE:
        return line
    head = line[:LONGEST_HEADLINE]
    for mark in (", ", " and ", " because ", "; ", " on ", " from "):
        cut = head.rfind(mark)
        if cut >= LONGEST_HEADLINE // 2:
            return head[:cut]
    return head.rsplit(" ", 1)[0].rstrip(",;:") + " …"


def names(people: Sequence[str], most: int = 8) -> str:
    """Return names as a list within a sentence; if there are many, only the first ones."""
    if len(people) > most:
        return f"{', '.join(people[:most])} and {len(people) - most} more"
    if len(people) < 2:
        return "".join(people)
    return f"{', '.join(people[:-1])} and {people[-1]}"
