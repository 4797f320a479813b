"""How steps ended, as LangSmith's feedback: scores to chart, filter and compare."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid5

from lab.tracing.langsmith.runs import Run
from lab.tracing.span import Kind

MARKED: tuple[Kind, ...] = ("hour", "thought", "talk", "step")
"""The spans that are marked: steps and roots, where anything was asked."""
KEYS = ("clean", "answered", "outcome")
GIVEN_UP = ("fallback", "failed")


def marks_of(run: Run) -> Iterator[dict[str, Any]]:
    """Give a run's feedback as `Client.create_feedback` takes it.

    `clean` is 1 when the first answers were accepted as they were, `answered` is 0 when a step was
    given up (a fallback) or the thought failed, and `outcome` has the word.
    """
    outcome = run.span.metadata.get("outcome")
    if run.span.kind not in MARKED or not outcome:
        return
    told = {
        "clean": {"score": int(outcome == "clean")},
        "answered": {"score": int(outcome not in GIVEN_UP)},
        "outcome": {"value": outcome},
    }
    for key in KEYS:
        yield {
            "key": key,
            "run_id": run.id,
            "trace_id": run.trace,
            "feedback_id": _id(run.id, key),
            "start_time": run.begun,
            **told[key],
        }


def _id(run: UUID, key: str) -> UUID:
    """Return a feedback's id, always the same."""
    return uuid5(run, key)
