"""A talk before anybody speaks: its participants, its place, and guests without a mind."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from smolville.agents.action import TalkLine
from smolville.parsers.reading.sentences import sentences_of

MOST_SPEAKERS = 4
"""Maximum number of people who talk with each other."""
MOST_LINES = 16
"""Maximum number of lines of a talk (the original's cap: 8 rounds of 2)."""
GUEST_LINES = 40
"""Maximum number of lines of a talk with a guest; the guest alone decides when to end it."""
_WORD = re.compile(r"[^\W\d_]+")
_GOODBYE = re.compile(
    r"(?:ok(?:ay)?|well|thanks?|thank you)?[\s,.!]*"
    r"(?:good ?bye|bye(?:[ -]bye)?|farewell|take care|until next time"
    r"|see you(?: soon| later| then| around)?)"
    r"(?:[\s,]+[\w'’-]+){0,2}[\s.!]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Guest:
    """A person without a mind who takes part in a talk; a human writes the person's lines."""

    name: str
    about: str
    """How they introduce themselves: `a reporter from the county paper`."""
    doing: str
    """What they were doing before, as a phrase without their name."""


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """The participants of a talk, its place, and its reason."""

    speakers: tuple[str, ...]
    """The speakers in the order in which they came: the one who began the talk comes first."""
    doing: Mapping[str, str]
    """What each speaker was doing before, as a phrase without the name."""
    place: str
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Why each of those who wanted the talk did, by name, in their words."""
    guests: Mapping[str, Guest] = field(default_factory=dict)
    """Speakers without a mind, by name; at least one other speaker has a mind."""
    most_lines: int = MOST_LINES

    def others(self, name: str) -> tuple[str, ...]:
        """Return all speakers except `name`."""
        return tuple(each for each in self.speakers if each != name)

    def next_speaker(self, lines: Sequence[TalkLine]) -> str:
        """Return whose turn it is.

        It is that of the other speaker whom the last line names: alone in the last of its
        sentences that names anybody. Otherwise it is the turn of the speaker who has been
        silent for longest.
        """
        if not lines:
            return self.speakers[0]
        others, text = self.others(lines[-1].speaker), lines[-1].text
        named = next(
            filter(None, (_named(each, others) for each in reversed(sentences_of(text)))), ()
        )
        if len(named) == 1:
            return named[0]
        spoke = {line.speaker: at for at, line in enumerate(lines)}
        return min(others, key=lambda name: spoke.get(name, -1))

    def have_all_spoken(self, lines: Sequence[TalkLine], now: str) -> bool:
        """Return True when everybody has said a line, counting the current speaker."""
        return {now, *(line.speaker for line in lines)} == set(self.speakers)


def _named(text: str, names: Sequence[str]) -> tuple[str, ...]:
    words = set(_WORD.findall(text.casefold()))
    return tuple(each for each in names if each.split()[0].casefold() in words)


@dataclass(frozen=True, kw_only=True)
class GuestTurn:
    """A guest's turn in a talk, with all that is needed to ask the human for a line."""

    n: int
    """The number of the line, from 0."""
    guest: str
    to: tuple[str, ...]
    """The people to whom the line is said."""
    lines: tuple[TalkLine, ...]
    """The lines said so far."""


@dataclass(frozen=True, kw_only=True)
class GuestLine:
    """The line that a guest says in a turn."""

    text: str
    """The words of the line; empty if the guest leaves without a word, which ends the talk."""
    ends: bool = False
    """True when the talk ends with these words."""


Hear = Callable[[GuestTurn], Awaitable[GuestLine]]
"""Callback that waits until the human behind a guest has spoken."""


def is_goodbye(text: str) -> bool:
    """Return True for a line that is a farewell and nothing else."""
    return _GOODBYE.fullmatch(text.strip()) is not None


def ends_in_goodbye(text: str) -> bool:
    """Return True for a line whose last sentence is a farewell, which needs no reply."""
    said = sentences_of(text)
    return bool(said) and is_goodbye(said[-1])
