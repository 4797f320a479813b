"""Compares a step's accepted answer with what the stand-in meant by its first answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphs.loop.step import AnyStep
from history.thoughts import StepView


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The verdict on one step."""

    step: str
    mistake: str
    """The mistake in the first answer; empty if there was none."""
    attempts: int
    is_at_once: bool
    """True if the first answer was accepted."""
    is_fallback: bool
    is_wrong: bool
    """True if the accepted answer is not the one that was meant."""
    is_shared_anew: bool
    """True if only the minutes of parts differ from what was meant, because their sum was wrong."""
    told: str = ""
    """What was meant and what was accepted, if they differ."""


def judge(
    view: StepView,
    meant: Mapping[tuple[str, int], Mapping[str, Any]],
    steps: Mapping[str, AnyStep],
) -> Verdict:
    """Return the verdict on one step of a run."""
    record, first = view.record, view.attempts[0].call
    beside = meant[record.step, first.seed]
    step = steps[record.step]
    inputs = step.inputs.model_validate_json(first.inputs)
    context = {**step.context(inputs), "choices": dict(step.choices(inputs))}
    intended = step.parser.read(beside["intended"], context).value
    accepted = json.loads(record.answer)
    wanted = None if intended is None else json.loads(intended.model_dump_json())
    is_fallback = record.outcome == "fallback"
    differs = not is_fallback and accepted != wanted
    is_shared = differs and wanted is not None and _timeless(accepted) == _timeless(wanted)
    return Verdict(
        step=record.step,
        mistake=str(beside["mistake"]),
        attempts=record.attempts,
        is_at_once=record.attempts == 1 and not is_fallback,
        is_fallback=is_fallback,
        is_wrong=differs and not is_shared,
        is_shared_anew=is_shared,
        told=f"meant {wanted}, accepted {accepted}" if differs else "",
    )


def _timeless(answer: Mapping[str, Any]) -> Any:
    """Return an answer without the minutes of its parts, but with their sum."""
    parts = answer.get("subtasks")
    if not parts:
        return answer
    names = [{name: value for name, value in part.items() if name != "minutes"} for part in parts]
    return {**answer, "subtasks": names, "sum": sum(part["minutes"] for part in parts)}
