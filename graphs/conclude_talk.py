"""Look back on a talk that has just ended: what to keep of it."""

from dataclasses import replace

from agents.action import Talk
from agents.mind import Impression, Mind
from agents.times import minute_of
from graphs.cards import Card, Said, Who
from graphs.context import MindContext, Thinker, now, relation, who
from graphs.loop.step import Changes, Gathered, Step, StepResult
from graphs.scenes import Scene, said
from graphs.sense.thinking import CONCLUSION
from graphs.standin.parting import conclude_talk
from graphs.state import MindSeen
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


def _ended(me: Thinker) -> Talk:
    """Return the talk that has just ended."""
    talk = me.surroundings.body().ended_talk
    assert talk is not None
    return talk


async def gather(state: MindSeen, context: MindContext) -> Gathered[ConcludeTalkInput]:
    """Return what was said, and what the two were to each other before."""
    me, mind = context.of(state.agent), state.mind
    talk, introduced = _ended(me), me.surroundings.body().introduced
    others = talk.others(me.name)
    first = mind.impressions.get(others[0])
    inputs = ConcludeTalkInput(
        me=who(me, mind),
        now=now(me),
        others=others,
        relationship=relation(me, mind, others[0], introduced.get(others[0], "")),
        feeling=first.feeling if first else "",
        plan=_rest_of_day(mind, me.surroundings.at),
        lines=tuple(Said(speaker=line.speaker, text=line.text) for line in talk.lines),
    )
    return Gathered(inputs=inputs)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[ConcludeTalkInput, TalkConclusion]
) -> Changes:
    """Remember the talk, its facts and plans, and what one makes of the other now.

    A fallback keeps the bare fact only: no thought, no changed impression.
    """
    me, answer = context.of(state.agent), result.answer
    others = _ended(me).others(me.name)
    names = " and ".join(others)
    told = f"{me.name} talked with {names}"
    draft, made = state.draft.with_memory(
        me,
        "talk",
        f"{told}." if result.is_fallback else f"{told}: {answer.summary}",
        step=STEP.name,
        triple=(me.name, "talks with", names),
        importance=None if result.is_fallback else answer.importance,
    )
    talked = {**state.mind.talked, **dict.fromkeys(others, me.surroundings.at)}
    mind = replace(state.mind, talked=talked)
    changes: Changes = {"disturbed": f"A talk with {names} has just ended."}
    if result.is_fallback:
        if made:
            mind = replace(mind, unrated=(*mind.unrated, made.id))
        return {**changes, "mind": mind, "draft": draft}
    evidence = (made.id,) if made else ()
    plan = [f"For {me.name}'s plans: {answer.plan}"] if answer.plan else []
    unrated = list(mind.unrated)
    for fact in [*answer.remember, *plan]:
        draft, kept = draft.with_memory(me, "thought", fact, step=STEP.name, evidence=evidence)
        if kept:
            unrated.append(kept.id)
    mind = replace(
        mind,
        impressions={**mind.impressions, **_impressions(me, mind, others, answer)},
        unrated=tuple(unrated),
        gathered=mind.gathered + answer.importance,
    )
    return {**changes, "mind": mind, "draft": draft}


def _impressions(
    me: Thinker, mind: Mind, others: tuple[str, ...], answer: TalkConclusion
) -> dict[str, Impression]:
    """Return what the agent makes of the others now."""
    return {
        other: Impression(
            relationship=answer.relationship,
            feeling=answer.feeling,
            summary=answer.summary,
            at=me.surroundings.at,
            talks=(mind.impressions[other].talks if other in mind.impressions else 0) + 1,
        )
        for other in others
    }


def _rest_of_day(mind: Mind, at: int) -> tuple[str, ...]:
    """Return what is still planned for today, by the hour."""
    if mind.plan is None:
        return ()
    rest = [hour for hour in mind.plan.hours if hour.end > minute_of(at)]
    return tuple(f"{hour.span()} {hour.activity}" for hour in rest[:PLAN_LINES])


def sample(scene: Scene) -> ConcludeTalkInput:
    """Return believable inputs, made from a scene."""
    return ConcludeTalkInput(
        me=scene.me,
        now=scene.now,
        others=scene.others,
        relationship=scene.relationship,
        feeling=scene.feeling,
        plan=tuple(f"{time} {activity}" for time, activity in scene.strokes[3:]),
        lines=said(scene.lines),
    )


STEP = Step(
    name="conclude_talk",
    about="what is kept of a talk",
    inputs=ConcludeTalkInput,
    answer=TalkConclusion,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=conclude_talk,
    sense=CONCLUSION,
    tier="strong",
    max_tokens=500,
    case=case,
    sheds=("plan", "lines"),
)
