"""A thought of somebody who has around them, and remembers, only what is given by hand.

It needs no town: what asks one question of a step, or tries one moment, makes its thought here.
"""

from collections.abc import Sequence
from datetime import date

import numpy as np

from agents.memory import Memory
from agents.persona import Persona
from agents.stream import MemoryStream, Vector
from graphs.cards import Who
from graphs.loop.desk import Desk
from graphs.notebook import Notebook
from graphs.senses import Senses
from graphs.surroundings import Body
from graphs.thinking import Ledger, Thought
from models.embedding.words import Words

DAY = date(2024, 5, 6)
"""Day 1, a Monday: the one that the samples tell of."""
WORDS = Words()


def persona_of(
    me: Who, requirement: str = "", relationships: dict[str, str] | None = None
) -> Persona:
    """Return the person that a card tells of; pydantic's ValidationError for one who cannot be."""
    return Persona(
        name=me.name,
        age=me.age,
        innate=me.innate,
        learned=me.learned,
        currently=me.currently,
        lifestyle=me.lifestyle,
        home=me.home,
        work="" if me.work == "none" else me.work,
        daily_requirement=requirement or me.currently,
        relationships=relationships or {},
    )


def nowhere(tick: int = 0) -> Senses:
    """Return the surroundings of one who stands nowhere and sees nothing: inputs hold it all."""
    return Senses(
        tick=tick,
        at=0,
        start_date=DAY,
        why=(),
        own=Body(place="outdoors", action=None, arrived=True),
        events=(),
        places=(),
        used={},
    )


def thought_alone(
    persona: Persona,
    senses: Senses,
    desk: Desk,
    memories: Sequence[Memory] = (),
    *,
    owner: str = "",
) -> Thought:
    """Return a thought over these memories, oldest first; texts are compared by their words."""
    stream = MemoryStream(persona.name, WORDS.dimension)
    vectors = WORDS.embed([memory.text for memory in memories])
    for memory, vector in zip(memories, np.asarray(vectors, np.float32), strict=True):
        stream.add(memory, vector)
    notes = Notebook(persona=persona, stream=stream, embed=_embed, tick=senses.tick, at=senses.at)
    return Thought(
        owner=owner or persona.name,
        persona=persona,
        surroundings=senses,
        notes=notes,
        desk=desk,
        ledger=Ledger(),
    )


async def _embed(texts: Sequence[str]) -> Sequence[Vector]:
    """Return vectors of texts, without a model."""
    return list(np.asarray(WORDS.embed(texts), np.float32))
