"""Entities other than people (the world and a plot): their happenings and their memory."""

from dataclasses import dataclass
from typing import Literal

WORLD = "the world"
PLOT = "the plot"
ENTITIES = (WORLD, PLOT)
"""Names of all entities other than people; their thoughts and steps are kept under these."""

HappeningKind = Literal["weather", "news", "closing", "market", "power cut", "letter", "notice"]
HEARD: tuple[HappeningKind, ...] = ("weather", "news", "closing", "market")
"""Kinds that everybody in town hears of; news at a place only those who are or come there."""
SEEN: tuple[HappeningKind, ...] = ("market", "power cut", "letter", "notice")
"""Kinds that those see who come to the place."""
REMEMBERED = 12
"""Number of its latest happenings that an entity remembers."""
IMPORTANCE: dict[str, int] = {"weather": 1, "closing": 3, "market": 3, "news": 4}
"""Importance, by kind, of what is heard of; a model rates what is seen at a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """A happening in town that an entity caused."""

    entity: str
    """`WORLD` or `PLOT`."""
    tick: int
    """Tick from which on people perceive it."""
    kind: HappeningKind
    text: str
    """What people perceive, one sentence."""
    place: str = ""
    """Address of the place where it is perceived, or of the place that is closed; empty for the
    whole town."""
    who: str = ""
    """Name of the person it is for; empty for everybody."""
    until: int
    """Town second at which it is over."""

    def lasts_at(self, begin: int, at: int) -> bool:
        """Return True when the happening goes on at a town second; `begin` is its tick's second."""
        return begin <= at < self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPlace:
    """A place that is open to everybody."""

    name: str
    """Its sector."""
    front: str
    """Address of its largest room or part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """A person as entities know them."""

    name: str
    home: str
    """Address of their bedroom, where their letters lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The facts that entities know of a town; they never change."""

    town: str
    """Its name, and what it is like."""
    places: tuple[PublicPlace, ...]
    people: tuple[Resident, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act of a plot."""

    summary: str
    """What happens in it, in one or two sentences."""
    people: tuple[str, ...] = ()
    """Names of those it is about; empty for anybody."""


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
    """Number of its turns in this act that brought something."""

    def remembering(self, made: tuple[Happening, ...]) -> tuple[Happening, ...]:
        """Return the latest happenings of the entity with further ones, cut to `REMEMBERED`."""
        return (*self.made, *made)[-REMEMBERED:]
