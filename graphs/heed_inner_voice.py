"""Turn an inner voice's whispers into the agent's own thoughts: what does not say "I" is asked."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.memory import BY_RULE, is_from_before, is_own_thought
from smolville.graphs.context import MindContext, Thinker, now, who
from smolville.graphs.loop.step import Changes, Step, StepInputs, StepResult
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import DAYS, ENGLISH, CheckContext, SenseCheck
from smolville.graphs.standin.memory import heed_inner_voice
from smolville.graphs.state import MindState
from smolville.graphs.surroundings import Senses
from smolville.parsers.heed_inner_voice import HeedInnerVoiceInput, InnerThought
from smolville.parsers.problem import Problem, field_problem


def whispers(me: Thinker) -> tuple[str, ...]:
    """Return the whispers of inner voices at this tick."""
    return tuple(each.text for each in me.surroundings.stimuli if each.kind == "inner_voice")


def whispers_in_doubt(me: Thinker) -> tuple[str, ...]:
    """Return the whispers that a model must turn into thoughts of the agent's own."""
    return tuple(each for each in whispers(me) if not is_own_thought(each))


def is_awake(around: Senses) -> bool:
    """Return True unless the agent sleeps; a whisper interrupts only an agent that is awake."""
    action = around.body.action
    return action is not None and action.kind != "sleep"


async def hear_whispers(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Remember each whisper that is in the agent's own words.

    The thought's importance is rated later, like that of events.
    """
    me = runtime.context.of(state.agent)
    draft, unrated, disturbed = state.draft, list(state.mind.unrated), state.disturbed
    for ordinal, whisper in enumerate(whispers(me)):
        if not is_own_thought(whisper):
            continue
        thought = " ".join(whisper.split()).rstrip(" ;,")
        thought += "" if thought.endswith((".", "!")) else "."
        draft, made = draft.with_memory(me, "thought", thought, step=BY_RULE, ordinal=ordinal)
        if made:
            unrated.append(made.id)
        if is_awake(me.surroundings):
            disturbed = thought
    mind = replace(state.mind, unrated=tuple(unrated))
    return {"mind": mind, "draft": draft, "disturbed": disturbed, "path": [*state.path, BY_RULE]}


def fallback(inputs: HeedInnerVoiceInput) -> InnerThought:
    """Return the whisper unchanged, to be remembered as a voice heard, not as a thought."""
    heard = " ".join(inputs.whisper.split())[:240].strip()
    return InnerThought(thought=heard.ljust(5, "."), importance=5)


async def gather(state: MindState, context: MindContext) -> StepInputs[HeedInnerVoiceInput]:
    """Return the next whisper that needs a model and was not heeded yet."""
    me = context.of(state.agent)
    whisper = whispers_in_doubt(me)[state.draft.ordinal("heed_inner_voice")]
    inputs = HeedInnerVoiceInput(me=who(me, state.mind), now=now(me), whisper=whisper)
    return StepInputs(inputs=inputs)


def apply(
    state: MindState, context: MindContext, result: StepResult[HeedInnerVoiceInput, InnerThought]
) -> Changes:
    """Remember the whisper in the agent's own words; it interrupts an agent that is awake.

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
    draft, made = state.draft.with_memory(
        me,
        "thought",
        answer.thought,
        step=STEP.name,
        ordinal=result.ordinal,
        importance=answer.importance,
    )
    is_new = made is not None and not is_from_before(made)
    mind = replace(state.mind, gathered=state.mind.gathered + (answer.importance if is_new else 0))
    return {"draft": draft, "mind": mind, "disturbed": disturbed}


def sample(scene: Scene) -> HeedInnerVoiceInput:
    """Return sample inputs for the prompt, made from a scene."""
    return HeedInnerVoiceInput(me=scene.me, now=scene.now, whisper=scene.whisper)


_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'll|i'd|me|my|mine|myself|we|us|our|ours)\b", re.I)
_WORDS = re.compile(r"[^\W\d_]+|\d+")


def not_my_own(
    answer: InnerThought, inputs: HeedInnerVoiceInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield a thought that addresses its thinker."""
    if _FIRST_PERSON.search(answer.thought.replace("’", "'")) is None:
        rest = f'. You are {inputs.me.first_name}: write "I", "me" or "my".'
        yield field_problem("thought", answer.thought, rest, "voice")


def lost_facts(
    answer: InnerThought, inputs: HeedInnerVoiceInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield a thought that loses a number or day of the whisper; an hour may be respelled."""
    kept = {_plain(word) for word in _WORDS.findall(answer.thought.casefold())}
    for word in _WORDS.findall(inputs.whisper.casefold()):
        is_fact = word in DAYS or (word.isdigit() and int(word) > 0)
        if is_fact and _plain(word) not in kept:
            rest = f", which leaves out {word!r}. Keep everything the voice says."
            yield field_problem("thought", answer.thought, rest, "fact")
            return


def _plain(word: str) -> str:
    return str(int(word) % 12) if word.isdigit() else word


HEED = (
    SenseCheck(look=not_my_own, action="ask", languages=ENGLISH),
    SenseCheck(look=lost_facts, action="ask", languages=ENGLISH),
)


STEP = Step(
    name="heed_inner_voice",
    about="a whisper in one's own words",
    inputs=HeedInnerVoiceInput,
    answer=InnerThought,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=heed_inner_voice,
    temperature=0.5,
    max_tokens=160,
    sense=HEED,
)
