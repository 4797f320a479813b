"""Begin another day: update what is on the agent's mind, and today's requirement."""

from dataclasses import replace

from smolville.agents.mind import GoalChange, Mind, first_goals
from smolville.graphs.components import GOALS
from smolville.graphs.context import MindContext, Thinker, number_memories, today, who
from smolville.graphs.loop.step import Changes, Step, StepInputs, StepResult
from smolville.graphs.recall import recall
from smolville.graphs.scenes import Scene
from smolville.graphs.standin.days import revise_identity
from smolville.graphs.state import MindState
from smolville.parsers.revise_identity import NewIdentity, ReviseIdentityInput

MEMORIES = 12
"""Number of memories of the previous days to look back on."""


def fallback(inputs: ReviseIdentityInput) -> NewIdentity:
    """Return the concerns as they were, and the usual requirement in place of yesterday's."""
    return NewIdentity(currently=inputs.me.currently[:400], requirement=inputs.usual[:300])


async def gather(state: MindState, context: MindContext) -> StepInputs[ReviseIdentityInput]:
    """Return the agent's current concerns, and memories recalled from the last days."""
    me = context.of(state.agent)
    date = today(me)
    found = await recall(
        me,
        [f"{me.name}'s plans for {date}", f"important recent events in {me.name}'s life"],
        MEMORIES,
    )
    by_time = sorted((each.memory for each in found.found), key=lambda memory: memory.created)
    inputs = ReviseIdentityInput(
        me=who(me, state.mind),
        date=date,
        requirement=state.mind.requirement,
        usual=me.persona.daily_requirement,
        memories=number_memories(me, by_time),
    )
    return StepInputs(inputs=inputs, recall=found)


def apply(
    state: MindState, context: MindContext, result: StepResult[ReviseIdentityInput, NewIdentity]
) -> Changes:
    """Store the agent's current concerns, and the new day's requirement.

    After a fallback, the concerns are kept in full, even if they are longer than an answer may be,
    and the day gets the usual requirement.
    """
    mind, answer = state.mind, result.answer
    if result.is_fallback:
        usual = context.of(state.agent).persona.daily_requirement
        return {"mind": replace(mind, requirement=usual)}
    goals = with_new_goal(mind, context.of(state.agent), answer.currently)
    return {"mind": replace(goals, currently=answer.currently, requirement=answer.requirement)}


def with_new_goal(mind: Mind, me: Thinker, currently: str) -> Mind:
    """Return the mind; if it has no goal left, one is taken from the new day's concerns."""
    if not me.has(GOALS) or mind.goals:
        return mind
    at = me.surroundings.at
    goals = first_goals((), currently, me.persona.first_name, at)
    made = tuple(GoalChange(at=at, kind="new", before="", after=each.text) for each in goals)
    return replace(mind, goals=goals, goal_changes=(*mind.goal_changes, *made))


def sample(scene: Scene) -> ReviseIdentityInput:
    """Return sample inputs for the prompt, made from a scene."""
    return ReviseIdentityInput(
        me=scene.me,
        date=scene.date,
        requirement=scene.requirement,
        usual=scene.usual,
        memories=scene.recalled(),
    )


STEP = Step(
    name="revise_identity",
    about="what is on somebody's mind on a new day",
    inputs=ReviseIdentityInput,
    answer=NewIdentity,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=revise_identity,
    tier="strong",
    max_tokens=400,
    sheds=("memories",),
)
