"""The unchanging context of a running graph: the thinker, its surroundings and its memories."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig

from smolville.agents.action import ON_THE_WAY
from smolville.agents.memory import Memory, is_from_before
from smolville.agents.mind import Mind
from smolville.agents.norms import TownRule
from smolville.agents.persona import Persona
from smolville.agents.plan import Block
from smolville.agents.stream import MemoryStream, Recollection, Vector
from smolville.agents.times import clock, date_text, day_of, long_text, minute_of, moment
from smolville.graphs.components import Component
from smolville.graphs.loop.ledger import OnAsk
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.sense import ENGLISH
from smolville.graphs.surroundings import Senses
from smolville.models.standin.rule import Dice
from smolville.parsers.prompt_inputs import PersonaInput, PlannedCard, RecalledMemory

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
