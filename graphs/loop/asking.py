"""The nodes of the step loop: ask a model, read its reply, say what is wrong, or give up."""

from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from agents.errors import StoppedError
from graphs.loop.asked import Asking
from graphs.loop.desk import Question
from graphs.loop.ledger import Call, CallKey, CallReading
from graphs.loop.merging import merged, missing_keys, narrowed
from graphs.loop.rules import Tier
from graphs.recall import score_row
from graphs.thinking import Thought
from parsers.answer import Answer
from parsers.reader import Reading
from prompts.repair import repair_text

WARMER = 0.25
"""Added to the temperature each time the very same wrong answer comes back."""

UNREADABLE = "Your answer could not be read at all. Write one JSON object and nothing else."


async def ask(state: Asking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Render the prompt (the first time) and ask the model."""
    thought, step = runtime.context, state.step
    first = state.first or await step.prompt.ainvoke(state.inputs)
    context = narrowed(state)
    question = Question(
        key=_key(state, thought),
        agent=thought.name,
        inputs=state.inputs.model_dump(mode="json"),
        recalled=[score_row(found) for found in state.recalled],
        template=step.prompt.version,
        messages=[*first, *state.exchange],
        schema=step.answer.call_schema(context.get("choices", {})),
        tier=_tier(state, thought),
        temperature=round(step.temperature + state.warmth, 3),
        max_tokens=step.max_tokens,
    )
    return {"first": first, "call": await thought.desk.ask(question)}


async def parse(state: Asking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Read the reply: an answer, or what is wrong with it."""
    thought, call = runtime.context, state.call
    assert call is not None
    if call.finish == "unreadable":
        reading: Reading[Answer] = Reading(None)
        problems: tuple[str, ...] = (UNREADABLE,)
    else:
        reading = await state.step.parser.aread(
            call.reply, narrowed(state), cut=call.finish == "length"
        )
        problems = tuple(str(problem) for problem in reading.problems)
    answer, kept, mends = merged(state, reading)
    row = CallReading(
        key=call.key,
        accepted=answer is not None,
        mends=mends,
        problems=() if answer is not None else problems,
    )
    again = any(_said(call) == message.content for message in state.exchange)
    return {
        "answer": answer,
        "kept": kept,
        "problems": problems,
        "readings": (*state.readings, row),
        "warmth": state.warmth + (WARMER if again else 0.0),
        "outcome": _outcome(state, thought, mends) if answer is not None else "",
    }


async def next_after(state: Asking, runtime: Runtime[Thought]) -> str:
    """Return where a reading leads: `read`, `again` or `give up`.

    Like all that decides the way of a graph it is async: LangGraph gives sync ones a thread.
    """
    if state.answer is not None:
        return "read"
    return "again" if state.attempt < runtime.context.desk.rules.repairs else "give up"


async def repair(state: Asking) -> dict[str, Any]:
    """Say what is wrong with the last reply: the reflection edge of the loop."""
    assert state.call is not None
    missing = missing_keys(state) if state.kept else []
    listed = ", ".join(str(key) for key in missing) or None
    text = repair_text(state.problems, cut=state.call.finish == "length", missing=listed)
    exchange = [AIMessage(content=_said(state.call)), HumanMessage(content=text)]
    return {"exchange": exchange, "attempt": state.attempt + 1}


async def fall_back(state: Asking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Use the step's declared fallback, marked as such; `strict` stops the run instead."""
    thought = runtime.context
    if thought.desk.rules.strict:
        wrong = " ".join(state.problems) or "no reason known"
        raise StoppedError(
            f"{thought.name} got no clean answer for the step `{state.step.name}` after "
            f"{len(state.readings)} calls, and the run is strict. Last problems: {wrong} "
            "The same model would stop here again: go on with another --model"
        )
    return {"answer": state.step.fallback(state.inputs), "outcome": "fallback"}


def _said(call: Call) -> str:
    """Return what the model said, as it is shown to it again; never the server's own words."""
    return call.reply if call.reply and call.finish != "unreadable" else "(nothing)"


def _key(state: Asking, thought: Thought) -> CallKey:
    return CallKey(
        owner=thought.owner,
        tick=thought.surroundings.tick,
        step=state.step.name,
        ordinal=state.ordinal,
        attempt=state.attempt,
    )


def _tier(state: Asking, thought: Thought) -> Tier:
    """Return the step's tier; the last repair goes to the strong one where that is another."""
    desk = thought.desk
    last = 0 < state.attempt == desk.rules.repairs
    return "strong" if last and desk.can_escalate else state.step.tier


def _outcome(state: Asking, thought: Thought, mends: tuple[str, ...]) -> str:
    """Return how an accepted answer was got."""
    if state.attempt == 0:
        return "mended" if mends else "clean"
    return "escalated" if _tier(state, thought) != state.step.tier else "repaired"
