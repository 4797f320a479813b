"""Ask the most salient questions about what happened lately (Park et al. 2023, section 4.2)."""

from typing import Any

from langgraph.runtime import Runtime

from agents.mind import Mind
from agents.persona import Persona
from graphs.cards import Card, Recalled, Who
from graphs.gather import recalled, who
from graphs.loop.step import Step
from graphs.thinking import Thinking, Thought
from parsers.reflect_questions import Questions

MEMORIES = 25
"""The paper takes the 100 latest records; a small model's prompt holds 25."""


class ReflectQuestionsInput(Card):
    """What the prompt `reflect_questions` shows."""

    me: Who
    memories: tuple[Recalled, ...]
    """The latest ones."""


def fallback(inputs: ReflectQuestionsInput) -> Questions:
    """Return three questions that anybody can ask."""
    name = inputs.me.name
    return Questions(
        questions=[
            f"What has been most important to {name} lately?",
            f"What do the people {name} met lately care about?",
            f"What does {name} want to do next?",
        ]
    )


def case(inputs: ReflectQuestionsInput) -> str:
    """Return this case as examples are told."""
    return "MEMORIES: " + (" / ".join(memory.text for memory in inputs.memories[:6]) or "none")


STEP = Step(
    name="reflect_questions",
    inputs=ReflectQuestionsInput,
    answer=Questions,
    fallback=fallback,
    tier="strong",
    max_tokens=240,
    case=case,
    sheds=("memories",),
)


REST = 10_800
"""Seconds: at most one reflection in three hours, however much happens in a crowd."""


def could_be_due(mind: Mind, persona: Persona, at: int, waiting: float = 0.0) -> bool:
    """True when the importance gathered since the last reflection passes the threshold.

    `waiting` is the provisional importance of memories that are not rated yet.
    """
    enough = mind.gathered + waiting >= persona.reflection_threshold
    return enough and at - mind.reflected >= REST


def is_due(state: Thinking, thought: Thought) -> bool:
    """True when a reflection is due."""
    return could_be_due(state.mind, thought.persona, thought.surroundings.at)


async def reflect_questions(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask for the three questions of this reflection."""
    thought = runtime.context
    latest = thought.notes.latest(MEMORIES)
    inputs = ReflectQuestionsInput(me=who(thought, state.mind), memories=recalled(thought, latest))
    taken = await STEP.take(thought, inputs)
    return {"questions": tuple(taken.answer.questions)}
