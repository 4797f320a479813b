"""Ask the most salient questions about what happened lately (Park et al. 2023, section 4.2)."""

from collections.abc import Sequence
from dataclasses import replace

from smolville.agents.memory import Memory, is_from_before
from smolville.agents.mind import Mind
from smolville.agents.persona import Persona
from smolville.graphs.components import REFLECTION
from smolville.graphs.context import MindContext, Thinker, number_memories, who
from smolville.graphs.draft import Draft
from smolville.graphs.loop.step import Changes, Step, StepInputs, StepResult
from smolville.graphs.recall import is_own_doing, is_passing
from smolville.graphs.scenes import Scene
from smolville.graphs.standin.memory import reflect_questions
from smolville.graphs.state import MindState
from smolville.parsers.reflect_questions import Questions, ReflectQuestionsInput

MEMORIES = 16
"""Number of memories in the prompt. The paper takes the 100 latest; a small model's prompt holds
fewer."""
LOOKED_AT = 200
"""Number of the latest memories from which they are selected."""
LEAST = 5
"""If there are at least this many memories other than own actions, a reflection considers only
these."""


def fallback(inputs: ReflectQuestionsInput) -> Questions:
    """Return three generic questions."""
    name = inputs.me.name
    return Questions(
        questions=[
            f"What has been most important to {name} lately?",
            f"What has changed for {name} lately?",
            f"What does {name} want to do next?",
        ]
    )


REST = 10_800
"""Minimum number of seconds between two reflections, however much happens."""


def could_be_due(mind: Mind, persona: Persona, at: int, waiting: float = 0.0) -> bool:
    """Return True when the importance gathered since the last reflection reaches the threshold.

    `waiting` is the total provisional importance of memories not rated yet.
    """
    enough = mind.gathered + waiting >= persona.reflection_threshold
    return enough and at - mind.reflected >= REST


def is_due(state: MindState, me: Thinker) -> bool:
    """Return True when a reflection is due."""
    return me.has(REFLECTION) and could_be_due(state.mind, me.persona, me.surroundings.at)


def worth_a_thought(memories: Sequence[Memory], name: str) -> list[Memory]:
    """Return the memories without the agent's own actions and plans, if enough others remain.

    Sights of people who talk or walk are left out too. From a morning's actions a small model only
    concludes that they were done.
    """
    others = [each for each in memories if not (is_own_doing(each, name) or is_passing(each))]
    return others if len(others) >= LEAST else list(memories)


async def gather(state: MindState, context: MindContext) -> StepInputs[ReflectQuestionsInput]:
    """Return what mattered most since the last reflection."""
    me = context.of(state.agent)
    shown = number_memories(me, _happened(state, me))
    return StepInputs(inputs=ReflectQuestionsInput(me=who(me, state.mind), memories=shown))


def _happened(state: MindState, me: Thinker) -> list[Memory]:
    """Return the most important memories since the last reflection, oldest first.

    This thought's memories and ratings count too, so a letter just read is among them; what the
    person knew before the run does not.
    """
    new = [
        memory
        for memory in state.draft.latest(me, LOOKED_AT)
        if memory.created > state.mind.reflected and not is_from_before(memory)
    ]
    return most_important(state.draft, worth_a_thought(new, me.name), MEMORIES)


def most_important(draft: Draft, memories: Sequence[Memory], count: int) -> list[Memory]:
    """Return at most `count` memories by importance, then the latest, in the order given."""
    order = sorted(range(len(memories)), key=lambda at: (-draft.weight(memories[at]), -at))
    return [memories[at] for at in sorted(order[:count])]


def apply(
    state: MindState, context: MindContext, result: StepResult[ReflectQuestionsInput, Questions]
) -> Changes:
    """Keep the questions and what they are about, and reset the gathered importance."""
    me = context.of(state.agent)
    mind = replace(state.mind, gathered=0.0, reflected=me.surroundings.at)
    happened = tuple(each.id for each in _happened(state, me))
    return {"mind": mind, "questions": tuple(result.answer.questions), "came_up": happened}


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
    fallback=fallback,
    standin=reflect_questions,
    tier="strong",
    max_tokens=240,
    sheds=("memories",),
)
