"""A talk before anybody speaks: who meets where, and guests, whose lines no model says."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from agents.action import Line

MOST_LINES = 16
"""The original's cap: 8 rounds of 2."""
GUEST_LINES = 40
"""The cap of a talk with a guest, who decides alone when enough is said."""
_GOODBYE = re.compile(
    r"(?:ok(?:ay)?|well|thanks?|thank you)?[\s,.!]*"
    r"(?:good ?bye|bye(?:[ -]bye)?|farewell|take care|see you(?: soon| later| then| around)?)"
    r"(?:[\s,]+[\w'’-]+){0,2}[\s.!]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Guest:
    """One who takes part in a talk without a mind: a person says the lines."""

    name: str
    about: str
    """Who they say they are: `a reporter from the county paper`."""
    doing: str
    """What they were doing, without the name."""


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """Who talks, where, and why."""

    speakers: tuple[str, ...]
    """In the order of their turns: the one who began the talk comes first."""
    doing: Mapping[str, str]
    """Speaker to what they were doing, without the name."""
    place: str
    reason: str
    """Why the talk was begun."""
    guests: Mapping[str, Guest] = field(default_factory=dict)
    """Speakers without a mind, by name; at least one speaker has a mind."""
    most_lines: int = MOST_LINES

    def others(self, name: str) -> tuple[str, ...]:
        """Return everybody but `name`."""
        return tuple(each for each in self.speakers if each != name)

    def speaker(self, turn: int) -> str:
        """Return whose turn it is after `turn` lines."""
        return self.speakers[turn % len(self.speakers)]


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A guest's turn in a talk, as the person behind the guest is asked for it."""

    n: int
    """The number of the line, from 0."""
    guest: str
    to: tuple[str, ...]
    """To whom the line is said."""
    lines: tuple[Line, ...]
    """What was said so far."""


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """What a guest says in a turn."""

    text: str
    """Empty when there is nothing more to say: the talk ends without it."""
    ends: bool = False
    """True when the talk ends with these words."""


Hear = Callable[[Turn], Awaitable[Spoken]]
"""Waits until the person behind a guest has spoken."""


def is_goodbye(text: str) -> bool:
    """True for a line that is a farewell and nothing else."""
    return _GOODBYE.fullmatch(text.strip()) is not None
