"""What the engine asks of a world: the seam at which somebody brings a world of their own.

A tick has four phases: everybody with a stimulus thinks; the adapter resolves what they want;
granted talks are held; everything is committed. An adapter keeps bodies and places, nothing else:
it never asks a model and never sees a mind. `check_world` (world.conformance) tests one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from agents.action import Action, Talk
from agents.mind import KnownPlace
from agents.persona import Persona
from graphs.meeting import Guest
from graphs.surroundings import Intent, Stimulus, Surroundings
from world.clock import Clock
from world.records import Deed, Intervention, Move, ObjectState


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A talk that the town lets happen."""

    id: str
    participants: tuple[str, ...]
    """Who began it comes first."""
    place: str
    reason: str
    begins: int
    """Town second at which they have come together."""
    guests: Mapping[str, Guest] = field(default_factory=dict)
    """Those among them who have no mind: visitors, by name."""
    by_telephone: bool = False

    def refused(self, tick: int, at: int, why: str) -> Deed:
        """Return the record of this talk as a wish that could not be."""
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
    """What happened to bodies and objects; goes into the commit as it is."""

    deeds: list[Deed] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    objects: list[ObjectState] = field(default_factory=list)
    granted: list[Grant] = field(default_factory=list)
    intents: dict[str, Intent] = field(default_factory=dict)
    """What visitors want, as their operators say; resolved with what the minds want."""

    def add(self, other: "Changes") -> None:
        """Take in what else happened."""
        self.deeds += other.deeds
        self.moves += other.moves
        self.objects += other.objects
        self.granted += other.granted
        self.intents |= other.intents


class World(Protocol):
    """A world that minds can live in."""

    @property
    def clock(self) -> Clock:
        """How long a tick is."""
        ...

    @property
    def start_date(self) -> date:
        """The date of day 1."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who lives here."""
        ...

    def known_at_start(self, persona: Persona) -> dict[str, KnownPlace]:
        """Return the places somebody knows before the first tick."""
        ...

    def arrivals(self, tick: int, agents: Sequence[str]) -> dict[str, Changes]:
        """Let those whose walk ends at this tick take what they came for, or find it taken."""
        ...

    def stimuli(self, tick: int, agents: Sequence[str]) -> dict[str, tuple[Stimulus, ...]]:
        """Return who of `agents` must think at this tick, and why; cheap, and asks no model."""
        ...

    def clusters(
        self, tick: int, agents: Sequence[str], active: Collection[str]
    ) -> list[tuple[str, ...]]:
        """Return the groups of `agents` that hold somebody active, each near enough to matter."""
        ...

    def surroundings(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> Surroundings:
        """Return an agent's window on the world as it stands when the tick begins."""
        ...

    def settle(self, agent: str, tick: int, seen: Collection[str]) -> None:
        """Take note that a thought has dealt with its stimuli, and of what the mind has seen."""
        ...

    def excuse(self, agent: str, tick: int) -> None:
        """Leave an agent whose thought failed alone for a while: it goes on as before."""
        ...

    def resolve(self, tick: int, order: Sequence[str], intents: Mapping[str, Intent]) -> Changes:
        """Let intents happen or refuse them, in this order; grant talks."""
        ...

    def hold(self, tick: int, talk: Talk) -> Changes:
        """Occupy all who take part from the talk's start to its end."""
        ...

    def why_not(self, intervention: Intervention) -> str:
        """Return why something from outside cannot be, as a sentence, or an empty text."""
        ...

    def must_wait(self, intervention: Intervention) -> bool:
        """True while it has to wait: somebody it is about is in the middle of a talk."""
        ...

    def deliver(self, intervention: Intervention) -> Changes:
        """Carry out what an operator did, as of its tick.

        An announcement comes once for each agent, as its `target`.
        """
        ...

    def holder(self, intervention: Intervention, agents: Sequence[str]) -> str:
        """Return the one of `agents` in whose cluster it shows what a visitor was told to do."""
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
        """Take up a committed state, whose last tick is `tick`; `seen` is what minds know."""
        ...
