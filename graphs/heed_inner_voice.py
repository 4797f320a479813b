"""Take in what an inner voice says, in my own words."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from graphs.cards import Card, Who
from graphs.gather import now, who
from graphs.loop.step import Step
from graphs.thinking import Thinking, Thought
from parsers.heed_inner_voice import InnerThought


class HeedInnerVoiceInput(Card):
    """What the prompt `heed_inner_voice` shows."""

    me: Who
    now: str
    whisper: str


def fallback(inputs: HeedInnerVoiceInput) -> InnerThought:
    """Return the whisper as it came; it is kept as a voice heard, not as a thought."""
    heard = " ".join(inputs.whisper.split())[:240].strip()
    return InnerThought(thought=heard.ljust(5, "."), importance=5)


def case(inputs: HeedInnerVoiceInput) -> str:
    """Return this case as examples are told."""
    return f"The inner voice says: {inputs.whisper}"


STEP = Step(
    name="heed_inner_voice",
    inputs=HeedInnerVoiceInput,
    answer=InnerThought,
    fallback=fallback,
    temperature=0.5,
    max_tokens=160,
    case=case,
)


async def heed_inner_voice(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Ask for the agent's own words for each whisper, and remember them."""
    thought, mind = runtime.context, state.mind
    said = [each.text for each in thought.surroundings.stimuli() if each.kind == "inner_voice"]
    gathered, last = mind.gathered, ""
    for whisper in said:
        inputs = HeedInnerVoiceInput(me=who(thought, mind), now=now(thought), whisper=whisper)
        taken = await STEP.take(thought, inputs)
        answer = taken.answer
        last = answer.thought
        if taken.is_fallback:
            heard = f'{thought.name} heard an inner voice: "{whisper}"'
            thought.notes.remember("event", heard, step=STEP.name, ordinal=taken.ordinal)
            continue
        thought.notes.remember(
            "thought",
            answer.thought,
            step=STEP.name,
            ordinal=taken.ordinal,
            importance=answer.importance,
        )
        gathered += answer.importance
    action = thought.surroundings.body().action
    awake = action is not None and action.kind != "sleep"
    mind = replace(mind, gathered=gathered)
    return {"mind": mind, "disturbed": last if awake else state.disturbed}
