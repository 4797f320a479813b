"""Rate how important memories are to the agent."""

from dataclasses import replace
from typing import Any

from agents.memory import Memory
from graphs.context import MindContext, Thinker, recalled, who
from graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from graphs.prompt_inputs import PersonaInput, PromptInput, RecalledMemory
from graphs.reflect_questions import could_be_due
from graphs.scenes import Scene
from graphs.sense.rating import CHECKS, is_flat
from graphs.standin.memory import rate_importance
from graphs.state import MindSeen
from parsers.rate_importance import Rating, Ratings

MOST = 16
"""Memories rated per call; once this many wait for a rating, the model is asked."""


class RateImportanceInput(PromptInput):
    """What the prompt `rate_importance` shows."""

    me: PersonaInput
    memories: tuple[RecalledMemory, ...]
    """At most 16, numbered."""


def context(inputs: RateImportanceInput) -> dict[str, Any]:
    """Return the numbers of the memories to rate."""
    return {"numbers": [memory.number for memory in inputs.memories]}


def choices(inputs: RateImportanceInput) -> Choices:
    """Return the memories' numbers: only these are allowed."""
    return {"ratings[].number": [memory.number for memory in inputs.memories]}


def fallback(inputs: RateImportanceInput) -> Ratings:
    """Return a middling rating for each memory; it is not stored (see `apply`)."""
    ratings = [Rating(number=memory.number, importance=3) for memory in inputs.memories]
    return Ratings(ratings=ratings)


def case(inputs: RateImportanceInput) -> str:
    """Return the case as one short text, the form in which examples are compared and shown."""
    told = "; ".join(f"{memory.number}. {memory.text.rstrip('.')}" for memory in inputs.memories)
    return f"MEMORIES: {told}"


def is_due(state: MindSeen, me: Thinker) -> bool:
    """Return True when 16 memories wait, or when those waiting could trigger a reflection."""
    mind = state.mind
    if len(mind.unrated) >= MOST:
        return True
    waiting = sum(state.draft.get(me, memory).weight for memory in mind.unrated)
    return bool(mind.unrated) and could_be_due(mind, me.persona, me.surroundings.at, waiting)


def _waiting(state: MindSeen, me: Thinker) -> list[Memory]:
    """Return the memories to rate now."""
    return [state.draft.get(me, memory) for memory in state.mind.unrated[:MOST]]


async def gather(state: MindSeen, context: MindContext) -> StepInputs[RateImportanceInput]:
    """Return the memories that wait for a rating."""
    me = context.of(state.agent)
    memories = recalled(me, _waiting(state, me))
    return StepInputs(inputs=RateImportanceInput(me=who(me, state.mind), memories=memories))


def apply(
    state: MindSeen, context: MindContext, result: StepResult[RateImportanceInput, Ratings]
) -> Changes:
    """Store the ratings.

    After a fallback, and if all are rated alike, the memories keep their provisional importance and
    are not asked again.
    """
    me, mind, draft = context.of(state.agent), state.mind, state.draft
    memories, gathered = _waiting(state, me), mind.gathered
    for rating in result.answer.ratings:
        memory = memories[rating.number - 1]
        if result.is_fallback or is_flat(result.answer):
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
    sense=CHECKS,
    case=case,
)
