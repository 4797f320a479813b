"""The nodes of the step loop: ask a model, read its reply, say what is wrong, or give up."""

import time
from typing import Any

from langchain_core.messages import BaseMessage
from langgraph.runtime import Runtime

from agents.errors import StoppedError
from graphs.loop.asked import Asking
from graphs.loop.budget import Showing
from graphs.loop.examples import examples_for
from graphs.loop.ledger import Call, CallKey, CallReading
from graphs.loop.merging import merged, missing_keys, narrowed
from graphs.loop.putting import Attempt, put
from graphs.loop.repairing import EMPTY, Wrong
from graphs.loop.rules import Tier
from graphs.thinking import Thought
from parsers.answer import Answer
from parsers.problem import Problem
from parsers.reader import Reading
from parsers.reading.turns import own_words

WARMER = 0.25
"""Added to the temperature each time the very same wrong answer comes back."""

UNREADABLE = Problem(
    "",
    "",
    "Your answer could not be read at all. Write one JSON object and nothing else.",
    "no_json",
)
"""Of a reply that its own server could not parse."""


async def ask(state: Asking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Render the prompt (the first time) and ask the model, with less where it has no room."""
    thought = runtime.context
    showing = state.showing or _all_there_is(state, thought)
    clock, render_ms, first = time.perf_counter(), state.render_ms, state.first
    if not first:
        first = await _rendered(showing)
        render_ms = _since(clock)
    sent = await put(
        Attempt(
            key=_key(state, thought),
            state=state,
            desk=thought.desk,
            agent=thought.name,
            tier=_tier(state, thought),
        ),
        showing,
        first,
    )
    return {
        "showing": sent.showing,
        "first": sent.first,
        "call": sent.call,
        "render_ms": render_ms,
    }


async def parse(state: Asking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Read the reply: an answer, or what is wrong with it."""
    thought, call, clock = runtime.context, state.call, time.perf_counter()
    assert call is not None
    if call.finish == "unreadable":
        reading: Reading[Answer] = Reading(None, problems=(UNREADABLE,))
    else:
        reading = await state.step.parser.aread(
            call.reply, narrowed(state), cut=call.finish == "length"
        )
    is_last = state.attempt >= thought.desk.rules.repairs
    answer, kept, mends = merged(state, reading, is_last=is_last)
    problems = () if answer is not None else reading.problems
    row = CallReading(
        key=call.key,
        accepted=answer is not None,
        mends=mends,
        problems=tuple(str(problem) for problem in problems),
        kinds=tuple(problem.kind for problem in problems),
        milliseconds=_since(clock),
    )
    is_blind = thought.desk.rules.history == "none"
    again = not is_blind and any(said_by(call) == wrong.said for wrong in state.wrongs)
    return {
        "answer": answer,
        "kept": () if is_blind else kept,
        "problems": row.problems,
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
    """Note what is wrong with the last reply, to say it: the reflection edge of the loop."""
    assert state.call is not None
    missing = missing_keys(state) if state.kept else []
    wrong = Wrong(
        said=said_by(state.call),
        problems=state.problems,
        cut=state.call.finish == "length",
        missing=", ".join(str(key) for key in missing) or None,
    )
    return {"wrongs": (*state.wrongs, wrong), "attempt": state.attempt + 1}


async def fall_back(state: Asking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Use the step's declared fallback, marked as such; `strict` stops the run instead."""
    thought = runtime.context
    if thought.desk.rules.strict:
        wrong = " ".join(state.problems) or "no reason known"
        calls = "1 call" if len(state.readings) == 1 else f"{len(state.readings)} calls"
        raise StoppedError(
            f"{thought.name} got no clean answer for the step `{state.step.name}` after "
            f"{calls}, and the run is strict. Last problems: {wrong} "
            "The same model would stop here again: go on with another --model"
        )
    return {"answer": state.step.fallback(state.inputs), "outcome": "fallback"}


def _since(clock: float) -> float:
    """Return the milliseconds since a reading of the performance counter."""
    return (time.perf_counter() - clock) * 1000.0


def _all_there_is(state: Asking, thought: Thought) -> Showing:
    """Return the case with nothing left out, and the examples that are most like it."""
    desk, tick = thought.desk, thought.surroundings.tick
    examples = examples_for(state.step, state.inputs, desk.rules, desk.pool, thought.name, tick)
    return Showing(
        step=state.step,
        prompt=desk.templates.at(tick).prompt(state.step),
        whole=state.inputs,
        found=state.recalled,
        all_examples=examples,
    )


async def _rendered(showing: Showing) -> list[BaseMessage]:
    """Return the prompt, as a run of its own in a trace."""
    cases = showing.cases
    if not cases:
        return await showing.prompt.ainvoke(showing.inputs)
    return await showing.prompt.ainvoke(showing.inputs, examples=cases)


def said_by(call: Call) -> str:
    """Return what the model said, as it is shown to it again.

    Never the server's own words, not what was thought aloud before, which is long, differs each
    time and is no part of the answer, and not the turns of others that it went on to invent.
    """
    if call.finish == "unreadable":
        return EMPTY
    spoken, _ = own_words(call.reply)
    return spoken.strip() or EMPTY


def _key(state: Asking, thought: Thought) -> CallKey:
    return CallKey(
        owner=thought.owner,
        tick=thought.surroundings.tick,
        step=state.step.name,
        ordinal=state.ordinal,
        attempt=state.attempt,
    )


def _first_tier(state: Asking, thought: Thought) -> Tier:
    """Return the tier that is asked first: the operator's for this step, else the step's own."""
    return thought.desk.rules.of(state.step.name).tier or state.step.tier


def _tier(state: Asking, thought: Thought) -> Tier:
    """Return whom to ask; the last repair goes to the strong tier where that is another model."""
    desk = thought.desk
    last = 0 < state.attempt == desk.rules.repairs
    return "strong" if last and desk.can_escalate else _first_tier(state, thought)


def _outcome(state: Asking, thought: Thought, mends: tuple[str, ...]) -> str:
    """Return how an accepted answer was got."""
    if state.attempt == 0:
        return "mended" if mends else "clean"
    is_other = _tier(state, thought) != _first_tier(state, thought)
    return "escalated" if is_other else "repaired"
