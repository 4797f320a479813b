"""The context of somebody who has around them, and remembers, only what is given by hand.

It needs no town: what asks one question of a step, or tries one moment, makes its context here.
"""

from collections.abc import Sequence
from datetime import date

import numpy as np

from agents.memory import Memory
from agents.mind import Mind
from agents.persona import Persona
from agents.stream import MemoryStream, Vector
from graphs.cards import Who
from graphs.context import MindContext, Senses, Thinker, context_of
from graphs.loop.desk import Desk
from graphs.surroundings import Body
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


def context_alone(
    persona: Persona,
    senses: Senses,
    desk: Desk,
    memories: Sequence[Memory] = (),
    *,
    owner: str = "",
    mind: Mind | None = None,
) -> MindContext:
    """Return a context over these memories, oldest first; texts are compared by their words."""
    return context_of(thinker_alone(persona, senses, memories, mind=mind), desk, owner)


def thinker_alone(
    persona: Persona, senses: Senses, memories: Sequence[Memory] = (), *, mind: Mind | None = None
) -> Thinker:
    """Return somebody who senses and remembers just this."""
    stream = MemoryStream(persona.name, WORDS.dimension)
    vectors = WORDS.embed([memory.text for memory in memories])
    for memory, vector in zip(memories, np.asarray(vectors, np.float32), strict=True):
        stream.add(memory, vector)
    return Thinker(persona=persona, surroundings=senses, stream=stream, embed=_embed, mind=mind)


async def _embed(texts: Sequence[str]) -> Sequence[Vector]:
    """Return vectors of texts, without a model."""
    return list(np.asarray(WORDS.embed(texts), np.float32))
