"""The context of a graph, which it never changes: who thinks, what they sense, what they recall."""

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import SkipValidation

from agents.memory import Memory
from agents.mind import Mind
from agents.norms import TownRule
from agents.persona import Persona
from agents.plan import Block
from agents.stream import MemoryStream, Recollection, Vector
from agents.times import clock, date_text, day_of, long_text, minute_of
from graphs.components import Component
from graphs.loop.ledger import RecallRecord
from graphs.loop.model_client import ModelClient
from graphs.prompt_inputs import PersonaInput, PlannedCard, RecalledMemory
from graphs.sense.check import ENGLISH
from graphs.surroundings import Body, Percept, Sight, Stimulus, Surroundings
from models.standin.rule import Dice

Embed = Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]


@dataclass(frozen=True, kw_only=True)
class Thinker:
    """A person who thinks or talks: persona, surroundings and memory.

    The memory stream is in the state it had when the thought began; it changes at commits only.
    """

    persona: Persona
    surroundings: Surroundings
    stream: MemoryStream
    embed: Embed
    mind: Mind | None = None
    """The mind at the start, for graphs that do not change it (a talk, an interview)."""
    without: frozenset[str] = frozenset()
    """Names of the components that the run leaves out (`graphs.components`)."""
    norms: tuple[TownRule, ...] = ()
    """The rules of the town."""
    is_narrow: bool = False
    """Whether the model is only asked to choose (`graphs.loop.rules.Shapes`)."""

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

    def of(self, agent: str) -> Thinker:
        """Return the thinker with that name."""
        return self.thinkers[agent]

    @property
    def is_english(self) -> bool:
        """Whether the prompts are in English: rules that read words work in no other language."""
        return self.client.templates.at(self.tick).language in ENGLISH

    def dice(self, *key: object) -> Dice:
        """Return random choices that depend on the run's seed, owner and tick, and `key`."""
        return Dice(self.client.seed, self.owner, self.tick, *key)


def context_of(thinker: Thinker, client: ModelClient, owner: str = "") -> MindContext:
    """Return the context of a graph in which one agent thinks alone."""
    return MindContext(
        owner=owner or thinker.name,
        tick=thinker.surroundings.tick,
        thinkers={thinker.name: thinker},
        client=client,
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
    """Whether others use an object in the box and room to full capacity, by address."""

    def stimuli(self) -> tuple[Stimulus, ...]:
        """Return the reasons why the mind thinks now."""
        return self.why

    def body(self) -> Body:
        """Return the agent's own place, action and last outcome."""
        return self.own

    def percepts(self) -> tuple[Percept, ...]:
        """Events in sight, nearest first."""
        return self.events

    def sights(self) -> tuple[Sight, ...]:
        """Arenas and objects inside the box."""
        return self.places

    def is_taken(self, address: str) -> bool:
        """Return True when others use all of an object. Raises LookupError outside the room."""
        try:
            return self.used[address]
        except KeyError:
            raise LookupError(f"{address!r} lies beyond what can be sensed here") from None


def who(me: Thinker, mind: Mind) -> PersonaInput:
    """Return the persona as its own prompts show it now."""
    return who_of(me.persona, mind.currently)


def who_of(persona: Persona, currently: str) -> PersonaInput:
    """Return the card of a persona with `currently` as what is on its mind."""
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
        habits=persona.habits,
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
    """Return memories numbered from 1, in the order given."""
    plain = [each.memory if isinstance(each, Recollection) else each for each in memories]
    return tuple(
        RecalledMemory(number=number, when=format_past_time(me, memory.created), text=memory.text)
        for number, memory in enumerate(plain, 1)
    )


def make_planned_cards(blocks: Sequence[Block]) -> tuple[PlannedCard, ...]:
    """Return blocks with their spans."""
    return tuple(PlannedCard(time=block.span(), activity=block.activity) for block in blocks)


def relation(me: Thinker, mind: Mind, name: str, about: str = "") -> str:
    """Return the relationship with `name`: as it has developed, else as the persona file says.

    For a stranger from outside the town, `about` is all that is known.
    """
    impression = mind.impressions.get(name)
    if impression is not None:
        return impression.relationship
    unknown = f"They say that they are {about}: a stranger." if about else "You do not know them."
    return me.persona.relationships.get(name, unknown)


@dataclass(frozen=True, kw_only=True)
class RecallResult:
    """The memories of a recall, and the record of it."""

    found: tuple[Recollection, ...]
    """Oldest first."""
    accessed: tuple[str, ...] = ()
    """Ids of the memories that this recall accesses, best first."""
    record: RecallRecord | None = None
    """The record of the recall; None if the memories were given instead of recalled."""


class MemoryRetriever(BaseRetriever):
    """Retriever of an agent's memories, best first; its query holds one query per line."""

    me: SkipValidation[Thinker]
    count: int
    """Number of memories returned at most."""

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Return memories as documents: their text, and each component of their score."""
        me, at = self.me, self.me.surroundings.at
        found = await best_memories(
            me.persona, me.stream, me.embed, query.split("\n"), at, self.count
        )
        return [Document(page_content=each.memory.text, metadata=score_row(each)) for each in found]

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Refuse synchronous use: texts must be embedded without blocking the event loop."""
        raise NotImplementedError("memories are recalled with `ainvoke`")


async def best_memories(
    persona: Persona,
    stream: MemoryStream,
    embed: Embed,
    queries: Sequence[str],
    at: int,
    count: int,
) -> list[Recollection]:
    """Return the `count` memories that best match any of `queries` at a town second, best first."""
    best: dict[str, Recollection] = {}
    for vector in await embed(queries):
        for found in stream.recall(vector, at, count, persona.weights, persona.recency_decay):
            known = best.get(found.memory.id)
            if known is None or found.score > known.score:
                best[found.memory.id] = found
    return sorted(best.values(), key=lambda found: (-found.score, found.memory.id))[:count]


async def recall(me: Thinker, queries: Sequence[str], count: int) -> RecallResult:
    """Return the memories recalled for any of `queries`, oldest first, as a traced run.

    In chronological order a reader sees what followed what. Besides, the lists of two consecutive
    calls then begin alike, which makes a server's prefix cache effective.
    """
    started, clock = time.time(), time.perf_counter()
    retriever = MemoryRetriever(me=me, count=count)
    documents = await retriever.ainvoke("\n".join(" ".join(query.split()) for query in queries))
    best = [
        Recollection(
            memory=me.stream.get(document.metadata["id"]),
            score=document.metadata["score"],
            recency=document.metadata["recency"],
            importance=document.metadata["importance"],
            relevance=document.metadata["relevance"],
        )
        for document in documents
    ]
    found = sorted(best, key=lambda each: (each.memory.created, each.memory.id))
    return RecallResult(
        found=tuple(found),
        accessed=tuple(each.memory.id for each in best),
        record=RecallRecord(
            agent=me.name,
            queries=tuple(queries),
            ids=tuple(each.memory.id for each in found),
            started=started,
            milliseconds=(time.perf_counter() - clock) * 1000.0,
        ),
    )


def score_row(found: Recollection) -> dict[str, str | float]:
    """Return a recollection as a call record stores it: the memory's id and the score's parts."""
    return {
        "id": found.memory.id,
        "score": found.score,
        "recency": round(found.recency, 5),
        "importance": round(found.importance, 5),
        "relevance": round(found.relevance, 5),
    }
