"""Begin another day: what yesterday changed about who I am now and what today must hold."""

from dataclasses import replace

from graphs.cards import Card, Recalled, Who
from graphs.context import MindContext, recall, recalled, today, who
from graphs.loop.step import Changes, Gathered, Step, StepResult
from graphs.scenes import Scene
from graphs.sense.thinking import IDENTITY
from graphs.standin.days import revise_identity
from graphs.state import MindSeen
from parsers.revise_identity import NewIdentity

MEMORIES = 20
"""So many memories of the days before are looked back on."""


class ReviseIdentityInput(Card):
    """What the prompt `revise_identity` shows."""

    me: Who
    date: str
    """Of the new day."""
    requirement: str
    """What yesterday had to hold."""
    usual: str
    """What any day holds, as the persona file says."""
    memories: tuple[Recalled, ...]
    """Of yesterday, most important ones."""


def fallback(inputs: ReviseIdentityInput) -> NewIdentity:
    """Return the mind as it was, and a usual day: yesterday's own requirement is over."""
    return NewIdentity(currently=inputs.me.currently[:400], requirement=inputs.usual[:300])


def case(inputs: ReviseIdentityInput) -> str:
    """Return this case as examples are told."""
    told = " / ".join(memory.text for memory in inputs.memories[:4]) or "none"
    return (
        f"Today is {inputs.date}. Any day holds: {inputs.usual}\n"
        f"On your mind: {inputs.me.currently}\nMEMORIES: {told}"
    )


async def gather(state: MindSeen, context: MindContext) -> Gathered[ReviseIdentityInput]:
    """Return what the agent meant to do, and what comes to mind of the last days."""
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
        memories=recalled(me, by_time),
    )
    return Gathered(inputs=inputs, recall=found)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[ReviseIdentityInput, NewIdentity]
) -> Changes:
    """Keep what is on the agent's mind now, and what the new day must hold.

    After a fallback the mind stays as it was, however long its text, and the day is a usual one.
    """
    mind, answer = state.mind, result.answer
    if result.is_fallback:
        usual = context.of(state.agent).persona.daily_requirement
        return {"mind": replace(mind, requirement=usual)}
    return {"mind": replace(mind, currently=answer.currently, requirement=answer.requirement)}


def sample(scene: Scene) -> ReviseIdentityInput:
    """Return believable inputs, made from a scene."""
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
    seen=MindSeen,
    fallback=fallback,
    standin=revise_identity,
    sense=IDENTITY,
    tier="strong",
    max_tokens=400,
    case=case,
    sheds=("memories",),
)
