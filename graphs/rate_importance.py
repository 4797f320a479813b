"""Rate how important memories are to me."""

from dataclasses import replace
from typing import Any

from agents.memory import Memory
from graphs.cards import Card, Recalled, Who
from graphs.context import MindContext, Thinker, recalled, who
from graphs.loop.step import Changes, Choices, Gathered, Step, StepResult
from graphs.reflect_questions import could_be_due
from graphs.scenes import Scene
from graphs.standin.memory import rate_importance
from graphs.state import MindSeen
from parsers.rate_importance import Rating, Ratings

MOST = 16
"""Memories a call; so many unrated ones are reason enough to ask."""


class RateImportanceInput(Card):
    """What the prompt `rate_importance` shows."""

    me: Who
    memories: tuple[Recalled, ...]
    """At most 16, numbered."""


def context(inputs: RateImportanceInput) -> dict[str, Any]:
    """Return the numbers that want a rating."""
    return {"numbers": [memory.number for memory in inputs.memories]}


def choices(inputs: RateImportanceInput) -> Choices:
    """Return the memories' numbers as the only ones allowed."""
    return {"ratings[].number": [memory.number for memory in inputs.memories]}


def fallback(inputs: RateImportanceInput) -> Ratings:
    """Return a middling rating for each; it is not written down (see `rate_importance`)."""
    ratings = [Rating(number=memory.number, importance=3) for memory in inputs.memories]
    return Ratings(ratings=ratings)


def case(inputs: RateImportanceInput) -> str:
    """Return this case as examples are told."""
    told = "; ".join(f"{memory.number}. {memory.text.rstrip('.')}" for memory in inputs.memories)
    return f"MEMORIES: {told}"


def is_due(state: MindSeen, me: Thinker) -> bool:
    """True when 16 memories wait, or when they could start a reflection together."""
    mind = state.mind
    if len(mind.unrated) >= MOST:
        return True
    waiting = sum(state.draft.get(me, memory).weight for memory in mind.unrated)
    return bool(mind.unrated) and could_be_due(mind, me.persona, me.surroundings.at, waiting)


def _waiting(state: MindSeen, me: Thinker) -> list[Memory]:
    """Return the memories that are rated now."""
    return [state.draft.get(me, memory) for memory in state.mind.unrated[:MOST]]


async def gather(state: MindSeen, context: MindContext) -> Gathered[RateImportanceInput]:
    """Return the memories that wait for a rating."""
    me = context.of(state.agent)
    memories = recalled(me, _waiting(state, me))
    return Gathered(inputs=RateImportanceInput(me=who(me, state.mind), memories=memories))


def apply(
    state: MindSeen, context: MindContext, result: StepResult[RateImportanceInput, Ratings]
) -> Changes:
    """Write the ratings down.

    After a fallback the memories keep their provisional importance, and are not asked again.
    """
    me, mind, draft = context.of(state.agent), state.mind, state.draft
    memories, gathered = _waiting(state, me), mind.gathered
    for rating in result.answer.ratings:
        memory = memories[rating.number - 1]
        if result.is_fallback:
            gathered += memory.weight
        else:
            draft = draft.with_rating(me, memory.id, rating.importance)
            gathered += rating.importance
    mind = replace(mind, unrated=mind.unrated[len(memories) :], gathered=gathered)
    return {"mind": mind, "draft": draft}


def sample(scene: Scene) -> RateImportanceInput:
    """Return believable inputs, made from a scene."""
    return RateImportanceInput(me=scene.me, memories=scene.recalled())


STEP = Step(
    name="rate_importance",
    about="how important memories are",
    inputs=RateImportanceInput,
    answer=Ratings,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=rate_importance,
    context=context,
    choices=choices,
    temperature=0.3,
    max_tokens=400,
    case=case,
)
