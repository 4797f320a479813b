"""Answer the questions with insights based on memories (Park et al. 2023, section 4.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from smolville.agents.memory import Memory
from smolville.agents.stream import Recollection
from smolville.graphs.context import MindContext, Thinker, number_memories, who
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.recall import RecallResult, recall
from smolville.graphs.reflect_questions import most_important, worth_a_thought
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import CheckContext, SenseCheck, is_again, share_copied, words_of
from smolville.graphs.standin.memory import reflect_insights
from smolville.graphs.state import MindState
from smolville.parsers.problem import Problem, field_problem
from smolville.parsers.reflect_insights import Insight, Insights, ReflectInsightsInput

MEMORIES = 12
"""Maximum number of memories shown for the three questions together."""
HAPPENED = 6
"""Number of them that are what mattered most since the last reflection; the others are recalled."""
RECALLED = 36
"""Number of memories recalled, from which the shown ones are selected."""


def context(inputs: ReflectInsightsInput) -> dict[str, Any]:
    """Return the numbers and the texts of the memories that an insight may be based on."""
    return {
        "numbers": [memory.number for memory in inputs.memories],
        "texts": [memory.text for memory in inputs.memories],
    }


def choices(inputs: ReflectInsightsInput) -> Choices:
    """Return the memories' numbers: only these are allowed."""
    numbers = [memory.number for memory in inputs.memories]
    return {"insights[].because[]": numbers} if numbers else {}


def fallback(inputs: ReflectInsightsInput) -> Insights:
    """Return a placeholder; it is never remembered (see `apply`)."""
    return Insights(insights=[Insight(insight="no insight was had", because=[1], importance=1)])


def is_wanted(state: MindState, me: Thinker) -> bool:
    """Return True if there are questions, and memories from which to answer them."""
    return bool(state.questions) and me.stream.has_any(me.surroundings.at)


async def gather(state: MindState, context: MindContext) -> StepInputs[ReflectInsightsInput]:
    """Return the questions, what they are about, and the memories recalled for them."""
    me, draft = context.of(state.agent), state.draft
    asked = [draft.get(me, each) for each in state.came_up]
    happened = most_important(draft, asked, HAPPENED)
    found = _worth_a_thought(me, await recall(me, state.questions, RECALLED), happened)
    inputs = ReflectInsightsInput(
        me=who(me, state.mind), questions=state.questions, memories=number_memories(me, found.found)
    )
    return StepInputs(inputs=inputs, recall=found)


def _worth_a_thought(me: Thinker, found: RecallResult, happened: Sequence[Memory]) -> RecallResult:
    """Return what happened and the best recalled memories on which insights can be based.

    What was not recalled has no score. The record has only what was recalled.
    """
    kept = {each.id for each in worth_a_thought([each.memory for each in found.found], me.name)}
    best = [each for each in found.accessed if each in kept][: MEMORIES - len(happened)]
    recalled = {each.memory.id: each for each in found.found}
    new = {each.id: Recollection(each, 0.0, 0.0, 0.0, 0.0) for each in happened}
    shown = [recalled.get(each, new.get(each)) for each in {**new, **dict.fromkeys(best)}]
    record = found.record
    if record is not None:
        record = replace(record, ids=tuple(each for each in recalled if each in best))
    in_order = sorted(filter(None, shown), key=lambda each: (each.memory.created, each.memory.id))
    return RecallResult(found=tuple(in_order), accessed=tuple(best), record=record)


def apply(
    state: MindState, context: MindContext, result: StepResult[ReflectInsightsInput, Insights]
) -> Changes:
    """Remember each insight with the memories on which it is based, except fallback insights."""
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
    """Return sample inputs for the prompt, made from a scene."""
    return ReflectInsightsInput(me=scene.me, questions=scene.questions, memories=scene.recalled())


PATCHED, RUN = 0.5, 7
"""Minimum share of the words of an insight longer than `RUN` that are copied from memories."""


def of_memories(
    answer: Insights, inputs: ReflectInsightsInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield insights that repeat memories, one or several in a row, or another insight."""
    before = [memory.text for memory in inputs.memories]
    told = [words_of(text) for text in before]
    for number, each in enumerate(answer.insights):
        if is_again(each.insight, before) or (
            len(words := words_of(each.insight)) > RUN and share_copied(words, told) >= PATCHED
        ):
            rest = ", which only says memories again. Say what follows from several of them."
            yield field_problem(f"insights.{number}.insight", each.insight, rest, "repeat")
        before.append(each.insight)


STEP = Step(
    name="reflect_insights",
    about="what a reflection finds",
    inputs=ReflectInsightsInput,
    answer=Insights,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=reflect_insights,
    context=context,
    choices=choices,
    sense=(SenseCheck(look=of_memories, action="mark"),),
    tier="strong",
    max_tokens=600,
    sheds=("memories",),
)
