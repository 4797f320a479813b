"""Turn an inner voice's whispers into the agent's own thoughts by rule, without a model call."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from agents.memory import BY_RULE
from graphs.context import MindContext, Thinker
from graphs.first_person import in_first_person
from graphs.state import MindSeen
from graphs.surroundings import Surroundings


def whispers(me: Thinker) -> tuple[str, ...]:
    """Return the inner voices' whispers at this moment."""
    return tuple(each.text for each in me.surroundings.stimuli() if each.kind == "inner_voice")


def whispers_in_doubt(me: Thinker) -> tuple[str, ...]:
    """Return the whispers that need a model, since no rule is certain about them."""
    return tuple(each for each in whispers(me) if in_first_person(each, me.name) is None)


def is_awake(around: Surroundings) -> bool:
    """Return True unless the agent sleeps: a whisper disturbs the current hour only if awake."""
    action = around.body().action
    return action is not None and action.kind != "sleep"


async def hear_whispers(state: MindSeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Remember each whisper that the rule turns into a thought, changing only its "you" to "I".

    The thought waits for its importance rating as events do.
    """
    me = runtime.context.of(state.agent)
    draft, unrated, disturbed = state.draft, list(state.mind.unrated), state.disturbed
    for ordinal, whisper in enumerate(whispers(me)):
        thought = in_first_person(whisper, me.name)
        if thought is None:
            continue
        draft, made = draft.with_memory(me, "thought", thought, step=BY_RULE, ordinal=ordinal)
        if made:
            unrated.append(made.id)
        if is_awake(me.surroundings):
            disturbed = thought
    mind = replace(state.mind, unrated=tuple(unrated))
    return {"mind": mind, "draft": draft, "disturbed": disturbed, "path": [BY_RULE]}
