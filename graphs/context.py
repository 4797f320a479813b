"""What a graph reads and never changes: who thinks, what they sense, and what comes to mind."""

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
from agents.persona import Persona
from agents.plan import Block
from agents.stream import MemoryStream, Recollection, Vector
from agents.times import clock, date_text, day_of, long_text, minute_of
from graphs.cards import PlannedCard, Recalled, Who
from graphs.loop.desk import Desk
from graphs.loop.ledger import Recall
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
    return who_of(me.persona, mind.currently)


def who_of(persona: Persona, currently: str) -> Who:
    """Return the card of a persona whose present mind is `currently`."""
    return Who(
        name=persona.name,
        first_name=persona.first_name,
        age=persona.age,
        innate=persona.innate,
        learned=persona.learned,
        currently=currently,
        lifestyle=persona.lifestyle,
        home=persona.home,
        work=persona.work or "none",
    )


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


@dataclass(frozen=True, kw_only=True)
class RecallResult:
    """Memories that came back, and the row that tells of it."""

    found: tuple[Recollection, ...]
    """Oldest first."""
    accessed: tuple[str, ...] = ()
    """Their ids, best first: what is accessed by it."""
    record: Recall | None = None
    """None where the memories were given, not looked for."""


class MemoryRetriever(BaseRetriever):
    """Gives an agent's memories for queries, one a line, best first."""

    me: SkipValidation[Thinker]
    count: int
    """At most so many."""

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Return memories as documents: their text, and each quality of their score."""
        me, at = self.me, self.me.surroundings.at
        found = await best_memories(
            me.persona, me.stream, me.embed, query.split("\n"), at, self.count
        )
        return [Document(page_content=each.memory.text, metadata=score_row(each)) for each in found]

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Refuse: texts are embedded without blocking the others."""
        raise NotImplementedError("memories are recalled with `ainvoke`")


async def best_memories(
    persona: Persona,
    stream: MemoryStream,
    embed: Embed,
    queries: Sequence[str],
    at: int,
    count: int,
) -> list[Recollection]:
    """Return the `count` memories that come back for any of `queries` at a second, best first."""
    best: dict[str, Recollection] = {}
    for vector in await embed(queries):
        for found in stream.recall(vector, at, count, persona.weights, persona.recency_decay):
            known = best.get(found.memory.id)
            if known is None or found.score > known.score:
                best[found.memory.id] = found
    return sorted(best.values(), key=lambda found: (-found.score, found.memory.id))[:count]


async def recall(me: Thinker, queries: Sequence[str], count: int) -> RecallResult:
    """Return the memories that come back for any of `queries`, oldest first, as a traced run.

    In the order of time a reader sees what followed what, and the lists of two calls in a row begin
    alike, which a server's prefix cache serves.
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
        record=Recall(
            agent=me.name,
            queries=tuple(queries),
            ids=tuple(each.memory.id for each in found),
            started=started,
            milliseconds=(time.perf_counter() - clock) * 1000.0,
        ),
    )


def score_row(found: Recollection) -> dict[str, str | float]:
    """Return a recollection as a call record keeps it: which memory, and why it came back."""
    return {
        "id": found.memory.id,
        "score": found.score,
        "recency": round(found.recency, 5),
        "importance": round(found.importance, 5),
        "relevance": round(found.relevance, 5),
    }
