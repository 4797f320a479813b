"""Turn an inner voice's whisper into the agent's own words, if no rule is certain about it."""

from dataclasses import replace

from graphs.context import MindContext, now, who
from graphs.hear_whispers import is_awake, whispers_in_doubt
from graphs.loop.step import Changes, Step, StepInputs, StepResult
from graphs.prompt_inputs import PersonaInput, PromptInput
from graphs.scenes import Scene
from graphs.sense.thinking import HEED
from graphs.standin.voice import heed_inner_voice
from graphs.state import MindSeen
from parsers.heed_inner_voice import InnerThought


class HeedInnerVoiceInput(PromptInput):
    """What the prompt `heed_inner_voice` shows."""

    me: PersonaInput
    now: str
    whisper: str


def fallback(inputs: HeedInnerVoiceInput) -> InnerThought:
    """Return the whisper unchanged; it is remembered as a voice heard, not as a thought."""
    heard = " ".join(inputs.whisper.split())[:240].strip()
    return InnerThought(thought=heard.ljust(5, "."), importance=5)


def case(inputs: HeedInnerVoiceInput) -> str:
    """Return the case as one short text, the form in which examples are compared and shown."""
    return f"The inner voice says: {inputs.whisper}"


async def gather(state: MindSeen, context: MindContext) -> StepInputs[HeedInnerVoiceInput]:
    """Return the next whisper without a certain rule that was not heeded yet."""
    me = context.of(state.agent)
    whisper = whispers_in_doubt(me)[state.draft.ordinal("heed_inner_voice")]
    inputs = HeedInnerVoiceInput(me=who(me, state.mind), now=now(me), whisper=whisper)
    return StepInputs(inputs=inputs)


def apply(
    state: MindSeen, context: MindContext, result: StepResult[HeedInnerVoiceInput, InnerThought]
) -> Changes:
    """Remember the whisper in the agent's own words; an awake agent is disturbed by it.

    After a fallback it is remembered as a voice that was heard, not as a thought.
    """
    me, answer = context.of(state.agent), result.answer
    disturbed = answer.thought if is_awake(me.surroundings) else state.disturbed
    if result.is_fallback:
        heard = f'{me.name} heard an inner voice: "{result.inputs.whisper}"'
        draft, _ = state.draft.with_memory(
            me, "event", heard, step=STEP.name, ordinal=result.ordinal
        )
        return {"draft": draft, "disturbed": disturbed}
    draft, _ = state.draft.with_memory(
        me,
        "thought",
        answer.thought,
        step=STEP.name,
        ordinal=result.ordinal,
        importance=answer.importance,
    )
    mind = replace(state.mind, gathered=state.mind.gathered + answer.importance)
    return {"draft": draft, "mind": mind, "disturbed": disturbed}


def sample(scene: Scene) -> HeedInnerVoiceInput:
    """Return believable inputs, made from a scene."""
    return HeedInnerVoiceInput(me=scene.me, now=scene.now, whisper=scene.whisper)


STEP = Step(
    name="heed_inner_voice",
    about="a whisper in one's own words",
    inputs=HeedInnerVoiceInput,
    answer=InnerThought,
    gather=gather,
    apply=apply,
    sample=sample,
    seen=MindSeen,
    fallback=fallback,
    standin=heed_inner_voice,
    temperature=0.5,
    max_tokens=160,
    sense=HEED,
    case=case,
)
