"""Say the next line of a talk, or end it."""

import math
from typing import Any

from smolville.agents.action import TalkLine
from smolville.graphs.appointments import agreed_with
from smolville.graphs.bonds import bonds
from smolville.graphs.context import MindContext, now, number_memories, who
from smolville.graphs.loop.step import Changes, Narrowing, Step, StepInputs, StepResult
from smolville.graphs.meeting import ends_in_goodbye
from smolville.graphs.needs import format_needs
from smolville.graphs.recall import recall
from smolville.graphs.scenes import Scene, planned_at, to_spoken_lines
from smolville.graphs.sense.talking import CHECKS
from smolville.graphs.standin.talk import say
from smolville.graphs.state import TalkState
from smolville.graphs.talk_memories import (
    OF_LINE,
    SHOWN,
    find_news,
    is_question,
    latest_deeds,
    may_end,
    named_people,
    plan_from_now,
    recalled_in_talk,
    says_nothing_new,
    what_is_asked,
    who_else_is_here,
)
from smolville.parsers.prompt_inputs import SpokenLine
from smolville.parsers.say import SayInput, TalkMemory, Utterance

CHARACTERS_A_MINUTE = 240
"""Characters that people say per minute (the original's constant)."""


def context(inputs: SayInput) -> dict[str, Any]:
    """Return the speaker's name, the lines said, and whether to say goodbye.

    The name is needed in order to remove it from the beginning of the line.
    """
    return {
        "name": inputs.me.name,
        "said": [line.text for line in inputs.lines],
        "ends": inputs.only == "goodbye",
    }


def fallback(inputs: SayInput) -> Utterance:
    """Return a short line that ends the talk, so that nobody waits for an answer."""
    return Utterance(text="I have to go on now. See you.", ends=True)


def narrow(inputs: SayInput, part: Utterance | None) -> SayInput:
    """Return the inputs for a greeting or, if somebody has spoken, for a goodbye."""
    only = "goodbye" if inputs.lines else "hello"
    less = {"memories": (), "news": "", "reason": "", "here": (), "plan": (), "deeds": ()}
    return inputs.model_copy(update={"only": only, "named": (), "may_refuse": False, **less})


def case(inputs: SayInput) -> str:
    """Return the inputs as one short text: examples are compared by it, and shown in this form."""
    first = sorted(inputs.memories, key=lambda memory: not memory.of_line)
    known = " / ".join(memory.text for memory in first[:2]) or "nothing new"
    said = " / ".join(f"{line.speaker}: {line.text}" for line in inputs.lines[-3:])
    return (
        f"With {' and '.join(inputs.others)}. Between you: {inputs.relationship}\n"
        f"YOU REMEMBER: {known}\nTALK: {said or 'nobody has spoken yet'}"
    )


async def gather(state: TalkState, context: MindContext) -> StepInputs[SayInput]:
    """Return the lines so far, the speaker's own day, and memories of the topic and the others."""
    me, meeting = context.of(state.agent), state.meeting
    mind, names = me.mind, meeting.others(me.name)
    assert mind is not None
    said = [line.text for line in state.lines]
    last, reason = said[-1] if said else "", meeting.reasons.get(me.name, "")
    line = what_is_asked(last, (me.name, *names))
    about = {name: guest.about for name, guest in meeting.guests.items()}
    relationship, deeds = bonds(me, mind, names, about), latest_deeds(me, meeting.doing[me.name])
    news = find_news(me, mind, names, said)
    persona = who(me, mind)
    told = [persona.learned, persona.currently, persona.lifestyle, relationship, *said]
    agreed = agreed_with(me, mind, names)
    told += [*meeting.doing.values(), *(deed.activity for deed in deeds), *agreed]
    keep = recalled_in_talk(line, (me.name, *names), [*told, news.text] if news else told)
    queries = [*names, *filter(None, [reason, *said[-2:-1]])]
    of_line = SHOWN if any(map(is_question, line)) else OF_LINE
    found = await recall(me, queries, SHOWN, names, keep=keep, line=line, of_line=of_line)
    at_line = set(found.accessed[:of_line] if line else ())
    memories = tuple(
        TalkMemory(**each.model_dump(), of_line=memory.memory.id in at_line)
        for each, memory in zip(number_memories(me, found.found), found.found, strict=True)
    )
    has_spoken = any(line.speaker == me.name for line in state.lines)
    inputs = SayInput(
        me=persona,
        now=now(me),
        place=meeting.place,
        others=names,
        doing=" ".join(f"{name} was {meeting.doing[name]}." for name in (me.name, *names)),
        relationship=relationship,
        reason=reason,
        here=who_else_is_here(me, names),
        plan=plan_from_now(me, mind),
        deeds=deeds,
        memories=memories,
        named=named_people(me, mind, last, names),
        news=news.text if news else "",
        lines=tuple(SpokenLine(speaker=line.speaker, text=line.text) for line in state.lines),
        turns_left=meeting.most_lines - len(state.lines),
        needs=format_needs(me, mind),
        agreed=agreed,
        may_refuse=bool(last) and not has_spoken and me.name not in meeting.reasons,
    )
    return StepInputs(inputs=inputs, recall=found)


def apply(
    state: TalkState, context: MindContext, result: StepResult[SayInput, Utterance]
) -> Changes:
    """Add the line to the talk, and pass the turn to the next speaker."""
    at = context.of(state.agent).surroundings.at
    text, is_fallback = result.answer.text, result.is_fallback
    is_over = result.answer.ends or ends_in_goodbye(text) or says_nothing_new(state, text)
    ends = may_end(state, text) and is_over
    return add_line(state, at, text, ends=ends or is_fallback, is_fallback=is_fallback)


def add_line(
    state: TalkState, at: int, text: str, *, ends: bool, is_fallback: bool = False
) -> Changes:
    """Return a talk's state with one more line of the current speaker.

    `at` is the town second at which the talk began.
    """
    line = TalkLine(
        speaker=state.agent,
        text=text,
        at=at + math.ceil(60 * minutes(state.lines)),
        fallback=is_fallback,
    )
    lines = (*state.lines, line)
    ended_by = state.agent if ends else ""
    if not ended_by and len(lines) >= state.meeting.most_lines:
        ended_by = "the cap"
    return {"lines": lines, "ended_by": ended_by, "agent": state.meeting.next_speaker(lines)}


def minutes(lines: tuple[TalkLine, ...]) -> float:
    """Return how long it takes to say `lines`."""
    return sum(len(line.text) for line in lines) / CHARACTERS_A_MINUTE


def seconds(lines: tuple[TalkLine, ...]) -> int:
    """Return how long a talk of these lines lasts: whole minutes, at least one."""
    return 60 * max(1, math.ceil(minutes(lines)))


def sample(scene: Scene) -> SayInput:
    """Return sample inputs for the prompt, made from a scene."""
    memories = tuple(
        TalkMemory(**each.model_dump(), of_line=each.number < 3) for each in scene.recalled()
    )
    absent = [each for each in scene.people if not each.can_talk]
    return SayInput(
        me=scene.me,
        now=scene.now,
        place=scene.place,
        others=scene.others,
        doing=f"{scene.me.first_name} was {scene.doing}.",
        relationship=scene.relationship,
        reason=scene.why,
        here=tuple(f"{each.name} ({each.doing})" for each in absent),
        plan=planned_at(scene.strokes[3:]),
        deeds=planned_at([(time[:5], activity) for time, activity in scene.tasks]),
        memories=memories,
        named=tuple(f"{each.name}: {each.relationship}" for each in absent),
        news=scene.events[0] if scene.events else "",
        lines=to_spoken_lines(scene.lines),
        turns_left=scene.turns_left,
        needs=scene.needs,
        agreed=scene.agreed_with,
        may_refuse=not scene.why,
    )


STEP = Step(
    name="say",
    about="one line of a talk",
    inputs=SayInput,
    answer=Utterance,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=TalkState,
    fallback=fallback,
    standin=say,
    context=context,
    sense=CHECKS,
    tier="strong",
    temperature=0.6,
    max_tokens=260,
    case=case,
    sheds=("memories", "lines"),
    narrowing=Narrowing[SayInput, Utterance](narrow=narrow),
)
