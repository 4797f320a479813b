"""Say the next line of a talk, or end it."""

import math
from typing import Any

from agents.action import Line
from graphs.cards import Card, Recalled, Said, Who
from graphs.context import MindContext, now, recall, recalled, relation, who
from graphs.impressions import felt
from graphs.loop.step import Changes, Gathered, Step, StepResult
from graphs.scenes import Scene, said
from graphs.sense.talking import CHECKS
from graphs.standin.talk import say
from graphs.state import TalkSeen
from parsers.say import Utterance

MEMORIES = 5
CHARACTERS_A_MINUTE = 240
"""How fast people talk (the original's constant)."""


class SayInput(Card):
    """What the prompt `say` shows."""

    me: Who
    """The speaker."""
    now: str
    place: str
    others: tuple[str, ...]
    """To whom I speak."""
    doing: str
    """What I was doing, and what they were doing."""
    relationship: str
    """What we are to each other, and what I feel."""
    reason: str
    """Why I began the talk; empty for the one spoken to."""
    memories: tuple[Recalled, ...]
    """About them and about what was said."""
    lines: tuple[Said, ...]
    """So far; empty when I speak first."""
    turns_left: int
    """How many lines may still be said, this one included."""


def context(inputs: SayInput) -> dict[str, Any]:
    """Return the speaker's name, which is no part of what is said."""
    return {"name": inputs.me.name}


def fallback(inputs: SayInput) -> Utterance:
    """Return a short word that ends the talk, so that nobody waits for an answer."""
    return Utterance(text="I have to go on now. See you.", ends=True)


def case(inputs: SayInput) -> str:
    """Return this case as examples are told."""
    known = " / ".join(memory.text for memory in inputs.memories[:2]) or "nothing new"
    said = " / ".join(f"{line.speaker}: {line.text}" for line in inputs.lines[-3:])
    return (
        f"With {' and '.join(inputs.others)}. Between you: {inputs.relationship}\n"
        f"MEMORIES: {known}\nTALK: {said or 'nobody has spoken yet'}"
    )


async def gather(state: TalkSeen, context: MindContext) -> Gathered[SayInput]:
    """Return what was said, and what comes to the speaker's mind about it and the others."""
    me, meeting = context.of(state.agent), state.meeting
    mind, names = me.mind, meeting.others(me.name)
    assert mind is not None
    said = [line.text for line in state.lines[-2:]]
    found = await recall(me, [*names, *said], MEMORIES)
    impression = mind.impressions.get(names[0])
    feeling = f" {felt(impression.feeling)}" if impression else ""
    guest = meeting.guests.get(names[0])
    inputs = SayInput(
        me=who(me, mind),
        now=now(me),
        place=meeting.place,
        others=names,
        doing=" ".join(f"{name} was {meeting.doing[name]}." for name in (me.name, *names)),
        relationship=relation(me, mind, names[0], guest.about if guest else "") + feeling,
        reason=meeting.reason if me.name == meeting.speakers[0] else "",
        memories=recalled(me, found.found),
        lines=tuple(Said(speaker=line.speaker, text=line.text) for line in state.lines),
        turns_left=meeting.most_lines - len(state.lines),
    )
    return Gathered(inputs=inputs, recall=found)


def apply(
    state: TalkSeen, context: MindContext, result: StepResult[SayInput, Utterance]
) -> Changes:
    """Add the line to the talk, and let the next one speak."""
    at = context.of(state.agent).surroundings.at
    answer = result.answer
    return spoken(state, at, answer.text, ends=answer.ends, is_fallback=result.is_fallback)


def spoken(
    state: TalkSeen, at: int, text: str, *, ends: bool, is_fallback: bool = False
) -> Changes:
    """Return a talk's state with one more line of the present speaker.

    `at` is the town second at which the talk began.
    """
    line = Line(
        speaker=state.agent,
        text=text,
        at=at + math.ceil(60 * minutes(state.lines)),
        fallback=is_fallback,
    )
    lines = (*state.lines, line)
    ended_by = state.agent if ends else ""
    if not ended_by and len(lines) >= state.meeting.most_lines:
        ended_by = "the cap"
    return {"lines": lines, "ended_by": ended_by, "agent": state.meeting.speaker(len(lines))}


def minutes(lines: tuple[Line, ...]) -> float:
    """Return how long it takes to say `lines`."""
    return sum(len(line.text) for line in lines) / CHARACTERS_A_MINUTE


def seconds(lines: tuple[Line, ...]) -> int:
    """Return how long a talk of these lines lasts: whole minutes, at least one."""
    return 60 * max(1, math.ceil(minutes(lines)))


def sample(scene: Scene) -> SayInput:
    """Return believable inputs, made from a scene."""
    return SayInput(
        me=scene.me,
        now=scene.now,
        place=scene.place,
        others=scene.others,
        doing=f"{scene.me.first_name} was {scene.doing}.",
        relationship=scene.relationship,
        reason=scene.why,
        memories=scene.recalled(),
        lines=said(scene.lines),
        turns_left=scene.turns_left,
    )


STEP = Step(
    name="say",
    about="one line of a talk",
    inputs=SayInput,
    answer=Utterance,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=TalkSeen,
    fallback=fallback,
    standin=say,
    context=context,
    sense=CHECKS,
    tier="strong",
    temperature=0.9,
    max_tokens=260,
    case=case,
    sheds=("memories", "lines"),
)
