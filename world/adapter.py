"""The world adapter: the interface between the engine and a world, which may be one of your own.

A tick has four phases. Everybody with a stimulus thinks; the adapter resolves their intents;
granted talks are held; everything is committed. An adapter holds bodies and places, nothing else:
it never calls a model and never sees a mind. `check_world` (world.conformance) tests an adapter.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

import numpy as np
import numpy.typing as npt

from smolville.agents.action import Action, Talk
from smolville.agents.entities import Happening, Setting
from smolville.agents.mind import Appointment, KnownPlace
from smolville.agents.norms import TownRule
from smolville.agents.persona import Persona
from smolville.agents.times import Clock
from smolville.graphs.meeting import Guest
from smolville.graphs.surroundings import Intent, Senses, Stimulus
from smolville.history.records import Deed, Intervention, Move, ObjectState, Tile

Tiles = npt.NDArray[np.int64]
"""Tiles as rows of (column, row)."""
Ticks = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A talk that the town allows."""

    id: str
    participants: tuple[str, ...]
    """The names of all participants; the one who began the talk comes first."""
    place: str
    reasons: Mapping[str, str]
    """Why each of those who wanted the talk did, by name, in their words."""
    begins: int
    """Town second at which the participants have met."""
    guests: Mapping[str, Guest] = field(default_factory=dict)
    """Participants without a mind, who are visitors, by name."""
    by_telephone: bool = False

    def refused(self, tick: int, at: int, why: str) -> Deed:
        """Return the record of this talk as a refused action."""
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
    """Changes of bodies and objects, which become part of the commit unchanged."""

    deeds: list[Deed] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    objects: list[ObjectState] = field(default_factory=list)
    granted: list[Grant] = field(default_factory=list)
    intents: dict[str, Intent] = field(default_factory=dict)
    """Intents of visitors, as stated by their operators; resolved together with those of the minds.
    """

    def add(self, other: "Changes") -> None:
        """Add further changes."""
        self.deeds += other.deeds
        self.moves += other.moves
        self.objects += other.objects
        self.granted += other.granted
        self.intents |= other.intents


class Locality(Protocol):
    """How soon people can affect each other; those far apart may be simulated some ticks apart."""

    def ticks_around(self, row: int, tiles: Tiles) -> tuple[Ticks, Ticks]:
        """Return after how many ticks somebody and each of the others could affect each other.

        `row` is the person's index in `tiles`, which has everybody's tiles in the order of the
        world's names. The first result assumes that the person stays and the others come; the
        second assumes that the person comes and the others stay. 0 means that the two can sense or
        affect each other now. A number may be too small, but never too large. The person's own
        number does not matter.
        """
        ...

    def why_wrong(self, row: int, before: Tile, after: Tile, ticks: int) -> str:
        """Return why the distances for a person are unreliable; empty if they are reliable.

        The person has moved from `before` to `after` in `ticks` ticks. Distances are unreliable if
        that is faster than anybody walks, or if the person sees farther than assumed.
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
        """Return the rules of the town at a tick (`agents.norms`), including closings."""
        ...

    def setting(self) -> Setting | None:
        """Return what entities other than people know of the town; None without such entities."""
        ...

    def let_happen(self, happenings: Sequence[Happening]) -> None:
        """Add happenings caused by entities; people perceive each one from its tick on."""
        ...

    def known_at_start(self, persona: Persona) -> dict[str, KnownPlace]:
        """Return the places that somebody knows before the first tick."""
        ...

    def arrivals(self, tick: int, agents: Sequence[str]) -> dict[str, Changes]:
        """Let agents whose walk ends at this tick use their object, or find it occupied."""
        ...

    def stimuli(self, tick: int, agents: Sequence[str]) -> dict[str, tuple[Stimulus, ...]]:
        """Return which of `agents` must think at this tick, and why.

        This must be cheap, and must not call a model.
        """
        ...

    def clusters(
        self, tick: int, agents: Sequence[str], active: Collection[str]
    ) -> list[tuple[str, ...]]:
        """Return groups of `agents` whose members are near enough to affect each other.

        Only groups with a member in `active` are returned.
        """
        ...

    def locality(self, tick: int) -> Locality | None:
        """Return the distances within which people affect each other at a tick; None if unlimited.

        The result stays valid until an operator's intervention. With None, all agents simulate each
        tick together (`world.frontier`).
        """
        ...

    def tile_at(self, agent: str, tick: int) -> Tile:
        """Return where an agent stands as a tick begins."""
        ...

    def surroundings(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> Senses:
        """Return what an agent perceives of the world as the tick begins."""
        ...

    def settle(self, agent: str, tick: int, seen: Collection[str], need_at: int = 0) -> None:
        """Record that a thought has handled its stimuli, and which events the mind has seen.

        From the town second `need_at` on (0 means never), the stimulus `need` makes the agent think
        again, unless the agent is asleep or has thought in the meantime.
        """
        ...

    def pass_on(self, agent: str, agreed: Sequence[Appointment], members: Collection[str]) -> None:
        """Tell what an agent has recorded of a talk to the others of `members` who took part in it.

        Their bodies hold it (`Body.claims`) until their next thought.
        """
        ...

    def excuse(self, agent: str, tick: int) -> None:
        """Leave an agent alone for a while after its thought failed; it continues as before."""
        ...

    def resolve(self, tick: int, order: Sequence[str], intents: Mapping[str, Intent]) -> Changes:
        """Carry out or refuse intents in this order, and grant talks."""
        ...

    def hold(self, tick: int, talk: Talk) -> Changes:
        """Keep all participants of a talk busy from its start to its end."""
        ...

    def why_not(self, intervention: Intervention) -> str:
        """Return a sentence on why an intervention is impossible; empty if it is possible."""
        ...

    def must_wait(self, intervention: Intervention) -> bool:
        """Return True while an intervention has to wait because a person in it is talking."""
        ...

    def walk_before(self, intervention: Intervention) -> Intervention | None:
        """Return the walk that brings a visitor to their talk; None if none is needed."""
        ...

    def deliver(self, intervention: Intervention) -> Changes:
        """Carry out an operator's intervention, effective from its tick.

        An announcement is delivered once for each agent, who is then its `target`.
        """
        ...

    def holder(self, intervention: Intervention, agents: Sequence[str]) -> str:
        """Return one of `agents` in the cluster that sees a visitor's new action."""
        ...

    def next_tick(self, tick: int, agents: Sequence[str]) -> int:
        """Return the first tick after `tick` at which anything may happen to `agents`."""
        ...

    def bodies(self, agents: Sequence[str]) -> dict[str, str]:
        """Return the bodies of `agents` and visitors as JSON, for the commit."""
        ...

    def restore(
        self,
        tick: int,
        bodies: Mapping[str, str],
        objects: Mapping[str, ObjectState],
        seen: Mapping[str, Collection[str]],
    ) -> None:
        """Restore a committed state whose last tick is `tick`.

        `seen` are the events that each agent knows.
        """
        ...
