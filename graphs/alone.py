"""The context of a person without a town: all surroundings and memories are given by the caller.

It serves to ask a step a single question, or to try out a single moment.
"""

from collections.abc import Sequence
from datetime import date

import numpy as np

from smolville.agents.memory import Memory
from smolville.agents.mind import Mind
from smolville.agents.persona import Persona
from smolville.agents.stream import MemoryStream, Vector
from smolville.graphs.context import MindContext, Thinker, context_of
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.surroundings import Body, Senses
from smolville.models.embedding.words import HashedWords
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput

DAY = date(2024, 5, 6)
"""Date of day 1, a Monday: the day that the samples describe."""
WORDS = HashedWords()


NOBODY = PersonaInput(
    name="The World",
    first_name="The World",
    age=99,
    innate="none",
    learned="none",
    currently="watching over the town",
    lifestyle="none",
    home="Town: square",
    work="none",
)
"""Placeholder for the person asked at a step of an entity, whose prompts show no person."""


def asked_person(inputs: PromptInput) -> PersonaInput:
    """Return the person in the inputs of a step; `NOBODY` if the step is one of an entity."""
    me: PersonaInput = getattr(inputs, "me", NOBODY)
    return me


def persona_of(
    me: PersonaInput, requirement: str = "", relationships: dict[str, str] | None = None
) -> Persona:
    """Return the persona of a prompt's `me`. Raises pydantic's ValidationError if it is invalid."""
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


def make_empty_senses(tick: int = 0) -> Senses:
    """Return empty surroundings, for steps whose inputs already hold everything."""
    return Senses(
        tick=tick,
        at=0,
        start_date=DAY,
        stimuli=(),
        body=Body(place="outdoors", action=None, arrived=True),
        percepts=(),
        sights=(),
        used={},
    )


def context_alone(
    persona: Persona, senses: Senses, client: ModelClient, owner: str = ""
) -> MindContext:
    """Return a context without memories; recall compares texts by their words."""
    return context_of(thinker_alone(persona, senses, (), None), client, owner)


def thinker_alone(
    persona: Persona, senses: Senses, memories: Sequence[Memory], mind: Mind | None
) -> Thinker:
    """Return a thinker with exactly these surroundings and memories, oldest first."""
    stream = MemoryStream(persona.name, WORDS.dimension)
    vectors = WORDS.embed([memory.text for memory in memories])
    for memory, vector in zip(memories, np.asarray(vectors, np.float32), strict=True):
        stream.add(memory, vector)
    return Thinker(persona=persona, surroundings=senses, stream=stream, embed=_embed, mind=mind)


async def _embed(texts: Sequence[str]) -> Sequence[Vector]:
    return list(np.asarray(WORDS.embed(texts), np.float32))
