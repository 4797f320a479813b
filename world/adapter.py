"""The world adapter: the interface between the engine and a world, which may be one of your own.

A tick has four phases: everybody with a stimulus thinks; the adapter resolves their intents;
granted talks are held; everything is committed. An adapter holds bodies and places, nothing else:
it never calls a model and never sees a mind. `check_world` (world.conformance) tests one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

import numpy as np
import numpy.typing as npt

from agents.action import Action, Talk
from agents.entities import Happening, Setting
from agents.mind import KnownPlace
from agents.norms import TownRule
from agents.persona import Persona
from agents.times import Clock
from graphs.meeting import Guest
from graphs.surroundings import Intent, Stimulus, Surroundings
from history.records import Deed, Intervention, Move, ObjectState, Tile

Tiles = npt.NDArray[np.int64]
"""Tiles as rows of (column, row)."""
Ticks = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A talk that the town allows."""

    id: str
    participants: tuple[str, ...]
    """The names of all who take part; the one who began the talk comes first."""
    place: str
    reason: str
    begins: int
    """Town second at which they have met."""
    guests: Mapping[str, Guest] = field(default_factory=dict)
    """Participants without a mind, that is visitors, by name."""
    by_telephone: bool = False

    def refused(self, tick: int, at: int, why: str) -> Deed:
        """Return the record of this talk as a refused wish."""
        others = self.participants[1:]
        wish = Action(
            kind="talk",
            activity=f"talking with {' and '.join(others)}",
            place=self.place,
            start=at,
            end=at,
            partners=others,
        )
        agent = self.participants[0]
        return Deed(agent=agent, tick=tick, action=wish, outcome="refused", reason=why)


@dataclass(slots=True, kw_only=True)
class Changes:
    """Changes of bodies and objects; they go into the commit unchanged."""

    deeds: list[Deed] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    objects: list[ObjectState] = field(default_factory=list)
    granted: list[Grant] = field(default_factory=list)
    intents: dict[str, Intent] = field(default_factory=dict)
    """Intents of visitors, as their operators say; resolved together with those of the minds."""

    def add(self, other: "Changes") -> None:
        """Add further changes."""
        self.deeds += other.deeds
        self.moves += other.moves
        self.objects += other.objects
        self.granted += other.granted
        self.intents |= other.intents


class Locality(Protocol):
    """Distances at which people affect each other; others farther apart may be ticks apart."""

    def ticks_around(self, row: int, tiles: Tiles) -> tuple[Ticks, Ticks]:
        """Return in how many ticks somebody and each of the others could affect each other.

        `tiles` are everybody's, in the order of the world's names. The first answer has others come
        to the person (a row of `tiles`), who stays; the second has the person come to the others,
        who stay. 0 means that the two can sense or affect each other now. An answer may be too
        small, never too large; the person's own does not matter.
        """
        ...

    def why_wrong(self, row: int, before: Tile, after: Tile, ticks: int) -> str:
        """Return why the distances for a person are unreliable; empty if they are reliable.

        The person has moved between two tiles in some ticks: that may be faster than anybody walks,
        or the person may see farther than assumed.
        """
        return ""


class World(Protocol):
    """A world that minds can live in."""

    @property
    def clock(self) -> Clock:
        """Clock that says how long a tick is."""
        ...

    @property
    def start_date(self) -> date:
        """The date of day 1."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all residents."""
        ...

    def norms_at(self, tick: int) -> tuple[TownRule, ...]:
        """Return the rules of the town at a tick (`agents.norms`): closings of a day as well."""
        ...

    def setting(self) -> Setting | None:
        """Return what entities other than people know of the town; None without such entities."""
        ...

    def let_happen(self, happenings: Sequence[Happening]) -> None:
        """Add happenings caused by entities; people perceive each from its tick on."""
        ...

    def known_at_start(self, persona: Persona) -> dict[str, KnownPlace]:
        """Return the places somebody knows before the first tick."""
        ...

    def arrivals(self, tick: int, agents: Sequence[str]) -> dict[str, Changes]:
        """Let agents whose walk ends at this tick use their object, or find it taken."""
        ...

    def stimuli(self, tick: int, agents: Sequence[str]) -> dict[str, tuple[Stimulus, ...]]:
        """Return who of `agents` must think at this tick, and why; cheap, without a model call."""
        ...

    def clusters(
        self, tick: int, agents: Sequence[str], active: Collection[str]
    ) -> list[tuple[str, ...]]:
        """Return groups of `agents` with an active member, near enough to affect each other."""
        ...

    def locality(self, tick: int) -> Locality | None:
        """Return who can affect whom at a tick; None if everybody can, at any distance.

        It stays the same until an operator's intervention. With None, all agents simulate each tick
        together (`world.frontier`).
        """
        ...

    def tile_at(self, agent: str, tick: int) -> Tile:
        """Return where an agent stands as a tick begins."""
        ...

    def surroundings(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> Surroundings:
        """Return an agent's window on the world as it is when the tick begins."""
        ...

    def settle(self, agent: str, tick: int, seen: Collection[str], need_at: int = 0) -> None:
        """Record that a thought has handled its stimuli, and which events the mind has seen.

        From the town second `need_at` on (0: never), the stimulus `need` makes the agent think
        again, unless it is asleep or has thought since.
        """
        ...

    def excuse(self, agent: str, tick: int) -> None:
        """Leave an agent alone for a while after its thought failed; it continues as before."""
        ...

    def resolve(self, tick: int, order: Sequence[str], intents: Mapping[str, Intent]) -> Changes:
        """Carry out or refuse intents, in this order; grant talks."""
        ...

    def hold(self, tick: int, talk: Talk) -> Changes:
        """Keep everybody who takes part busy from the talk's start to its end."""
        ...

    def why_not(self, intervention: Intervention) -> str:
        """Return why an intervention is impossible, as a sentence, or an empty text."""
        ...

    def must_wait(self, intervention: Intervention) -> bool:
        """Return True while an intervention has to wait because a person concerned is in a talk."""
        ...

    def walk_before(self, intervention: Intervention) -> Intervention | None:
        """Return the walk on which a visitor first goes to the person to talk with, or None."""
        ...

    def deliver(self, intervention: Intervention) -> Changes:
        """Carry out an operator's intervention, effective from its tick.

        An announcement is delivered once for each agent, as its `target`.
        """
        ...

    def holder(self, intervention: Intervention, agents: Sequence[str]) -> str:
        """Return the one of `agents` whose cluster sees the visitor's new action."""
        ...

    def next_tick(self, tick: int, agents: Sequence[str]) -> int:
        """Return the first tick after `tick` at which anything may happen to `agents`."""
        ...

    def bodies(self, agents: Sequence[str]) -> dict[str, str]:
        """Return the bodies of `agents`, or of visitors, as JSON, for the commit."""
        ...

    def restore(
        self,
        tick: int,
        bodies: Mapping[str, str],
        objects: Mapping[str, ObjectState],
        seen: Mapping[str, Collection[str]],
    ) -> None:
        """Restore a committed state whose last tick is `tick`; `seen` are events known to minds."""
        ...
