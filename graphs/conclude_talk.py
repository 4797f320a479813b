"""Look back on a talk that has just ended: what to remember of it, and the feeling afterwards."""

import re
from dataclasses import replace
from typing import Any

from pydantic import field_validator

from agents.action import Talk
from agents.memory import for_plans
from agents.mind import Mind
from agents.times import day_of, minute_of
from agents.wording import join_words
from graphs.bonds import impressions_after
from graphs.components import OBSERVATION, SOCIAL
from graphs.context import MindContext, Thinker, format_relations, now, relation, today, who
from graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from graphs.prompt_inputs import NumberedLine, PersonaInput, PromptInput
from graphs.replan import window
from graphs.scenes import Scene
from graphs.sense.thinking import CONCLUSION
from graphs.spoken_times import may_fall_on, read_times, replace_relative_days
from graphs.standin.encounter import conclude_talk
from graphs.state import MindSeen
from parsers.conclude_talk import TalkConclusion
from parsers.reading.sentences import is_small_talk, sentences_of
from parsers.say import SERVICE

PLAN_LINES = 6
LEAST = 3
"""Importance of a talk from which nothing is kept."""
NEWS = 6
"""Importance of a line kept as news, and of a promise."""
MOVING = frozenset(("grateful", "worried", "sad", "annoyed", "hurt"))
"""Feelings after a talk that show that it moved somebody."""


class ConcludeTalkInput(PromptInput):
    """The inputs that the prompt `conclude_talk` shows."""

    me: PersonaInput
    now: str
    others: tuple[str, ...]
    relationship: str
    """My relationship with the others before the talk."""
    feeling: str
    """My feeling for the others before the talk."""
    plan: tuple[str, ...]
    """The rest of my day, one line each."""
    lines: tuple[NumberedLine, ...]
    """The lines of the talk, numbered from 1."""

    @field_validator("lines")
    @classmethod
    def _are_numbered(cls, lines: tuple[NumberedLine, ...]) -> tuple[NumberedLine, ...]:
        if all(line.number for line in lines):
            return lines
        return tuple(line.model_copy(update={"number": at}) for at, line in enumerate(lines, 1))


def fallback(inputs: ConcludeTalkInput) -> TalkConclusion:
    """Return the bare fact of the talk, without any invented thought about it."""
    others = " and ".join(inputs.others)
    summary = f"{inputs.me.name} talked with {others}"
    return TalkConclusion(summary=summary, keep=[], promise=None, feeling="calm")


def case(inputs: ConcludeTalkInput) -> str:
    """Return the inputs as one short text: examples are compared by it, and shown in this form."""
    numbered = [f"{line.number}. {line.speaker}: {line.text}" for line in inputs.lines]
    said = " / ".join(numbered[-6:])
    return (
        f"With {' and '.join(inputs.others)}. Before: {inputs.relationship}\n"
        f"TALK: {said or 'nobody said anything'}"
    )


def context(inputs: ConcludeTalkInput) -> dict[str, Any]:
    """Return the numbers of the lines that others said, who they are, and whether I spoke."""
    spoke = any(line.speaker == inputs.me.name for line in inputs.lines)
    return {"numbers": _of_others(inputs), "others": list(inputs.others), "spoke": spoke}


def choices(inputs: ConcludeTalkInput) -> Choices:
    """Return the numbers of the others' lines: only these can be kept."""
    return {"keep[]": _of_others(inputs)}


def _of_others(inputs: ConcludeTalkInput) -> list[int]:
    """Return the numbers of the others' informative lines: no greetings, no stock phrases."""
    return [
        line.number
        for line in inputs.lines
        if line.speaker in inputs.others and not _tells_nothing(line.text)
    ]


def _tells_nothing(text: str) -> bool:
    """Return whether a line consists of small talk and of offers to help, as an assistant makes."""
    return is_small_talk(" ".join(each for each in sentences_of(text) if not SERVICE.search(each)))


def _find_ended_talk(me: Thinker) -> Talk:
    """Return the talk that has just ended."""
    talk = me.surroundings.body().ended_talk
    assert talk is not None
    return talk


async def gather(state: MindSeen, context: MindContext) -> StepInputs[ConcludeTalkInput]:
    """Return what was said, and the relationships with the others before the talk."""
    me, mind = context.of(state.agent), state.mind
    talk, introduced = _find_ended_talk(me), me.surroundings.body().introduced
    others = talk.others(me.name)
    first = mind.impressions.get(others[0])
    inputs = ConcludeTalkInput(
        me=who(me, mind),
        now=now(me),
        others=others,
        relationship=format_relations(
            {name: relation(me, mind, name, introduced.get(name, "")) for name in others}
        ),
        feeling=first.feeling if first and len(others) == 1 else "",
        plan=_rest_of_day(mind, me.surroundings.at),
        lines=tuple(NumberedLine(speaker=line.speaker, text=line.text) for line in talk.lines),
    )
    return StepInputs(inputs=inputs)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[ConcludeTalkInput, TalkConclusion]
) -> Changes:
    """Remember the talk, the lines kept of it and a promise, and update the relationship.

    A line is kept in its speaker's words; relative days are written as dates. After a fallback only
    the bare fact is kept: no thought, and no changed impression. A promise that
    concerns the rest of this hour may change the plan for it. No other talk changes the plan.
    """
    me, inputs, answer = context.of(state.agent), result.inputs, result.answer
    others = _find_ended_talk(me).others(me.name)
    names = join_words(others)
    told, summary = f"{me.name} talked with {names}", _plain(me, answer.summary, others)
    draft, made, remembers = state.draft, None, me.has(OBSERVATION)
    promise = "" if result.is_fallback else _promise(me, answer)
    importance = LEAST if result.is_fallback else importance_of(answer, is_promised=promise != "")
    if remembers:
        draft, made = draft.with_memory(
            me,
            "talk",
            f"{told}." if result.is_fallback else f"{told}: {summary}",
            step=STEP.name,
            triple=(me.name, "talks with", names),
            importance=importance,
        )
    gathered = state.mind.gathered + (importance if made else 0)
    talked = {**state.mind.talked, **dict.fromkeys(others, me.surroundings.at)}
    impressions, disturbed = dict(state.mind.impressions), state.disturbed
    if not result.is_fallback:
        evidence = (made.id,) if made else ()
        if promise and _concerns_now(me, state.mind, promise):
            disturbed = f"A talk with {names} has just ended. What you promised: {promise}"
        for fact in _facts(me, inputs, answer, promise) if remembers else ():
            draft, kept = draft.with_memory(
                me, "thought", fact, step=STEP.name, importance=NEWS, evidence=evidence
            )
            gathered += NEWS if kept else 0
        if me.has(SOCIAL):
            impressions |= impressions_after(
                me,
                state.mind,
                others,
                feeling=answer.feeling,
                summary=summary,
                lines=inputs.lines,
                promised=bool(promise),
            )
    mind = replace(state.mind, talked=talked, impressions=impressions, gathered=gathered)
    return {"mind": mind, "draft": draft, "disturbed": disturbed}


def importance_of(answer: TalkConclusion, *, is_promised: bool) -> int:
    """Return a talk's importance, computed from the lines kept, the feeling and a promise."""
    is_moved = answer.feeling in MOVING
    return LEAST + min(2, len(answer.keep)) + is_moved + 2 * is_promised


def _concerns_now(me: Thinker, mind: Mind, promise: str) -> bool:
    """Return True for a promise that may change the rest of this hour.

    A promise for another day, or for a time after this hour, does not affect what `replan` plans.
    """
    if not may_fall_on(promise, today(me)):
        return False
    rest, start = window(mind, me.surroundings.at), read_times(promise).start
    return start is None or rest is None or start < rest.end


def _promise(me: Thinker, answer: TalkConclusion) -> str:
    """Return the promise with its date; empty for none."""
    return _replace_relative_days(me, answer.promise) if answer.promise else ""


def _facts(
    me: Thinker, inputs: ConcludeTalkInput, answer: TalkConclusion, promise: str
) -> list[str]:
    """Return the facts remembered besides the talk itself: literal lines, and a promise."""
    lines = [line for line in inputs.lines if line.number in answer.keep]
    facts = [f'{line.speaker} said: "{_replace_relative_days(me, line.text)}"' for line in lines]
    return [*facts, f"{for_plans(me.name)}{promise}"] if promise else facts


def _replace_relative_days(me: Thinker, text: str) -> str:
    around = me.surroundings
    return replace_relative_days(text, around.start_date, day_of(around.at))


def _plain(me: Thinker, summary: str, others: tuple[str, ...]) -> str:
    """Return a summary without `A talked with B` at its beginning, which the memory adds itself."""
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
    return _replace_relative_days(me, bare[:1].upper() + bare[1:])


def _rest_of_day(mind: Mind, at: int) -> tuple[str, ...]:
    """Return the remaining hours of today's plan."""
    if mind.plan is None:
        return ()
    rest = [hour for hour in mind.plan.hours if hour.end > minute_of(at)]
    return tuple(f"{hour.span()} {hour.activity}" for hour in rest[:PLAN_LINES])


def sample(scene: Scene) -> ConcludeTalkInput:
    """Return sample inputs for the prompt, made from a scene."""
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
