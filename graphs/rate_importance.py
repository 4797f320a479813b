"""Rate how important memories are to me."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.mind import Mind
from graphs.cards import Card, Recalled, Who
from graphs.gather import recalled, who
from graphs.loop.step import Choices, Step
from graphs.notebook import Notebook
from graphs.reflect_questions import could_be_due
from graphs.thinking import Thinking, Thought
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
    ratings = [
        Rating(number=memory.number, reason="not rated", importance=3) for memory in inputs.memories
    ]
    return Ratings(ratings=ratings)


def case(inputs: RateImportanceInput) -> str:
    """Return this case as examples are told."""
    told = "; ".join(f"{memory.number}. {memory.text.rstrip('.')}" for memory in inputs.memories)
    return f"MEMORIES: {told}"


STEP = Step(
    name="rate_importance",
    inputs=RateImportanceInput,
    answer=Ratings,
    fallback=fallback,
    context=context,
    choices=choices,
    temperature=0.3,
    max_tokens=900,
    case=case,
)


def is_due(mind: Mind, notes: Notebook) -> bool:
    """True when 16 memories wait, or when they could start a reflection together."""
    if len(mind.unrated) >= MOST:
        return True
    waiting = sum(notes.get(memory).weight for memory in mind.unrated)
    return bool(mind.unrated) and could_be_due(mind, notes.persona, notes.at, waiting)


async def rate_importance(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask for the importance of the memories that wait, and write it down.

    After a fallback the memories keep their provisional importance, and are not asked again.
    """
    thought, mind = runtime.context, state.mind
    chosen = mind.unrated[:MOST]
    memories = [thought.notes.get(memory) for memory in chosen]
    inputs = RateImportanceInput(me=who(thought, mind), memories=recalled(thought, memories))
    taken = await STEP.take(thought, inputs)
    gathered = mind.gathered
    for rating in taken.answer.ratings:
        memory = memories[rating.number - 1]
        if taken.is_fallback:
            gathered += memory.weight
        else:
            thought.notes.rate(memory.id, rating.importance, rating.reason)
            gathered += rating.importance
    return {"mind": replace(mind, unrated=mind.unrated[len(chosen) :], gathered=gathered)}
