"""The unchanging context of a running graph: the thinker, its surroundings and its memories.

The surroundings are the part of the town that a thought may know: the box that its agent senses at
this tick.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig

from smolville.agents.action import ON_THE_WAY, Action, Talk, on_the_way
from smolville.agents.memory import Memory, is_from_before
from smolville.agents.mind import Appointment, Mind
from smolville.agents.norms import TownRule
from smolville.agents.persona import Persona
from smolville.agents.plan import Block
from smolville.agents.stream import MemoryStream, Recollection, Vector
from smolville.agents.times import clock, date_text, day_of, long_text, minute_of, moment
from smolville.graphs.components import Component
from smolville.graphs.loop.ledger import OnAsk
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.meeting import Hear
from smolville.graphs.sense import ENGLISH
from smolville.models.standin.rule import Dice
from smolville.parsers.prompt_inputs import PersonaInput, PlannedCard, RecalledMemory

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


Embed = Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]


@dataclass(frozen=True, kw_only=True)
class Thinker:
    """A person who thinks or talks: persona, surroundings and memory.

    The memory stream is in the state it had when the thought began; it changes at commits only.
    """

    persona: Persona
    surroundings: Senses
    stream: MemoryStream
    embed: Embed
    mind: Mind | None = None
    """The mind at the start, for graphs that do not change it (a talk, an interview)."""
    without: frozenset[str] = frozenset()
    """Names of the components that the run leaves out (`graphs.components`)."""
    norms: tuple[TownRule, ...] = ()
    """The rules of the town."""

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.persona.name

    def has(self, component: Component) -> bool:
        """Return True unless the run leaves this component of the mind out."""
        return component.name not in self.without


@dataclass(frozen=True, kw_only=True)
class MindContext:
    """The context of one run of a graph: a thought, a talk, an interview, or a single step."""

    owner: str
    """The agent that thinks, or the id of the talk: the first part of every call's key."""
    tick: int
    thinkers: Mapping[str, Thinker]
    """Thinkers by name: the agent, or everybody with a mind who takes part in a talk."""
    client: ModelClient
    """The client that calls the models."""
    asks: OnAsk | None = None
    """Called with each attempt as it begins, for whoever watches."""
    hear: Hear | None = None
    """Waits for a visitor's line; None if no visitor takes part."""

    def of(self, agent: str) -> Thinker:
        """Return the thinker with that name."""
        return self.thinkers[agent]

    def traced_as(self, name: str) -> RunnableConfig:
        """Return a run's name for LangChain's tracers, with whose it is and its town time."""
        told: dict[str, Any] = {"owner": self.owner, "tick": self.tick}
        for me in self.thinkers.values():
            told |= {"town_time": moment(me.surroundings.at), "thread_id": self.owner}
        return {"run_name": name, "metadata": told}

    @property
    def is_english(self) -> bool:
        """Whether the prompts are in English; rules that read words work in no other language."""
        return self.client.templates.at(self.tick).language in ENGLISH

    def dice(self, *key: object) -> Dice:
        """Return random choices that depend on the run's seed, the owner, the tick and `key`."""
        return Dice(self.client.seed, self.owner, self.tick, *key)


def context_of(
    thinker: Thinker, client: ModelClient, owner: str = "", asks: OnAsk | None = None
) -> MindContext:
    """Return the context of a graph in which one agent thinks alone."""
    return MindContext(
        owner=owner or thinker.name,
        tick=thinker.surroundings.tick,
        thinkers={thinker.name: thinker},
        client=client,
        asks=asks,
    )


def who(me: Thinker, mind: Mind) -> PersonaInput:
    """Return the thinker's persona in the form that its own prompts show now."""
    return who_of(me.persona, mind.currently)


def who_of(persona: Persona, currently: str) -> PersonaInput:
    """Return the prompt input for a persona, with `currently` as its current concerns."""
    return PersonaInput(
        name=persona.name,
        first_name=persona.first_name,
        age=persona.age,
        innate=persona.innate,
        learned=persona.learned,
        currently=currently,
        lifestyle=persona.lifestyle,
        home=persona.home,
        work=persona.work or "none",
        company=persona.company,
    )


def now(me: Thinker) -> str:
    """Return date and clock time of the thought."""
    return long_text(me.surroundings.start_date, me.surroundings.at)


def today(me: Thinker) -> str:
    """Return the date of the thought."""
    return date_text(me.surroundings.start_date, day_of(me.surroundings.at))


def format_past_time(me: Thinker, at: int) -> str:
    """Return a past moment as people write it: `today 07:40`, `yesterday 18:05`, else the date."""
    ago = day_of(me.surroundings.at) - day_of(at)
    if ago <= 1:
        return f"{('today', 'yesterday')[ago]} {clock(minute_of(at))}"
    return long_text(me.surroundings.start_date, at)


def number_memories(
    me: Thinker, memories: Iterable[Memory | Recollection]
) -> tuple[RecalledMemory, ...]:
    """Return memories numbered from 1, in the order given; own deeds are told as past ones.

    What was known before the run was so before its first day, and may be so no longer.
    """
    plain = [each.memory if isinstance(each, Recollection) else each for each in memories]
    first_day = f"before {date_text(me.surroundings.start_date, 1)}"
    return tuple(
        RecalledMemory(
            number=number,
            when=first_day if is_from_before(memory) else format_past_time(me, memory.created),
            text=_as_past(me, memory),
        )
        for number, memory in enumerate(plain, 1)
    )


def _as_past(me: Thinker, memory: Memory) -> str:
    """Return a memory's text; a deed of one's own is remembered as it begins: `Ada is baking`."""
    begun = f"{me.name} is "
    if memory.kind != "event" or not memory.text.startswith(begun):
        return memory.text
    return f"{me.name} {as_done(memory.text.removeprefix(begun))}"


def as_done(activity: str) -> str:
    """Return an activity as a past one: `was baking`, `went to Bell Hall for singing`."""
    if activity.startswith(ON_THE_WAY):
        return f"went to {activity.removeprefix(ON_THE_WAY)}"
    return f"was {activity}"


def make_planned_cards(blocks: Sequence[Block]) -> tuple[PlannedCard, ...]:
    """Return blocks of a plan as prompt inputs, each with its time span."""
    return tuple(PlannedCard(time=block.span(), activity=block.activity) for block in blocks)


def relation(me: Thinker, mind: Mind, name: str, about: str = "") -> str:
    """Return the relationship with `name`: as it has developed, or else as in the persona file.

    For a stranger from outside the town, `about` is all that is known.
    """
    impression = mind.impressions.get(name)
    if impression is not None:
        return impression.relationship
    unknown = f"They say that they are {about}: a stranger." if about else "You do not know them."
    return me.persona.relationships.get(name, unknown)


def format_relations(found: Mapping[str, str]) -> str:
    """Return relationships as prompts show them, with names if there is more than one."""
    if len(found) == 1:
        return next(iter(found.values()))
    return " ".join(f"{name}: {text}" for name, text in found.items())
