"""Say the next line of a talk, or end it."""

import json
import math
from typing import Any, Literal, Self

from pydantic import Field

from agents.action import TalkLine
from graphs.appointments import agreed_with
from graphs.bonds import bonds, shared_topics
from graphs.context import MindContext, now, number_memories, who
from graphs.guests import ACCEPTANCES, asks_who_comes
from graphs.loop.narrowing import Narrowing
from graphs.loop.step import Changes, Step, StepInputs, StepResult
from graphs.meeting import ends_in_goodbye, is_stranger
from graphs.needs import format_needs
from graphs.prompt_inputs import PersonaInput, PromptInput, SpokenLine
from graphs.recall import recall
from graphs.scenes import Scene, to_spoken_lines
from graphs.sense.talking import CHECKS
from graphs.standin.talk import say
from graphs.state import TalkSeen
from graphs.talk_memories import (
    TalkMemory,
    find_news,
    may_end,
    says_nothing_new,
    with_theirs,
    without_told,
)
from parsers.say import Utterance
from prompts.contract import ChatTurn

MEMORIES, MORE, OF_GUESTS = 5, 3, 8
"""Number of memories recalled for the speaker's first line, for a later line, and for the answer to
who comes to an event."""
CHARACTERS_A_MINUTE = 240
"""Characters that people say per minute (the original's constant)."""


class SayInput(PromptInput):
    """The inputs that the prompt `say` shows."""

    me: PersonaInput
    """The speaker."""
    now: str
    place: str
    others: tuple[str, ...]
    """The people to whom I speak."""
    doing: str
    """What I was doing, and what they were doing."""
    relationship: str
    """What we are to each other, what I feel, and what we talked about lately."""
    reason: str
    """Why I began the talk; empty if somebody else began it."""
    memories: tuple[TalkMemory, ...]
    """Memories about these people and about what was said."""
    news: str = ""
    """The best memory that is news to them and was not told yet; empty if there is none."""
    lines: tuple[SpokenLine, ...]
    """The lines so far; empty if I speak first."""
    turns_left: int
    """Number of lines that may still be said, including this one."""
    needs: str = Field(default="", exclude_if=lambda needs: not needs)
    """The needs that I feel, one sentence each; if there are none, empty and not recorded."""
    agreed: tuple[str, ...] = Field((), exclude_if=lambda agreed: not agreed)
    """What I have agreed with them in earlier talks, one line each; if nothing, empty and not
    recorded."""
    only: Literal["", "hello", "goodbye"] = Field(default="", exclude_if=lambda only: not only)
    """The only kind of line asked for in the narrower question; for any kind, empty and not
    recorded."""

    def turns(self) -> tuple[ChatTurn, ...]:
        """Return all lines but the last as chat turns; the agent's own are answers of the model.

        Empty if only one kind of line is asked for.
        """
        if self.only:
            return ()
        return tuple(
            ChatTurn(line, _as_answered(line.text) if line.speaker == self.me.name else "")
            for line in self.lines[:-1]
        )

    def opening(self) -> Self | None:
        """Return the inputs of the agent's opening line; None if somebody else began the talk."""
        is_own = bool(self.lines) and self.lines[0].speaker == self.me.name and not self.only
        return self.model_copy(update={"lines": ()}) if is_own else None


def _as_answered(text: str) -> str:
    """Return an earlier line as the JSON answer that it came from."""
    return json.dumps({"text": text, "ends": False}, ensure_ascii=False)


def context(inputs: SayInput) -> dict[str, Any]:
    """Return names, lines, whether the talk is between strangers, and whether to say goodbye.

    The speaker's name is needed in order to remove it from the beginning of the line.
    """
    return {
        "name": inputs.me.name,
        "others": list(inputs.others),
        "are_strangers": is_stranger(inputs.relationship),
        "said": [line.text for line in inputs.lines],
        "ends": inputs.only == "goodbye",
    }


def fallback(inputs: SayInput) -> Utterance:
    """Return a short line that ends the talk, so that nobody waits for an answer."""
    return Utterance(text="I have to go on now. See you.", ends=True)


def narrow(inputs: SayInput, part: Utterance | None) -> SayInput:
    """Return the inputs for a greeting or, if somebody has spoken, for a goodbye."""
    only = "goodbye" if inputs.lines else "hello"
    return inputs.model_copy(update={"only": only, "memories": (), "news": "", "reason": ""})


def case(inputs: SayInput) -> str:
    """Return the inputs as one short text: examples are compared by it, and shown in this form."""
    known = " / ".join(memory.text for memory in inputs.memories[:2]) or "nothing new"
    said = " / ".join(f"{line.speaker}: {line.text}" for line in inputs.lines[-3:])
    return (
        f"With {' and '.join(inputs.others)}. Between you: {inputs.relationship}\n"
        f"YOU REMEMBER: {known}\nTALK: {said or 'nobody has spoken yet'}"
    )


async def gather(state: TalkSeen, context: MindContext) -> StepInputs[SayInput]:
    """Return the lines so far, and the speaker's memories of the topic and of the others."""
    me, meeting = context.of(state.agent), state.meeting
    mind, names = me.mind, meeting.others(me.name)
    assert mind is not None
    said = [line.text for line in state.lines[-2:]]
    shared = shared_topics(mind, names)
    has_spoken = any(line.speaker == me.name for line in state.lines)
    most = MORE if has_spoken else MEMORIES
    if said and asks_who_comes(said[-1]):
        said, most = [*said, *ACCEPTANCES], max(most, OF_GUESTS)
    found = await recall(me, [*names, *shared, *said], most, names)
    about = {name: guest.about for name, guest in meeting.guests.items()}
    relationship = bonds(me, mind, names, about)
    found = without_told(found, f"{relationship} {mind.currently}")
    memories = with_theirs(number_memories(me, found.found), names)
    inputs = SayInput(
        me=who(me, mind),
        now=now(me),
        place=meeting.place,
        others=names,
        doing=" ".join(f"{name} was {meeting.doing[name]}." for name in (me.name, *names)),
        relationship=relationship,
        reason=meeting.reason if me.name == meeting.speakers[0] else "",
        memories=memories,
        news=find_news(me.name, found, memories, said=[line.text for line in state.lines]),
        lines=tuple(SpokenLine(speaker=line.speaker, text=line.text) for line in state.lines),
        turns_left=meeting.most_lines - len(state.lines),
        needs=format_needs(me, mind),
        agreed=agreed_with(me, mind, names),
    )
    return StepInputs(inputs=inputs, recall=found)


def apply(
    state: TalkSeen, context: MindContext, result: StepResult[SayInput, Utterance]
) -> Changes:
    """Add the line to the talk, and pass the turn to the next speaker."""
    at = context.of(state.agent).surroundings.at
    text, is_fallback = result.answer.text, result.is_fallback
    is_over = result.answer.ends or ends_in_goodbye(text) or says_nothing_new(state, text)
    ends = may_end(state, text) and is_over
    return add_line(state, at, text, ends=ends or is_fallback, is_fallback=is_fallback)


def add_line(
    state: TalkSeen, at: int, text: str, *, ends: bool, is_fallback: bool = False
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
    memories = with_theirs(scene.recalled(), scene.others)
    return SayInput(
        me=scene.me,
        now=scene.now,
        place=scene.place,
        others=scene.others,
        doing=f"{scene.me.first_name} was {scene.doing}.",
        relationship=scene.relationship,
        reason=scene.why,
        memories=memories,
        news=next((each.text for each in memories if not each.is_theirs), ""),
        lines=to_spoken_lines(scene.lines),
        turns_left=scene.turns_left,
        needs=scene.needs,
        agreed=scene.agreed_with,
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
    temperature=0.6,
    max_tokens=260,
    case=case,
    sheds=("memories", "lines"),
    narrowing=Narrowing[SayInput, Utterance](narrow=narrow),
)
