"""What passes between a world and a mind: what an agent senses at a tick, and what it wants to do.

What is sensed is the part of the town that a thought may know: the box around its agent.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from smolville.agents.action import Action, Talk, on_the_way
from smolville.agents.mind import Appointment

StimulusKind = Literal[
    "new_day",
    "action_ended",
    "sight",
    "talk_ended",
    "inner_voice",
    "announcement",
    "refused",
    "need",
]


ANNOUNCED = "Announcement to the whole town: "
"""Beginning of the percept of an announcement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stimulus:
    """A reason why a mind must think at this tick."""

    kind: StimulusKind
    text: str = ""
    """The whisper of an inner voice, the announcement, or the reason of a refusal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Percept:
    """One event in sight: somebody doing something, or an object in an unusual state."""

    subject: str
    """The person's name, or the object's address."""
    predicate: str
    object: str
    text: str
    """The event in plain words: `Rosa Marin is wiping the counter`."""
    place: str
    """Where it happens: `sector: arena`, or `outdoors`."""
    distance: int
    """Distance in tiles (Chebyshev)."""
    is_person: bool
    can_talk: bool = False
    """For a person: whether they seem to be awake and in no talk."""
    activity: str = ""
    """For a person: their activity, without the name."""
    until: int = 0
    """For a person: town second at which that activity will end."""
    origin: int = 0
    """Town second at which the event began. A later event in the same words is a different
    event."""
    stays: bool = False
    """Whether a person was in this room already when the deed began."""
    about: str = ""
    """For a visitor: how they introduce themselves; empty for people of the town."""

    @property
    def key(self) -> str:
        """Key by which the same event is recognised when it is seen again."""
        return f"{self.subject}|{self.text}|{self.origin}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """An arena, or the part of it inside the box, with its objects and their states."""

    arena: str
    """Address of the arena: `sector: arena`."""
    objects: tuple[str, ...]
    states: tuple[tuple[str, str], ...] = ()
    """(object, state) pairs that differ from idle."""
    owners: tuple[str, ...] = ()
    """The people who live there; empty for a public place."""
    is_elsewhere: bool = False
    """True for a room in which the agent is not: walls hide the states of objects and who uses
    them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The agent's own body in the town."""

    place: str
    """Where the agent is: `sector: arena`, or `outdoors`."""
    action: Action | None
    """The agent's action; None before the first action of a run."""
    arrived: bool
    """False while the agent is still on the way to the action's place."""
    ended_talk: Talk | None = None
    """The talk that has just ended and is not yet concluded."""
    interrupted: Action | None = None
    """The action that the talk interrupted."""
    refused: str = ""
    """Why the last intent was refused; empty otherwise."""
    refused_place: str = ""
    claims: tuple[Appointment, ...] = ()
    """What others have recorded of talks with the agent since its last thought."""
    refused_by: str = ""
    """The person who did not want to talk; empty if nobody refused a talk."""
    introduced: Mapping[str, str] = field(default_factory=dict)
    """How the visitors in that talk introduce themselves, by name."""

    @property
    def doing(self) -> str:
        """The agent's current activity, without the name; until arrival, that it is on the way."""
        if self.action is None:
            return ""
        return self.action.activity if self.arrived else on_the_way(self.action, self.place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Senses:
    """What a thought can see of the town, as it was when the tick began.

    It covers only the square box the agent can sense; everything farther away comes from the mind's
    own memory of places.
    """

    tick: int
    at: int
    start_date: date
    stimuli: tuple[Stimulus, ...]
    """Why the mind thinks now."""
    body: Body
    """The agent's own place, action and last outcome."""
    percepts: tuple[Percept, ...]
    """The events in sight, nearest first."""
    sights: tuple[Sight, ...]
    """The arenas and objects inside the box."""
    used: dict[str, bool]
    """Whether others use an object in the box and room to full capacity, by the object's
    address."""
    heard: tuple[Percept, ...] = ()
    """The happenings that everybody in town hears of now; none during sleep."""

    def is_taken(self, address: str) -> bool:
        """Return True when others use an object, and it has no room for one more.

        Raises LookupError for an object outside the box and the room.
        """
        try:
            return self.used[address]
        except KeyError:
            raise LookupError(f"{address!r} lies beyond what can be sensed here") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What a mind wants to do; the town decides whether it happens."""

    action: Action | None = None
    """The action to begin or continue at this tick, at an address that the agent knows."""
    start_talk: str = ""
    """Name of a person to talk to; empty for none."""
    joins: bool = True
    """Whether the agent also joins a talk that this person begins with somebody else at this
    tick."""
    reason: str = ""
    declines: tuple[str, ...] = ()
    """The people with whom the agent does not talk at this tick, having decided to go on."""
