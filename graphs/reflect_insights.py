"""Answer the questions by insights that rest on memories (Park et al. 2023, section 4.2)."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from graphs.cards import Card, Recalled, Who
from graphs.gather import recalled, who
from graphs.loop.step import Choices, Step
from graphs.recall import recall
from graphs.thinking import Thinking, Thought
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
    """Return the numbers of the memories an insight may rest on."""
    return {"numbers": [memory.number for memory in inputs.memories]}


def choices(inputs: ReflectInsightsInput) -> Choices:
    """Return the memories' numbers as the only ones allowed."""
    numbers = [memory.number for memory in inputs.memories]
    return {"insights[].because[]": numbers} if numbers else {}


def fallback(inputs: ReflectInsightsInput) -> Insights:
    """Return a placeholder; it is never remembered (see `reflect_insights`)."""
    return Insights(insights=[Insight(insight="no insight was had", because=[1], importance=1)])


def case(inputs: ReflectInsightsInput) -> str:
    """Return this case as examples are told."""
    told = "; ".join(f"{memory.number}. {memory.text.rstrip('.')}" for memory in inputs.memories)
    return f"QUESTIONS: {' '.join(inputs.questions)}\nMEMORIES: {told}"


STEP = Step(
    name="reflect_insights",
    inputs=ReflectInsightsInput,
    answer=Insights,
    fallback=fallback,
    context=context,
    choices=choices,
    tier="strong",
    max_tokens=600,
    case=case,
    sheds=("memories",),
)


async def reflect_insights(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask for insights, and remember each with the memories it rests on."""
    thought, mind = runtime.context, state.mind
    found = await recall(thought, state.questions, MEMORIES)
    mind = replace(mind, gathered=0.0, reflected=thought.surroundings.at)
    if not found:
        return {"mind": mind}
    inputs = ReflectInsightsInput(
        me=who(thought, mind), questions=state.questions, memories=recalled(thought, found)
    )
    taken = await STEP.take(thought, inputs, found)
    if not taken.is_fallback:
        for each in taken.answer.insights:
            thought.notes.remember(
                "thought",
                each.insight,
                step=STEP.name,
                importance=each.importance,
                evidence=[found[number - 1].memory.id for number in each.because],
            )
    return {"mind": mind}
