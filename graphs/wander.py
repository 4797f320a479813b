"""Let the mind wander at the start of a day: rare memories suggest one new thing to do.

After Affordable Generative Agents (MindWandering). The idea names a part of the day, and is one
more wish for that part.
"""

from dataclasses import replace

from smolville.agents.mind import Idea
from smolville.agents.times import day_of
from smolville.graphs.components import OBSERVATION, WANDERING
from smolville.graphs.context import MindContext, Thinker, number_memories, today, who
from smolville.graphs.dream import can_draw
from smolville.graphs.loop.step import Changes, Step, StepInputs, StepResult
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import is_nothing_new
from smolville.graphs.standin.memory import wander
from smolville.graphs.state import MindState
from smolville.parsers.wander import NovelIdea, WanderInput

IMPORTANCE = 4
"""Importance of a new idea, set by rule without asking a model."""


def wants_to_wander(me: Thinker) -> bool:
    """Return True when there are enough memories to choose from."""
    return me.has(WANDERING) and me.has(OBSERVATION) and can_draw(me)


def fallback(inputs: WanderInput) -> NovelIdea:
    """Return a placeholder that is not used; without an idea the day stays as planned."""
    return NovelIdea(reason="nothing came up", idea="doing what the day brings", part="evening")


async def gather(state: MindState, context: MindContext) -> StepInputs[WanderInput]:
    """Return the memories chosen at random, and the fixed parts of the day."""
    me = context.of(state.agent)
    memories = number_memories(me, (me.stream.get(each) for each in state.came_up))
    inputs = WanderInput(
        me=who(me, state.mind),
        date=today(me),
        usual=me.persona.daily_requirement,
        memories=memories,
    )
    return StepInputs(inputs=inputs)


def apply(
    state: MindState, context: MindContext, result: StepResult[WanderInput, NovelIdea]
) -> Changes:
    """Keep the idea for the day's plan, and remember it with the memories that it came from."""
    if result.is_fallback:
        return {}
    me, answer = context.of(state.agent), result.answer
    draft, made = state.draft.with_memory(
        me,
        "thought",
        f"A new idea of {me.name} for {result.inputs.date}: {answer.idea}.",
        step=STEP.name,
        triple=(me.name, "thinks of", answer.idea),
        importance=IMPORTANCE,
        evidence=state.came_up,
    )
    idea = Idea(day=day_of(me.surroundings.at), activity=answer.idea, part=answer.part)
    gathered = state.mind.gathered + (IMPORTANCE if made else 0)
    return {"draft": draft, "mind": replace(state.mind, idea=idea, gathered=gathered)}


def sample(scene: Scene) -> WanderInput:
    """Return sample inputs for the prompt, made from a scene."""
    return WanderInput(me=scene.me, date=scene.date, usual=scene.usual, memories=scene.recalled())


STEP = Step(
    name="wander",
    about="one new thing to do on a new day",
    inputs=WanderInput,
    answer=NovelIdea,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=wander,
    sense=(
        is_nothing_new(
            "idea", "Think of something you do not usually do.", lambda inputs: (inputs.usual,)
        ),
    ),
    temperature=0.9,
    max_tokens=160,
    sheds=("memories",),
)
