"""Look back on a talk that has just ended: what to keep of it."""

import re
from dataclasses import replace
from typing import Any

from pydantic import field_validator

from agents.action import Talk
from agents.mind import Impression, Mind
from agents.times import day_of, minute_of
from graphs.cards import Card, NumberedLine, Who
from graphs.context import MindContext, Thinker, now, relation, who
from graphs.dated import dated
from graphs.impressions import after_talk
from graphs.loop.step import Changes, Choices, Gathered, Step, StepResult
from graphs.scenes import Scene
from graphs.sense.check import ENGLISH
from graphs.sense.thinking import CONCLUSION, was_said
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
    lines: tuple[NumberedLine, ...]
    """Numbered from 1."""

    @field_validator("lines")
    @classmethod
    def _are_numbered(cls, lines: tuple[NumberedLine, ...]) -> tuple[NumberedLine, ...]:
        if all(line.number for line in lines):
            return lines
        return tuple(line.model_copy(update={"number": at}) for at, line in enumerate(lines, 1))


def fallback(inputs: ConcludeTalkInput) -> TalkConclusion:
    """Return the bare fact that they talked; nothing of it is claimed to have been thought."""
    others = " and ".join(inputs.others)
    summary = f"{inputs.me.name} talked with {others}"
    return TalkConclusion(summary=summary, keep=[], promise=None, feeling="calm")


def case(inputs: ConcludeTalkInput) -> str:
    """Return this case as examples are told."""
    numbered = [f"{line.number}. {line.speaker}: {line.text}" for line in inputs.lines]
    said = " / ".join(numbered[-6:])
    return (
        f"With {' and '.join(inputs.others)}. Before: {inputs.relationship}\n"
        f"TALK: {said or 'nobody said anything'}"
    )


def context(inputs: ConcludeTalkInput) -> dict[str, Any]:
    """Return the numbers of the lines that others said."""
    return {"numbers": _of_others(inputs)}


def choices(inputs: ConcludeTalkInput) -> Choices:
    """Return the others' lines as the only ones that can be kept."""
    numbers = _of_others(inputs)
    return {"keep[]": numbers} if numbers else {}


def _of_others(inputs: ConcludeTalkInput) -> list[int]:
    return [line.number for line in inputs.lines if line.speaker in inputs.others]


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
        lines=tuple(NumberedLine(speaker=line.speaker, text=line.text) for line in talk.lines),
    )
    return Gathered(inputs=inputs)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[ConcludeTalkInput, TalkConclusion]
) -> Changes:
    """Remember the talk, the lines kept of it and a promise, and how one stands to the other now.

    A line is kept in its speaker's words; a day counted from today is written as its date. A
    fallback keeps the bare fact only: no thought, no changed impression.
    """
    me, inputs, answer = context.of(state.agent), result.inputs, result.answer
    others = _ended(me).others(me.name)
    names = " and ".join(others)
    told, summary = f"{me.name} talked with {names}", _plain(me, answer.summary, others)
    draft, made = state.draft.with_memory(
        me,
        "talk",
        f"{told}." if result.is_fallback else f"{told}: {summary}",
        step=STEP.name,
        triple=(me.name, "talks with", names),
    )
    unrated = [*state.mind.unrated, *([made.id] if made else [])]
    talked = {**state.mind.talked, **dict.fromkeys(others, me.surroundings.at)}
    impressions = dict(state.mind.impressions)
    if not result.is_fallback:
        evidence = (made.id,) if made else ()
        is_foreign = context.desk.templates.at(context.tick).language not in ENGLISH
        for fact in _facts(me, inputs, answer, is_foreign=is_foreign):
            draft, kept = draft.with_memory(me, "thought", fact, step=STEP.name, evidence=evidence)
            unrated += [kept.id] if kept else []
        impressions |= _impressions(me, state.mind, others, answer.feeling, summary)
    mind = replace(state.mind, talked=talked, impressions=impressions, unrated=tuple(unrated))
    return {
        "mind": mind,
        "draft": draft,
        "disturbed": f"A talk with {names} has just ended.",
    }


def _facts(
    me: Thinker, inputs: ConcludeTalkInput, answer: TalkConclusion, *, is_foreign: bool
) -> list[str]:
    """Return what is remembered beside the talk itself: lines in their words, and a promise.

    A promise of which nobody spoke is none; of a talk in a foreign language nobody can tell.
    """
    lines = [line for line in inputs.lines if line.number in answer.keep]
    facts = [f'{line.speaker} said: "{_dated(me, line.text)}"' for line in lines]
    if answer.promise and (is_foreign or was_said(answer.promise, inputs)):
        facts.append(f"For {me.name}'s plans: {_dated(me, answer.promise)}")
    return facts


def _dated(me: Thinker, text: str) -> str:
    around = me.surroundings
    return dated(text, around.start_date, day_of(around.at))


def _plain(me: Thinker, summary: str, others: tuple[str, ...]) -> str:
    """Return a summary without who talked with whom, which the memory says already."""
    names = "|".join(
        re.escape(name) for full in (me.name, *others) for name in (full, full.split()[0])
    )
    people = rf"(?:{names}|we|i)(?:(?:,| and|, and) (?:{names}))*"
    bare = re.sub(
        rf"^{people} (?:have |has |just )*(?:talked|spoke|chatted|discussed)"
        rf"(?: (?:with|to) {people})?(?::| about this:| that)? +(?=\S)",
        "",
        summary.strip(),
        flags=re.IGNORECASE,
    )
    return _dated(me, bare[:1].upper() + bare[1:])


def _impressions(
    me: Thinker, mind: Mind, others: tuple[str, ...], feeling: str, summary: str
) -> dict[str, Impression]:
    """Return what the agent makes of the others now."""
    return {
        other: after_talk(
            mind.impressions.get(other),
            relation(me, mind, other),
            is_known=other in me.persona.relationships,
            feeling=feeling,
            summary=summary,
            at=me.surroundings.at,
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
        lines=tuple(NumberedLine(speaker=name, text=text) for name, text in scene.lines),
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
    context=context,
    choices=choices,
    sense=CONCLUSION,
    tier="strong",
    max_tokens=240,
    case=case,
    sheds=("plan", "lines"),
)
