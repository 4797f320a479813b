"""What a graph may read and never changes: who thinks, what they sense, and how prompts show it."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from agents.memory import Memory
from agents.mind import Mind
from agents.persona import Persona
from agents.plan import Block
from agents.recall import Recollection
from agents.stream import MemoryStream, Vector
from agents.times import clock, date_text, day_of, long_text, minute_of
from graphs.cards import PlannedCard, Recalled, Who
from graphs.loop.desk import Desk
from graphs.surroundings import Body, Percept, Sight, Stimulus, Surroundings

Embed = Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]


@dataclass(frozen=True, kw_only=True)
class Thinker:
    """One who thinks or talks: who they are, what they sense, and what they remember.

    The memory stream is read as it was when the thought began; it changes at commits only.
    """

    persona: Persona
    surroundings: Surroundings
    stream: MemoryStream
    embed: Embed
    mind: Mind | None = None
    """The mind as of the start, for graphs that leave it as it is (a talk, an interview)."""

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.persona.name


@dataclass(frozen=True, kw_only=True)
class MindContext:
    """The context of one run of a graph: a thought, a talk, an interview, or a single step."""

    owner: str
    """The agent whose thought it is, or the id of the talk: the first part of every call's key."""
    tick: int
    thinkers: Mapping[str, Thinker]
    """By name: the agent, or everybody with a mind who takes part in a talk."""
    desk: Desk
    """Where models are asked."""

    def of(self, agent: str) -> Thinker:
        """Return the thinker of that name."""
        return self.thinkers[agent]


def context_of(thinker: Thinker, desk: Desk, owner: str = "") -> MindContext:
    """Return the context of a graph in which one agent thinks alone."""
    return MindContext(
        owner=owner or thinker.name,
        tick=thinker.surroundings.tick,
        thinkers={thinker.name: thinker},
        desk=desk,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Senses:
    """The surroundings of one thought, taken when the tick begins (`graphs.surroundings`)."""

    tick: int
    at: int
    start_date: date
    why: tuple[Stimulus, ...]
    own: Body
    events: tuple[Percept, ...]
    places: tuple[Sight, ...]
    used: dict[str, bool]
    """Object in the box to whether others use it to its capacity."""

    def stimuli(self) -> tuple[Stimulus, ...]:
        """Why the mind thinks now."""
        return self.why

    def body(self) -> Body:
        """The agent's own place, action and last outcome."""
        return self.own

    def percepts(self) -> tuple[Percept, ...]:
        """Events in sight, nearest first."""
        return self.events

    def sights(self) -> tuple[Sight, ...]:
        """Arenas and objects within the box."""
        return self.places

    def is_taken(self, address: str) -> bool:
        """True when an object in the box is used to its capacity; LookupError beyond the box."""
        try:
            return self.used[address]
        except KeyError:
            raise LookupError(f"{address!r} lies beyond what can be sensed here") from None


def who(me: Thinker, mind: Mind) -> Who:
    """Return the persona as its own prompts show it now."""
    return Who.of(me.persona, mind.currently)


def now(me: Thinker) -> str:
    """Return date and clock of the thought."""
    return long_text(me.surroundings.start_date, me.surroundings.at)


def today(me: Thinker) -> str:
    """Return the date of the thought."""
    return date_text(me.surroundings.start_date, day_of(me.surroundings.at))


def when(me: Thinker, at: int) -> str:
    """Return a past moment as people say it: `today 07:40`, `yesterday 18:05`, else the date."""
    ago = day_of(me.surroundings.at) - day_of(at)
    if ago <= 1:
        return f"{('today', 'yesterday')[ago]} {clock(minute_of(at))}"
    return long_text(me.surroundings.start_date, at)


def recalled(me: Thinker, memories: Iterable[Memory | Recollection]) -> tuple[Recalled, ...]:
    """Return memories numbered from 1, in the order given."""
    plain = [each.memory if isinstance(each, Recollection) else each for each in memories]
    return tuple(
        Recalled(number=number, when=when(me, memory.created), text=memory.text)
        for number, memory in enumerate(plain, 1)
    )


def planned(blocks: Sequence[Block]) -> tuple[PlannedCard, ...]:
    """Return blocks with their spans."""
    return tuple(PlannedCard(time=block.span(), activity=block.activity) for block in blocks)


def relation(me: Thinker, mind: Mind, name: str, about: str = "") -> str:
    """Return what `name` is to this agent: as lived, else as the persona file says.

    Of a stranger from outside of the town, `about` is all that is known.
    """
    impression = mind.impressions.get(name)
    if impression is not None:
        return impression.relationship
    unknown = f"They say that they are {about}: a stranger." if about else "You do not know them."
    return me.persona.relationships.get(name, unknown)
