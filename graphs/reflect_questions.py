"""Ask the most salient questions about what happened lately (Park et al. 2023, section 4.2)."""

from dataclasses import replace

from agents.mind import Mind
from agents.persona import Persona
from graphs.cards import Card, Recalled, Who
from graphs.context import MindContext, Thinker, recalled, who
from graphs.loop.step import Changes, Gathered, Step, StepResult
from graphs.scenes import Scene
from graphs.standin.memory import reflect_questions
from graphs.state import MindSeen
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


REST = 10_800
"""Seconds: at most one reflection in three hours, however much happens in a crowd."""


def could_be_due(mind: Mind, persona: Persona, at: int, waiting: float = 0.0) -> bool:
    """True when the importance gathered since the last reflection passes the threshold.

    `waiting` is the provisional importance of memories that are not rated yet.
    """
    enough = mind.gathered + waiting >= persona.reflection_threshold
    return enough and at - mind.reflected >= REST


def is_due(state: MindSeen, me: Thinker) -> bool:
    """True when a reflection is due."""
    return could_be_due(state.mind, me.persona, me.surroundings.at)


async def gather(state: MindSeen, context: MindContext) -> Gathered[ReflectQuestionsInput]:
    """Return the latest memories."""
    me = context.of(state.agent)
    latest = recalled(me, state.draft.latest(me, MEMORIES))
    return Gathered(inputs=ReflectQuestionsInput(me=who(me, state.mind), memories=latest))


def apply(
    state: MindSeen, context: MindContext, result: StepResult[ReflectQuestionsInput, Questions]
) -> Changes:
    """Keep the questions for the insights; the next reflection is counted from here on."""
    at = context.of(state.agent).surroundings.at
    mind = replace(state.mind, gathered=0.0, reflected=at)
    return {"mind": mind, "questions": tuple(result.answer.questions)}


def sample(scene: Scene) -> ReflectQuestionsInput:
    """Return believable inputs, made from a scene."""
    return ReflectQuestionsInput(me=scene.me, memories=scene.recalled())


STEP = Step(
    name="reflect_questions",
    about="what a reflection asks",
    inputs=ReflectQuestionsInput,
    answer=Questions,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=reflect_questions,
    tier="strong",
    max_tokens=240,
    case=case,
    sheds=("memories",),
)
