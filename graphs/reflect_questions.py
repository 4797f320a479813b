"""Ask the most salient questions about what happened lately (Park et al. 2023, section 4.2)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents.memory import Memory
from agents.mind import Mind
from agents.persona import Persona
from agents.times import at_of, day_of
from graphs.components import REFLECTION
from graphs.context import MindContext, Thinker, number_memories, who
from graphs.loop.step import Changes, Step, StepInputs, StepResult
from graphs.prompt_inputs import PersonaInput, PromptInput, RecalledMemory
from graphs.recall import is_passing
from graphs.scenes import Scene
from graphs.standin.memory import reflect_questions
from graphs.state import MindSeen
from parsers.reflect_questions import Questions

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

MEMORIES = 16
"""Number of memories in the prompt. The paper takes the 100 latest; a small model's prompt holds
fewer."""
LOOKED_AT = 100
"""Number of the latest memories from which they are selected."""
MOST_PEOPLE = 2
"""Maximum number of people in a reflection by rule."""
LEAST = 5
"""If there are at least this many new memories, or memories other than own actions, a reflection
considers only these."""


class ReflectQuestionsInput(PromptInput):
    """The inputs that the prompt `reflect_questions` shows."""

    me: PersonaInput
    memories: tuple[RecalledMemory, ...]
    """The latest memories."""


def fallback(inputs: ReflectQuestionsInput) -> Questions:
    """Return three generic questions."""
    name = inputs.me.name
    return Questions(
        questions=[
            f"What has been most important to {name} lately?",
            f"What do the people {name} met lately care about?",
            f"What does {name} want to do next?",
        ]
    )


def case(inputs: ReflectQuestionsInput) -> str:
    """Return the inputs as one short text: examples are compared by it, and shown in this form."""
    return "MEMORIES: " + (" / ".join(memory.text for memory in inputs.memories[:6]) or "none")


REST = 10_800
"""Minimum number of seconds between two reflections, however much happens."""


def could_be_due(mind: Mind, persona: Persona, at: int, waiting: float = 0.0) -> bool:
    """Return True when the importance gathered since the last reflection reaches the threshold.

    `waiting` is the total provisional importance of memories not rated yet.
    """
    enough = mind.gathered + waiting >= persona.reflection_threshold
    return enough and at - mind.reflected >= REST


def is_due(state: MindSeen, me: Thinker) -> bool:
    """Return True when a reflection is due."""
    return me.has(REFLECTION) and could_be_due(state.mind, me.persona, me.surroundings.at)


def worth_a_thought(memories: Sequence[Memory], name: str) -> list[Memory]:
    """Return the memories without the agent's own actions and plans, if enough others remain.

    Sights of people who talk or walk are left out too. From a morning's actions a small model only
    concludes that they were done.
    """
    others = [each for each in memories if not (is_own_doing(each, name) or is_passing(each))]
    return others if len(others) >= LEAST else list(memories)


def is_own_doing(memory: Memory, name: str) -> bool:
    """Return whether a memory is about its owner's own actions or plans."""
    is_deed = memory.kind == "event" and memory.subject == name
    return is_deed or memory.predicate == "plan"


async def gather(state: MindSeen, context: MindContext) -> StepInputs[ReflectQuestionsInput]:
    """Return the memories since the last reflection; if these are few, some earlier ones too."""
    me = context.of(state.agent)
    latest = state.draft.latest(me, LOOKED_AT)
    new = [memory for memory in latest if memory.created >= state.mind.reflected]
    memories = worth_a_thought(new if len(new) >= LEAST else latest, me.name)
    shown = number_memories(me, memories[-MEMORIES:])
    return StepInputs(inputs=ReflectQuestionsInput(me=who(me, state.mind), memories=shown))


def apply(
    state: MindSeen, context: MindContext, result: StepResult[ReflectQuestionsInput, Questions]
) -> Changes:
    """Keep the questions for the step that answers them, and reset the gathered importance."""
    at = context.of(state.agent).surroundings.at
    mind = replace(state.mind, gathered=0.0, reflected=at)
    return {"mind": mind, "questions": tuple(result.answer.questions)}


BY_RULE = "reflect_by_rule"


def has_asked_today(mind: Mind, at: int) -> bool:
    """Return True when the mind has already reflected on this day."""
    return mind.reflected >= at_of(day_of(at), 0)


async def reflect_by_rule(state: MindSeen, runtime: "Runtime[MindContext]") -> dict[str, Any]:
    """Choose the subjects of a reflection by rule: the people met last, and current concerns.

    A mind asks itself once a day; its later reflections of a day are about the people met since.
    """
    context, mind = runtime.context, state.mind
    me = context.of(state.agent)
    talked = sorted(mind.talked, key=lambda name: (-mind.talked[name], name))
    people = talked[:MOST_PEOPLE] or sorted(me.persona.relationships)[:MOST_PEOPLE]
    questions = (*people, *([mind.currently] if mind.currently else []), me.name)
    if context.is_english:
        asked = (f"What do the latest talks with {name} mean to {me.name}?" for name in people)
        questions = (*asked, f"What should {me.name} do next, and why?")
    mind = replace(state.mind, gathered=0.0, reflected=me.surroundings.at)
    return {"mind": mind, "questions": questions, "path": [BY_RULE]}


def sample(scene: Scene) -> ReflectQuestionsInput:
    """Return sample inputs for the prompt, made from a scene."""
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
