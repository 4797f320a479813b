"""Lossless conversion of a moment to plain data and back, for files and datasets."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from graphs.loop.ledger import StepRecord
from history.thoughts import RecordedAttempt
from lab.moments.moment import Moment
from prompts.folder import Texts

Plain = dict[str, Any]


def plain(moment: Moment) -> Plain:
    """Return a moment as JSON-compatible data, without its templates.

    The identifying fields come first, for people and `jq`; they are recomputed when the moment is
    read.
    """
    return {
        "id": moment.id,
        "step": moment.step,
        "agent": moment.agent,
        "time": moment.time,
        "outcome": moment.outcome,
        "run": moment.run,
        "seed": moment.seed,
        "at": moment.at,
        "record": asdict(moment.record),
        "attempts": [asdict(attempt) for attempt in moment.attempts],
        "memories": dict(moment.memories),
    }


def read_plain(told: Mapping[str, Any], templates: Texts) -> Moment:
    """Return the moment from data made by `plain`; ValueError or KeyError when it is damaged."""
    attempts = _attempts().validate_python(told["attempts"])
    if not attempts:
        raise ValueError("a moment has at least one call")
    return Moment(
        run=_text().validate_python(told["run"]),
        seed=_number().validate_python(told["seed"]),
        at=_number().validate_python(told["at"]),
        record=_record().validate_python(told["record"]),
        attempts=attempts,
        memories=_texts().validate_python(told["memories"]),
        templates=templates,
    )


@cache
def _attempts() -> TypeAdapter[tuple[RecordedAttempt, ...]]:
    return TypeAdapter(tuple[RecordedAttempt, ...])


@cache
def _record() -> TypeAdapter[StepRecord]:
    return TypeAdapter(StepRecord)


@cache
def _texts() -> TypeAdapter[dict[str, str]]:
    return TypeAdapter(dict[str, str])


@cache
def _text() -> TypeAdapter[str]:
    return TypeAdapter(str)


@cache
def _number() -> TypeAdapter[int]:
    return TypeAdapter(int)
