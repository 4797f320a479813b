"""Dream: combine rare memories during sleep; the result is remembered as a dream.

Simulacra's idea: like a reflection, but more random and imaginative. The memories chosen at
random are its evidence. Prompts mark it as a dream, so that no plan takes it for a fact.
"""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.memory import Memory, dreamt
from smolville.agents.routines import ALIKE
from smolville.agents.stream import MOST, MemoryDraw, cluster_sizes, draw_rare
from smolville.agents.times import day_of
from smolville.graphs.components import DREAMS, OBSERVATION
from smolville.graphs.context import MindContext, Thinker, number_memories, today, who
from smolville.graphs.loop.step import Changes, Step, StepInputs, StepResult
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import is_nothing_new
from smolville.graphs.standin.memory import dream
from smolville.graphs.state import MindState
from smolville.parsers.dream import Dream, DreamInput

LEAST = 8
"""Minimum number of memories that somebody must have for any to be chosen."""
DRAWN = 4
"""Number of memories chosen at once."""


def memories_to_draw(me: Thinker) -> list[Memory]:
    """Return the latest memories that may be chosen: no dreams or plans, and none that expired."""
    at = me.surroundings.at
    return [
        each
        for each in me.stream.latest(MOST, ("event", "thought", "talk"))
        if each.predicate != "plan" and (each.expires is None or each.expires > at)
    ]


def can_draw(me: Thinker) -> bool:
    """Return True when there are enough memories to choose from."""
    return len(memories_to_draw(me)) >= LEAST


async def draw_for_dream(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Choose memories at random for a dream."""
    return _draw("dream", state, runtime.context)


async def draw_for_wander(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Choose memories at random for a new idea."""
    return _draw("wander", state, runtime.context)


def _draw(step: str, state: MindState, context: MindContext) -> dict[str, Any]:
    """Choose memories for a step; the larger a memory's cluster, the smaller is its chance."""
    name, me = f"draw_for_{step}", context.of(state.agent)
    memories = memories_to_draw(me)
    alike = context.client.rules.routine_similarity or ALIKE
    vectors = me.stream.vectors([each.id for each in memories])
    sizes, clusters = cluster_sizes(vectors, alike)
    dice = context.dice(name)
    places = draw_rare(sizes.tolist(), DRAWN, lambda at: dice.fraction(memories[at].id))
    drawn = MemoryDraw(
        agent=me.name,
        tick=context.tick,
        step=step,
        memories=tuple(memories[at].id for at in places),
        sizes=tuple(int(sizes[at]) for at in places),
        among=len(memories),
        clusters=clusters,
        alike=alike,
    )
    return {
        "came_up": drawn.memories,
        "draws": [*state.draws, drawn],
        "path": [*state.path, name],
    }


IMPORTANCE = 3
"""Importance of a dream, set by rule without asking a model."""


def wants_dream(state: MindState, me: Thinker) -> bool:
    """Return True if the agent sleeps and has not dreamt today; False on the first day."""
    if not (me.has(DREAMS) and me.has(OBSERVATION)) or state.mind.plan is None:
        return False
    action, day = me.surroundings.body.action, day_of(me.surroundings.at)
    is_asleep = action is not None and action.kind == "sleep"
    return is_asleep and day > 1 and state.mind.dreamt < day and can_draw(me)


def fallback(inputs: DreamInput) -> Dream:
    """Return a placeholder; it is never remembered (see `apply`)."""
    return Dream(dream="I had a dream, and forgot what it was about.")


async def gather(state: MindState, context: MindContext) -> StepInputs[DreamInput]:
    """Return the memories chosen at random."""
    me = context.of(state.agent)
    memories = number_memories(me, (me.stream.get(each) for each in state.came_up))
    inputs = DreamInput(me=who(me, state.mind), date=today(me), memories=memories)
    return StepInputs(inputs=inputs)


def apply(state: MindState, context: MindContext, result: StepResult[DreamInput, Dream]) -> Changes:
    """Remember the dream with its memories as evidence; a fallback is not remembered."""
    me = context.of(state.agent)
    mind = replace(state.mind, dreamt=day_of(me.surroundings.at))
    if result.is_fallback:
        return {"mind": mind}
    draft, made = state.draft.with_memory(
        me,
        "dream",
        dreamt(me.name, result.answer.dream),
        step=STEP.name,
        triple=(me.name, "dreams", ""),
        importance=IMPORTANCE,
        evidence=state.came_up,
    )
    gathered = mind.gathered + (IMPORTANCE if made else 0)
    return {"mind": replace(mind, gathered=gathered), "draft": draft}


def sample(scene: Scene) -> DreamInput:
    """Return sample inputs for the prompt, made from a scene."""
    return DreamInput(me=scene.me, date=scene.date, memories=scene.recalled())


STEP = Step(
    name="dream",
    about="what somebody dreams",
    inputs=DreamInput,
    answer=Dream,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=dream,
    sense=(is_nothing_new("dream", "Mix two memories into something strange."),),
    temperature=0.9,
    max_tokens=160,
    sheds=("memories",),
)
