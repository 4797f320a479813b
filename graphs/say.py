"""Say the next line of a talk, or end it."""

import math
import re
from collections.abc import Iterator
from typing import Any

from smolville.agents.action import TalkLine
from smolville.graphs.appointments import agreed_with
from smolville.graphs.context import MindContext, now, number_memories, who
from smolville.graphs.loop.step import Changes, Step, StepInputs, StepResult
from smolville.graphs.meeting import ends_in_goodbye
from smolville.graphs.needs import format_needs
from smolville.graphs.recall import recall
from smolville.graphs.scenes import Scene, planned_at, to_spoken_lines
from smolville.graphs.sense import (
    ENGLISH,
    CheckContext,
    SenseCheck,
    share_copied,
    share_in,
    words_of,
)
from smolville.graphs.standin.talk import say
from smolville.graphs.state import TalkState
from smolville.graphs.talk_memories import (
    OF_LINE,
    SHOWN,
    bonds,
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
from smolville.parsers.problem import Problem, field_problem
from smolville.parsers.prompt_inputs import SpokenLine
from smolville.parsers.reading.sentences import SAYS
from smolville.parsers.say import SERVICE, SayInput, TalkMemory, Utterance

CHARACTERS_A_MINUTE = 240
"""Characters that people say per minute (the original's constant)."""


def context(inputs: SayInput) -> dict[str, Any]:
    """Return the speaker's name, which is removed from the beginning of a line, and the lines."""
    return {"name": inputs.me.name, "said": [line.text for line in inputs.lines]}


def fallback(inputs: SayInput) -> Utterance:
    """Return a short line that ends the talk, so that nobody waits for an answer."""
    return Utterance(text="I have to go on now. See you.", ends=True)


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


SAID_AGAIN = 0.85
"""Minimum share of a line's words in an earlier line for it to count as repeated."""
PATCHED, READ_OUT = 0.4, 0.85
"""Minimum shares of a line's words in runs copied from the talk, and from the whole case, for it to
count as copied."""
LEAST = 7
"""Minimum words of a line that is checked, since greetings and goodbyes may be repeated."""


def by_another(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text with somebody's turn in it (`Ada: Hello.`, `"...," said Ada`).

    `Ada: you hold the ladder` is no turn: a capital follows what somebody says.
    """
    names = [inputs.me.name, inputs.me.first_name]
    for name in inputs.others:
        names += [name, name.split()[0]]
    listed = "|".join(re.escape(name) for name in dict.fromkeys(names))
    spoken = r"[\"'“‘]?[A-Z0-9]"
    told = rf"[^.!?\"“]{{0,40}}\s{SAYS}\s*[:,]?\s*[\"'“‘]"
    label = rf"(?:^|[\n.!?\"”])\s*(?:{listed})(?:\s*:\s*{spoken}|{told})"
    tail = rf"[\"”],?\s*(?:{SAYS}\s+(?:{listed})|(?:{listed})\s+{SAYS})\b"
    if re.search(rf"{label}|{tail}", answer.text):
        rest = ", in which somebody's turn is written out. Write only the words that you say now."
        yield field_problem("text", answer.text, rest, "speaker")


def said_again(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that somebody has said in this talk before."""
    own = words_of(answer.text)
    for line in reversed(inputs.lines) if len(own) >= LEAST else ():
        if len(said := words_of(line.text)) < LEAST or share_in(own, said) < SAID_AGAIN:
            continue
        who = "you" if line.speaker == inputs.me.name else line.speaker
        rest = f", which {who} said before in TALK. Say something new, or say goodbye."
        yield field_problem("text", answer.text, rest, "repeat")
        return


def pieced_together(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text of which much is copied from earlier lines of the talk."""
    said = words_of(answer.text)
    lines = [words_of(line.text) for line in inputs.lines]
    if len(said) > LEAST and share_copied(said, lines) >= PATCHED:
        rest = ", which is mostly copied from TALK. Answer in your own words, or say goodbye."
        yield field_problem("text", answer.text, rest, "repeat")


def read_out(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that is read out from what the speaker knows, word for word."""
    said = words_of(answer.text)
    if len(said) > LEAST and share_copied(said, [words_of(shown.given)]) >= READ_OUT:
        rest = ", which is copied from the question. Say it as one says it to a neighbour."
        yield field_problem("text", answer.text, rest, "copied")


def like_a_service(answer: Utterance, inputs: SayInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that sounds like a helpful program."""
    if (found := SERVICE.search(answer.text)) is not None:
        rest = f". {found.group()!r} is what a call centre says. Speak as a neighbour."
        yield field_problem("text", answer.text, rest, "voice")


CHECKS: tuple[SenseCheck[SayInput, Utterance], ...] = (
    SenseCheck(look=by_another, action="refuse"),
    SenseCheck(look=said_again, action="refuse"),
    SenseCheck(look=pieced_together, action="ask"),
    SenseCheck(look=read_out, action="ask"),
    SenseCheck(look=like_a_service, action="ask", languages=ENGLISH),
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
    sheds=("memories", "lines"),
)
