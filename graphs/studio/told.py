"""The output of Studio's graphs: answers, how each step ended, and every attempt with its texts."""

from collections.abc import Sequence
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict

from graphs.loop.ledger import Call, CallReading, FinishedStep, StepOutcome, StepRecord
from graphs.studio.opening import Opened


class StudioRecord(BaseModel):
    """Something told: plain values only, since the platform keeps them as it likes."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class MessageRecord(StudioRecord):
    """One message of a prompt."""

    role: str
    text: str


class AttemptTold(StudioRecord):
    """One question put to the model, and what came of it."""

    messages: tuple[MessageRecord, ...]
    """Exactly as the model was asked."""
    reply: str
    """Exactly as the model answered."""
    accepted: bool
    mends: tuple[str, ...]
    """What was put right in code."""
    problems: tuple[str, ...]
    """What was wrong with it, as the model is told."""
    prompt_tokens: int | None
    completion_tokens: int | None
    milliseconds: float


class StepTold(StudioRecord):
    """How one step of a thought or talk ended."""

    step: str
    agent: str
    outcome: StepOutcome
    attempts: int
    answer: dict[str, Any]
    problems: tuple[str, ...]
    """Of the last reply, when it ended in a fallback."""


class WhoAnswered(StudioRecord):
    """What every graph tells beside its own: which model answered."""

    answered_by: str
    """The model, and why it was that one."""


def steps_told(finished: Sequence[FinishedStep]) -> tuple[StepTold, ...]:
    """Return how steps ended, in order."""
    return tuple(_step(each.record) for each in finished)


def _step(record: StepRecord) -> StepTold:
    """Return how one step ended."""
    return StepTold(
        step=record.step,
        agent=record.agent,
        outcome=record.outcome,
        attempts=record.attempts,
        answer=orjson.loads(record.answer),
        problems=record.problems,
    )


def attempts_told(opened: Opened, finished: Sequence[FinishedStep]) -> tuple[AttemptTold, ...]:
    """Return every attempt of these steps, in order."""
    calls = opened.journal.calls
    return tuple(_attempt(calls[row.key], row) for each in finished for row in each.readings)


def _attempt(call: Call, reading: CallReading) -> AttemptTold:
    """Return one attempt."""
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
