"""Entities other than people (the world and a plot): their happenings and their memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from smolville.agents.weather import PARTS

WORLD = "the world"
PLOT = "the plot"
ENTITIES = (WORLD, PLOT)
"""Names of all entities that are not people; a run stores their thoughts and steps under them."""
HOURS: Mapping[str, tuple[int, ...]] = {
    WORLD: tuple(begin for _, begin in PARTS),
    PLOT: (9 * 60, 15 * 60),
}
"""Minutes of the day at which each entity takes its turns."""

HappeningKind = Literal["weather", "news", "closing", "market", "power cut", "letter", "notice"]
HEARD: tuple[HappeningKind, ...] = ("weather", "news", "closing", "market")
"""Kinds of happenings that everybody in town hears of, except news at a place: only people there
hear those."""
SEEN: tuple[HappeningKind, ...] = ("market", "power cut", "letter", "notice")
"""Kinds of happenings that people see when they are at the place."""
REMEMBERED = 12
"""Number of latest happenings that an entity remembers."""
IMPORTANCE: dict[str, int] = {"weather": 1, "closing": 3, "market": 3, "news": 4}
"""Importance of the happenings that everybody hears of, by kind; a model rates those seen at a
place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """A happening in town that an entity caused."""

    entity: str
    """`WORLD` or `PLOT`."""
    tick: int
    """Tick from which people perceive it."""
    kind: HappeningKind
    text: str
    """What people perceive, one sentence."""
    place: str = ""
    """Address of the place where it is perceived, or of the place that is closed; empty for the
    whole town."""
    who: str = ""
    """Name of the person it is for; empty for everybody."""
    until: int
    """Town second at which it ends."""

    def lasts_at(self, begin: int, at: int) -> bool:
        """Return True if the happening is going on at the town second `at`.

        `begin` is the town second at which the happening's tick begins.
        """
        return begin <= at < self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPlace:
    """A place that is open to everybody."""

    name: str
    """Name of its sector."""
    front: str
    """Address of its largest room or part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """What entities know about one person."""

    name: str
    home: str
    """Address of their bedroom, where their letters lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What entities know about a town; it never changes."""

    town: str
    """The town's name, and what the town is like."""
    places: tuple[PublicPlace, ...]
    people: tuple[Resident, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act of a plot."""

    summary: str
    """What happens in the act, in one or two sentences."""
    people: tuple[str, ...] = ()
    """Names of the people it is about; empty if it is about nobody in particular."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """The outline of a story that comes to a town in small happenings."""

    title: str
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMind:
    """What an entity remembers between its turns; saved with every commit.

    It is immutable: a turn returns a new one (`dataclasses.replace`).
    """

    name: str
    made: tuple[Happening, ...] = ()
    """Its latest happenings, oldest first."""
    act: int = 0
    """Number of the plot's current act, from 0."""
    turns: int = 0
    """Number of its turns in this act that caused a happening."""

    def remembering(self, made: tuple[Happening, ...]) -> tuple[Happening, ...]:
        """Return the mind's happenings followed by `made`; only the last `REMEMBERED` of them."""
        return (*self.made, *made)[-REMEMBERED:]
