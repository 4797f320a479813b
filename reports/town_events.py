"""Events in a town: one event as plain data, and the kinds of events."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["doing", "talk", "insight", "thought", "town", "refusal", "outside", "failure"]
KINDS: Mapping[Kind, str] = {
    "doing": "What people did",
    "talk": "Talks",
    "insight": "Insights",
    "thought": "Thoughts and dreams",
    "town": "Weather and happenings",
    "refusal": "What could not be",
    "outside": "From outside",
    "failure": "Thoughts that failed",
}
"""Kinds of events with their headings."""


@dataclass(frozen=True, kw_only=True)
class LineEvent:
    """One line of a talk."""

    speaker: str
    text: str
    at: int
    fallback: bool
    odd: tuple[str, ...] = ()
    """Sentences that say what makes no sense in it."""


@dataclass(frozen=True, kw_only=True)
class TownEvent:
    """One event in a town."""

    at: int
    """Town second."""
    rank: int
    """Order among events at the same moment, lowest first."""
    kind: Kind
    who: tuple[str, ...]
    text: str
    more: tuple[str, ...] = ()
    """Quotes that belong to it: insights, or texts from outside."""
    lines: tuple[LineEvent, ...] = ()
    emoji: tuple[str, ...] = ()
    tick: int | None = None
    """Tick of the first person's thought in which it was decided."""
    talk: str = ""
    fallback: bool = False
    """True when a declared fallback decided it, or a part of it."""
    nowhere: bool = False
    """True when the model found no place for it, or for a part of it."""
    reused: bool = False
    """True when it, or a part of it, came from a routine."""
    odd: tuple[str, ...] = ()
    """Sentences that say what makes no sense in it, or in a part of it."""

    def holds(self, words: str) -> bool:
        """Return True when every word occurs in the event."""
        texts = [self.text, *self.more, *self.who, *(line.text for line in self.lines)]
        whole = " ".join(texts).casefold()
        return all(word in whole for word in words.casefold().split())
