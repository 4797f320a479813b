"""Look back on a talk that has just ended: what to keep of it."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.action import Talk
from agents.mind import Impression, Mind
from agents.times import minute_of
from graphs.cards import Card, Said, Who
from graphs.gather import now, relation, who
from graphs.loop.step import Step
from graphs.thinking import Thinking, Thought
from parsers.conclude_talk import TalkConclusion

PLAN_LINES = 12


class ConcludeTalkInput(Card):
    """What the prompt `conclude_talk` shows."""

    me: Who
    now: str
    others: tuple[str, ...]
    relationship: str
    """Before the talk."""
    feeling: str
    """Before the talk."""
    plan: tuple[str, ...]
    """The rest of my day, one line each."""
    lines: tuple[Said, ...]


def fallback(inputs: ConcludeTalkInput) -> TalkConclusion:
    """Return the bare fact that they talked; nothing of it is claimed to have been thought."""
    others = " and ".join(inputs.others)
    return TalkConclusion(
        summary=f"{inputs.me.name} talked with {others}",
        remember=[],
        plan=None,
        relationship=inputs.relationship[:200],
        feeling=(inputs.feeling or "as before")[:120],
        importance=3,
    )


def case(inputs: ConcludeTalkInput) -> str:
    """Return this case as examples are told."""
    said = " / ".join(f"{line.speaker}: {line.text}" for line in inputs.lines[-6:])
    return (
        f"With {' and '.join(inputs.others)}. Before: {inputs.relationship}\n"
        f"TALK: {said or 'nobody said anything'}"
    )


STEP = Step(
    name="conclude_talk",
    inputs=ConcludeTalkInput,
    answer=TalkConclusion,
    fallback=fallback,
    tier="strong",
    max_tokens=500,
    case=case,
    sheds=("plan", "lines"),
)


async def conclude_talk(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask what to keep of the talk: a summary, facts, plans, and what one makes of the other."""
    thought, mind = runtime.context, state.mind
    body = thought.surroundings.body()
    talk = body.ended_talk
    assert talk is not None
    others = talk.others(thought.name)
    first = mind.impressions.get(others[0])
    inputs = ConcludeTalkInput(
        me=who(thought, mind),
        now=now(thought),
        others=others,
        relationship=relation(thought, mind, others[0], body.introduced.get(others[0], "")),
        feeling=first.feeling if first else "",
        plan=_rest_of_day(mind, thought.surroundings.at),
        lines=tuple(Said(speaker=line.speaker, text=line.text) for line in talk.lines),
    )
    taken = await STEP.take(thought, inputs)
    mind = _kept(thought, mind, talk, taken.answer, is_fallback=taken.is_fallback)
    return {"mind": mind, "disturbed": f"A talk with {' and '.join(others)} has just ended."}


def _kept(
    thought: Thought, mind: Mind, talk: Talk, answer: TalkConclusion, *, is_fallback: bool
) -> Mind:
    """Return the mind after a talk; its memories go into the notebook.

    A fallback keeps the bare fact only: no thought, no changed impression.
    """
    notes, others = thought.notes, talk.others(thought.name)
    names = " and ".join(others)
    text = f"{thought.name} talked with {names}."
    if not is_fallback:
        text = f"{thought.name} talked with {names}: {answer.summary}"
    made = notes.remember(
        "talk",
        text,
        step=STEP.name,
        triple=(thought.name, "talks with", names),
        importance=None if is_fallback else answer.importance,
    )
    talked = {**mind.talked, **dict.fromkeys(others, thought.surroundings.at)}
    mind = replace(mind, talked=talked)
    if is_fallback:
        return replace(mind, unrated=(*mind.unrated, made.id)) if made else mind
    evidence = (made.id,) if made else ()
    plan = [f"For {thought.name}'s plans: {answer.plan}"] if answer.plan else []
    drafts = [
        notes.remember("thought", fact, step=STEP.name, evidence=evidence)
        for fact in [*answer.remember, *plan]
    ]
    impressions = {
        other: Impression(
            relationship=answer.relationship,
            feeling=answer.feeling,
            summary=answer.summary,
            at=thought.surroundings.at,
            talks=(mind.impressions[other].talks if other in mind.impressions else 0) + 1,
        )
        for other in others
    }
    return replace(
        mind,
        impressions={**mind.impressions, **impressions},
        unrated=(*mind.unrated, *(draft.id for draft in drafts if draft)),
        gathered=mind.gathered + answer.importance,
    )


def _rest_of_day(mind: Mind, at: int) -> tuple[str, ...]:
    """Return what is still planned for today, by the hour."""
    if mind.plan is None:
        return ()
    rest = [hour for hour in mind.plan.hours if hour.end > minute_of(at)]
    return tuple(f"{hour.span()} {hour.activity}" for hour in rest[:PLAN_LINES])
