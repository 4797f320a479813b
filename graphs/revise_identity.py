"""Begin another day: what yesterday changed about who I am now and what today must hold."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from graphs.cards import Card, Recalled, Who
from graphs.gather import recalled, today, who
from graphs.loop.step import Step
from graphs.recall import recall
from graphs.thinking import Thinking, Thought
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


STEP = Step(
    name="revise_identity",
    inputs=ReviseIdentityInput,
    answer=NewIdentity,
    fallback=fallback,
    tier="strong",
    max_tokens=400,
    case=case,
    sheds=("memories",),
)


async def revise_identity(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask what is on the agent's mind now, and what the new day must hold.

    After a fallback the mind stays as it was, however long its text, and the day is a usual one.
    """
    thought, mind = runtime.context, state.mind
    date = today(thought)
    found = await recall(
        thought,
        [f"{thought.name}'s plans for {date}", f"important recent events in {thought.name}'s life"],
        MEMORIES,
    )
    by_time = sorted((each.memory for each in found), key=lambda memory: memory.created)
    inputs = ReviseIdentityInput(
        me=who(thought, mind),
        date=date,
        requirement=mind.requirement,
        usual=thought.persona.daily_requirement,
        memories=recalled(thought, by_time),
    )
    taken = await STEP.take(thought, inputs, found)
    if taken.is_fallback:
        return {"mind": replace(mind, requirement=thought.persona.daily_requirement)}
    answer = taken.answer
    return {"mind": replace(mind, currently=answer.currently, requirement=answer.requirement)}
