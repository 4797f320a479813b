"""The nodes of the step loop: ask a model, read its reply, say what is wrong, or give up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel, ValidationError

from agents.errors import StoppedError
from agents.recall import Recollection
from graphs.cards import Card
from graphs.desk import Question, Tier
from graphs.ledger import Call, CallKey, CallReading
from graphs.thinking import Thought
from parsers.answer import Answer
from parsers.reader import AnswerParser, Reading
from prompts.repair import repair_text

WARMER = 0.25
"""Added to the temperature each time the very same wrong answer comes back."""

UNREADABLE = "Your answer could not be read at all. Write one JSON object and nothing else."


class Declared(Protocol):
    """What the loop needs of a step (`graphs.step.Step`)."""

    @property
    def name(self) -> str:
        """The step's name."""
        ...

    @property
    def prompt(self) -> Any:
        """A runnable from the inputs to messages, with a `version`."""
        ...

    @property
    def parser(self) -> AnswerParser[Any]:
        """What reads the answer."""
        ...

    @property
    def answer(self) -> type[Answer]:
        """The answer's type."""
        ...

    @property
    def fallback(self) -> Callable[[Any], Answer]:
        """What is answered when nobody does."""
        ...

    @property
    def context(self) -> Callable[[Any], dict[str, Any]]:
        """What the validators know of a call."""
        ...

    @property
    def choices(self) -> Callable[[Any], Mapping[str, Sequence[str | int]]]:
        """Field path to the values allowed in a call."""
        ...

    @property
    def tier(self) -> Tier:
        """Which model is asked first."""
        ...

    @property
    def temperature(self) -> float:
        """Of the first attempt."""
        ...

    @property
    def max_tokens(self) -> int:
        """The reply's allowance."""
        ...


@dataclass(kw_only=True)
class Asking:
    """The loop's state: one use of one step."""

    step: Declared
    inputs: Card
    ordinal: int
    recalled: tuple[Recollection, ...] = ()
    first: list[BaseMessage] = field(default_factory=list)
    """The rendered prompt."""
    exchange: list[BaseMessage] = field(default_factory=list)
    """The last reply and what is wrong with it, behind the prompt."""
    attempt: int = 0
    warmth: float = 0.0
    call: Call | None = None
    kept: tuple[BaseModel, ...] = ()
    """Items of a list answer that are right already."""
    problems: tuple[str, ...] = ()
    readings: tuple[CallReading, ...] = ()
    answer: Answer | None = None
    outcome: str = ""


async def ask(state: Asking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Render the prompt (the first time) and ask the model."""
    thought, step = runtime.context, state.step
    first = state.first or await step.prompt.ainvoke(state.inputs)
    narrowed = _narrowed(state)
    question = Question(
        key=_key(state, thought),
        agent=thought.name,
        inputs=state.inputs.model_dump(mode="json"),
        recalled=[_score_row(found) for found in state.recalled],
        template=step.prompt.version,
        messages=[*first, *state.exchange],
        schema=step.answer.call_schema(narrowed.get("choices", {})),
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
        reading = state.step.parser.read(call.reply, _narrowed(state), cut=call.finish == "length")
        problems = tuple(str(problem) for problem in reading.problems)
    answer, kept, mends = _merged(state, reading)
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
    return "again" if state.attempt < runtime.context.desk.repairs else "give up"


async def repair(state: Asking) -> dict[str, Any]:
    """Say what is wrong with the last reply: the reflection edge of the loop."""
    assert state.call is not None
    missing = _missing(state) if state.kept else []
    listed = ", ".join(str(key) for key in missing) or None
    text = repair_text(state.problems, cut=state.call.finish == "length", missing=listed)
    exchange = [AIMessage(content=_said(state.call)), HumanMessage(content=text)]
    return {"exchange": exchange, "attempt": state.attempt + 1}


async def fall_back(state: Asking, runtime: Runtime[Thought]) -> dict[str, Any]:
    """Use the step's declared fallback, marked as such; `strict` stops the run instead."""
    thought = runtime.context
    if thought.desk.strict:
        wrong = " ".join(state.problems) or "no reason known"
        raise StoppedError(
            f"{thought.name} got no clean answer for the step `{state.step.name}` after "
            f"{len(state.readings)} calls, and the run is strict. Last problems: {wrong}"
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
    last = 0 < state.attempt == desk.repairs
    return "strong" if last and desk.can_escalate else state.step.tier


def _outcome(state: Asking, thought: Thought, mends: tuple[str, ...]) -> str:
    """Return how an accepted answer was got."""
    if state.attempt == 0:
        return "mended" if mends else "clean"
    return "escalated" if _tier(state, thought) != state.step.tier else "repaired"


def _full_context(state: Asking) -> dict[str, Any]:
    """Return what the step's validators know of this call."""
    step = state.step
    return {**step.context(state.inputs), "choices": dict(step.choices(state.inputs))}


def _missing(state: Asking) -> list[int]:
    """Return the keys of a list answer for which no item is right yet."""
    answer = state.step.answer
    if answer.keys_name is None or answer.key_field is None:
        return []
    done = {getattr(item, answer.key_field) for item in state.kept}
    asked = _full_context(state).get(answer.keys_name, ())
    return [key for key in asked if key not in done]


def _narrowed(state: Asking) -> dict[str, Any]:
    """Return the call's context, held to the items still missing."""
    context = _full_context(state)
    answer = state.step.answer
    if state.kept and answer.keys_name is not None:
        missing = _missing(state)
        context[answer.keys_name] = missing
        context["choices"][f"{answer.items_field}[].{answer.key_field}"] = missing
    return context


def _merged(
    state: Asking, reading: Reading[Any]
) -> tuple[Answer | None, tuple[BaseModel, ...], tuple[str, ...]]:
    """Return the answer, the items kept so far, and the mends.

    Items of a list that were right before are put together with the ones that came now. A list
    whose items have no keys is taken without the ones that are wrong, or asked again as a whole.
    """
    kind = state.step.answer
    if kind.items_field is None:
        return reading.value, (), reading.mends
    now = getattr(reading.value, kind.items_field) if reading.value is not None else reading.kept
    kept = (*state.kept, *now)
    if reading.value is not None and not state.kept:
        return reading.value, kept, reading.mends
    if not kept:
        return None, (), reading.mends
    notes = () if reading.value is not None else ("took only the items that are right",)
    whole = {kind.items_field: [item.model_dump() for item in kept]}
    try:
        answer = kind.model_validate(whole, context=_full_context(state))
    except ValidationError:
        return None, kept if kind.keys_name is not None else (), reading.mends
    return answer, kept, (*reading.mends, *notes)


def _score_row(found: Recollection) -> dict[str, Any]:
    """Return a recollection as the call record keeps it."""
    return {
        "id": found.memory.id,
        "score": found.score,
        "recency": round(found.recency, 5),
        "importance": round(found.importance, 5),
        "relevance": round(found.relevance, 5),
    }
