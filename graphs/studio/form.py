"""The forms that a person fills in, and the records that Studio's graphs return."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from smolville.agents.errors import SmolvilleError
from smolville.graphs.loop.ledger import (
    Call,
    CallReading,
    FinishedStep,
    MemoryJournal,
    StepOutcome,
    StepRecord,
)
from smolville.graphs.scenes import Scene
from smolville.parsers.prompt_inputs import PromptInput

MOST_SAID = 3
"""Maximum number of invalid fields that an error names."""
IN_WORDS = {"string_pattern_mismatch": "write a first and a last name, without a slash"}
"""Clearer words for a message of pydantic; only one field of the forms has a pattern."""


class FormError(SmolvilleError, ValueError):
    """The fault of a submitted form, in one sentence.

    LangGraph's server hides the messages of all errors except Python's own, so this is a ValueError
    too.
    """

    exit_code = 2


class Form(BaseModel):
    """The fields common to all graphs' forms; each has a working default."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    model: str = ""
    """The model that answers: `standin`, `ollama:qwen2.5:3b`, `llamacpp:http://127.0.0.1:8080` and
    the like. If it is empty, SMOLVILLE_MODEL is used, or else a model found on this machine, or
    else the stand-in."""
    prompts: str = ""
    """A folder of templates, or the name of a shipped one, whose files replace the shipped
    templates of the same names. It is read again each time. Empty for the shipped templates
    alone."""
    seed: int = Field(0, ge=0)
    """Seed of random choices. The same seed gives the same choices; another seed asks the model
    anew."""


class FormMemory(PromptInput):
    """A memory as filled into a form."""

    text: str
    """A plain sentence, with names instead of pronouns."""
    hours_ago: float = Field(1.0, ge=0)
    """Age of the memory in hours; newer ones are recalled more easily."""
    importance: int = Field(3, ge=1, le=10)
    """How important the memory is: from 1, an everyday matter, to 10."""


def memories_of(scene: Scene, hours_ago: tuple[float, ...]) -> tuple[FormMemory, ...]:
    """Return a scene's memories, each with its age in hours."""
    return tuple(
        FormMemory(text=text, hours_ago=hours, importance=5)
        for (_, text), hours in zip(scene.memories, hours_ago, strict=True)
    )


F = TypeVar("F", bound=BaseModel)


def read_form(form: type[F], given: Mapping[str, Any]) -> F:
    """Return a form with the given values, defaults for the rest. Raises FormError if invalid."""
    try:
        return form.model_validate(
            {name: given[name] for name in form.model_fields if name in given}
        )
    except ValidationError as error:
        raise FormError(in_words(error)) from None


def in_words(error: ValidationError) -> str:
    """Return the reason why a form is refused, in a sentence that names the fields."""
    found = error.errors(include_url=False)
    told = [
        f"`{'.'.join(str(part) for part in each['loc'])}`: "
        f"got {_short(each['input'])}; "
        f"{IN_WORDS.get(each['type'], _lower_first_letter(each['msg']))}"
        for each in found[:MOST_SAID]
    ]
    more = f"; and {len(found) - MOST_SAID} more" if len(found) > MOST_SAID else ""
    return f"The input cannot be used. {'; '.join(told)}{more}."


def _lower_first_letter(text: str) -> str:
    """Return a sentence in the form needed at the end of another one."""
    return text[:1].lower() + text[1:].rstrip(".")


def _short(value: Any) -> str:
    """Return a value, shortened to fit into a sentence."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class StudioRecord(BaseModel):
    """A record shown in Studio, with plain values that any platform can store."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class MessageRecord(StudioRecord):
    """One message of a prompt."""

    role: str
    text: str


class AttemptTold(StudioRecord):
    """One attempt: the question to the model, its answer, and what was wrong with the answer."""

    messages: tuple[MessageRecord, ...]
    """The messages, exactly as the model got them."""
    reply: str
    """The reply, exactly as the model wrote it."""
    accepted: bool
    mends: tuple[str, ...]
    """Corrections that code made."""
    problems: tuple[str, ...]
    """What was wrong with the answer, in the sentences that the model is told."""
    prompt_tokens: int | None
    completion_tokens: int | None
    milliseconds: float


class StepTold(StudioRecord):
    """The way in which one step of a thought or talk ended."""

    step: str
    agent: str
    outcome: StepOutcome
    attempts: int
    answer: dict[str, Any]
    problems: tuple[str, ...]
    """The problems of the last reply if the step ended in a fallback; else empty."""


class WhoAnswered(StudioRecord):
    """The field that the results of every graph have: which model answered."""

    answered_by: str
    """The model that answered, and why it was chosen."""


def describe_steps(finished: Sequence[FinishedStep]) -> tuple[StepTold, ...]:
    """Return the records of how steps ended, in order."""
    return tuple(_step(each.record) for each in finished)


def _step(record: StepRecord) -> StepTold:
    """Return the record of how one step ended."""
    return StepTold(
        step=record.step,
        agent=record.agent,
        outcome=record.outcome,
        attempts=record.attempts,
        answer=orjson.loads(record.answer),
        problems=record.problems,
    )


def describe_attempts(
    journal: MemoryJournal, finished: Sequence[FinishedStep]
) -> tuple[AttemptTold, ...]:
    """Return the records of all attempts of these steps, in order."""
    calls = journal.calls
    return tuple(_attempt(calls[row.key], row) for each in finished for row in each.readings)


def _attempt(call: Call, reading: CallReading) -> AttemptTold:
    """Return the record of one attempt."""
    return AttemptTold(
        messages=tuple(
            MessageRecord(role=each["role"], text=each["content"])
            for each in orjson.loads(call.messages)
        ),
        reply=call.reply,
        accepted=reading.accepted,
        mends=reading.mends,
        problems=reading.problems,
        prompt_tokens=call.prompt_tokens,
        completion_tokens=call.completion_tokens,
        milliseconds=round(call.milliseconds, 1),
    )
