"""Dream: combine rare memories during sleep; the result is remembered as a dream.

Simulacra's idea: like a reflection, but more random and imaginative. The memories chosen at
random are its evidence. Prompts mark it as a dream, so that no plan takes it for a fact.
"""

from dataclasses import replace

from smolville.agents.memory import dreamt
from smolville.agents.times import day_of
from smolville.graphs.components import DREAMS, OBSERVATION
from smolville.graphs.context import MindContext, Thinker, number_memories, today, who
from smolville.graphs.draw_memories import can_draw
from smolville.graphs.loop.step import Changes, Step, StepInputs, StepResult
from smolville.graphs.scenes import Scene
from smolville.graphs.sense.check import is_nothing_new
from smolville.graphs.standin.fancy import dream
from smolville.graphs.state import MindState
from smolville.parsers.dream import Dream, DreamInput

IMPORTANCE = 3
"""Importance of a dream, set by rule without asking a model."""


def wants_dream(state: MindState, me: Thinker) -> bool:
    """Return True if the agent sleeps and has not dreamt today; False on the first day."""
    if not (me.has(DREAMS) and me.has(OBSERVATION)) or state.mind.plan is None:
        return False
    action, day = me.surroundings.body().action, day_of(me.surroundings.at)
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
