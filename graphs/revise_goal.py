"""Revise a goal soon after something happened that bears on it."""

from dataclasses import replace

from smolville.agents.english import clip
from smolville.agents.memory import Memory, is_from_before
from smolville.agents.mind import Goal, GoalChange, concerns
from smolville.agents.times import day_of
from smolville.graphs.components import GOALS
from smolville.graphs.context import MindContext, Thinker, now, number_memories, who
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.perceive import WRITTEN
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import is_nothing_new
from smolville.graphs.state import MindState
from smolville.graphs.talk_memories import NOTABLE
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.revise_goal import GoalRevision, ReviseGoalInput

MEMORIES = 5
"""Maximum number of memories shown, the latest ones."""
PAUSE = 10_800
"""Minimum number of seconds between two questions on the same day."""
LOOKED_AT = 200
"""Number of the latest memories looked at."""
KEEPS, ENDS = 0.6, 0.75
"""Share of cases in which the stand-in keeps a goal, and share in which it keeps or ends it."""


def is_due(state: MindState, me: Thinker) -> bool:
    """Return True when something that happened since the last time may put a goal in question.

    Such a memory bears on the goal (`bears_on`). It is asked about within the same thought, but not
    within `PAUSE` seconds of the last time; on a new day it is asked about before the day's plan.
    """
    return me.has(GOALS) and _question(state, me) is not None


def bears_on(memory: Memory, goal: Goal, name: str) -> bool:
    """Return whether a memory is of something that happened, of weight, and concerns a goal.

    A letter or a notice has weight, and so has whatever is at least of importance `NOTABLE`. Plans,
    dreams, and what the person knew before the run did not happen.
    """
    has_weight = memory.weight >= NOTABLE or memory.subject in WRITTEN
    happened = memory.predicate != "plan" and memory.kind != "dream" and not is_from_before(memory)
    return has_weight and happened and concerns(memory, goal, name)


def _question(state: MindState, me: Thinker) -> tuple[Goal, tuple[Memory, ...]] | None:
    """Return the first goal on which new memories bear, and these memories; None for none."""
    mind, at = state.mind, me.surroundings.at
    begins_day = mind.plan is not None and mind.plan.day < day_of(at)
    if not mind.goals or (at - mind.goal_asked < PAUSE and not begins_day):
        return None
    latest = state.draft.latest(me, LOOKED_AT)
    for goal in mind.goals:
        new = (each for each in latest if each.created > max(goal.since, mind.goal_asked))
        found = tuple(each for each in new if bears_on(each, goal, me.name))
        if found:
            return goal, found[-MEMORIES:]
    return None


async def gather(state: MindState, context: MindContext) -> StepInputs[ReviseGoalInput]:
    """Return the goal in question, and the new memories that bear on it."""
    me = context.of(state.agent)
    question = _question(state, me)
    assert question is not None
    goal, memories = question
    inputs = ReviseGoalInput(
        me=who(me, state.mind),
        now=now(me),
        memories=number_memories(me, memories),
        goal=goal.text,
    )
    return StepInputs(inputs=inputs)


def apply(
    state: MindState, context: MindContext, result: StepResult[ReviseGoalInput, GoalRevision]
) -> Changes:
    """Keep the goal, drop it or replace it, and record the difference."""
    me, answer = context.of(state.agent), result.answer
    at, question = me.surroundings.at, _question(state, me)
    assert question is not None
    goal, memories = question
    mind = replace(state.mind, goal_asked=at)
    if answer.decision == "keep" or result.is_fallback:
        return {"mind": mind}
    new = answer.goal if answer.decision == "change" else None
    changed = GoalChange(
        at=at,
        kind="done" if new is None else "changed",
        before=goal.text,
        after=new or "",
        because=tuple(each.id for each in memories),
        reason=answer.reason,
    )
    kept = [each for each in mind.goals if each != goal]
    goals = (Goal(text=new, since=at), *kept) if new is not None else tuple(kept)
    return {"mind": replace(mind, goals=tuple(goals), goal_changes=(*mind.goal_changes, changed))}


def fallback(inputs: ReviseGoalInput) -> GoalRevision:
    """Return the decision to keep the goal."""
    return GoalRevision(reason="no decision was made", decision="keep")


def choices(inputs: ReviseGoalInput) -> Choices:
    """Return the three decisions."""
    return {"decision": ["keep", "done", "change"]}


def standin(inputs: ReviseGoalInput, dice: Dice) -> RuleAnswer:
    """Return a random decision: usually to keep the goal, sometimes to end it or to change it."""
    last = clip(inputs.memories[-1].text if inputs.memories else inputs.goal, 110)
    drawn = dice.fraction("decision")
    decision = "keep" if drawn < KEEPS else "done" if drawn < ENDS else "change"
    reason = f"What happened was this: {last}"
    changed = f"{inputs.me.first_name} goes on from this: {last}"
    goal = changed if decision == "change" else None
    return RuleAnswer({"reason": reason, "decision": decision, "goal": goal}, used=(last[:60],))


def sample(scene: Scene) -> ReviseGoalInput:
    """Return sample inputs for the prompt, made from a scene."""
    return ReviseGoalInput(
        me=scene.me, now=scene.now, memories=scene.recalled()[:2], goal=scene.goal
    )


STEP = Step(
    name="revise_goal",
    about="whether somebody's goal still holds",
    inputs=ReviseGoalInput,
    answer=GoalRevision,
    gather=gather,
    apply=apply,
    fallback=fallback,
    standin=standin,
    sample=sample,
    choices=choices,
    sense=(
        is_nothing_new(
            "goal", 'Write another one, or choose "keep".', lambda inputs: (inputs.goal,)
        ),
    ),
    tier="strong",
    max_tokens=200,
)
