"""Answer the questions by insights that rest on memories (Park et al. 2023, section 4.2)."""

from typing import Any

from graphs.cards import Card, Recalled, Who
from graphs.context import MindContext, Thinker, recall, recalled, who
from graphs.loop.step import Changes, Choices, Gathered, Step, StepResult
from graphs.scenes import Scene
from graphs.sense.thinking import INSIGHTS
from graphs.standin.memory import reflect_insights
from graphs.state import MindSeen
from parsers.reflect_insights import Insight, Insights

MEMORIES = 18
"""So many memories come back for the three questions together."""


class ReflectInsightsInput(Card):
    """What the prompt `reflect_insights` shows."""

    me: Who
    questions: tuple[str, ...]
    memories: tuple[Recalled, ...]
    """What the questions brought back, numbered."""


def context(inputs: ReflectInsightsInput) -> dict[str, Any]:
    """Return the numbers of the memories an insight may rest on, and their texts."""
    return {
        "numbers": [memory.number for memory in inputs.memories],
        "texts": [memory.text for memory in inputs.memories],
    }


def choices(inputs: ReflectInsightsInput) -> Choices:
    """Return the memories' numbers as the only ones allowed."""
    numbers = [memory.number for memory in inputs.memories]
    return {"insights[].because[]": numbers} if numbers else {}


def fallback(inputs: ReflectInsightsInput) -> Insights:
    """Return a placeholder; it is never remembered (see `apply`)."""
    return Insights(insights=[Insight(insight="no insight was had", because=[1], importance=1)])


def case(inputs: ReflectInsightsInput) -> str:
    """Return this case as examples are told."""
    told = "; ".join(f"{memory.number}. {memory.text.rstrip('.')}" for memory in inputs.memories)
    return f"QUESTIONS: {' '.join(inputs.questions)}\nMEMORIES: {told}"


def is_wanted(state: MindSeen, me: Thinker) -> bool:
    """True when there are questions, and memories to answer them from."""
    at = me.surroundings.at
    return bool(state.questions) and any(
        memory.expires is None or memory.expires > at for memory in me.stream
    )


async def gather(state: MindSeen, context: MindContext) -> Gathered[ReflectInsightsInput]:
    """Return the questions, and the memories that they bring back."""
    me = context.of(state.agent)
    found = await recall(me, state.questions, MEMORIES)
    inputs = ReflectInsightsInput(
        me=who(me, state.mind), questions=state.questions, memories=recalled(me, found.found)
    )
    return Gathered(inputs=inputs, recall=found)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[ReflectInsightsInput, Insights]
) -> Changes:
    """Remember each insight with the memories it rests on; a fallback is none."""
    me, draft = context.of(state.agent), state.draft
    for each in () if result.is_fallback else result.answer.insights:
        draft, _ = draft.with_memory(
            me,
            "thought",
            each.insight,
            step=STEP.name,
            importance=each.importance,
            evidence=[result.recalled[number - 1].memory.id for number in each.because],
        )
    return {"draft": draft}


def sample(scene: Scene) -> ReflectInsightsInput:
    """Return believable inputs, made from a scene."""
    return ReflectInsightsInput(me=scene.me, questions=scene.questions, memories=scene.recalled())


STEP = Step(
    name="reflect_insights",
    about="what a reflection finds",
    inputs=ReflectInsightsInput,
    answer=Insights,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=reflect_insights,
    context=context,
    choices=choices,
    sense=INSIGHTS,
    tier="strong",
    max_tokens=600,
    case=case,
    sheds=("memories",),
)
