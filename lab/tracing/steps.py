"""A step as a span: its recalls, the rendering of its prompt, and its attempts, laid end to end.

What a viewer draws are nested bars, so every span lies within its parent and after its elder
sibling. Where a time is not known a span begins when the one before it ended.
"""

from typing import Any

import orjson

from graphs.loop.ledger import Call, Recall, StepRecord
from lab.moments.moment import moment_digits
from lab.tracing.attempts import attempt_spans
from lab.tracing.metadata import counted
from lab.tracing.place import Place
from lab.tracing.span import Span
from world.runs.thoughts import StepView


def step_span(place: Place, view: StepView, after: float) -> Span:
    """Return a step as a span that begins no earlier than `after`."""
    record = view.record
    recalls = _recalls(place, view, after)
    begun = max([after, record.started, *(each.end for each in recalls)])
    render = _render(place, view, begun)
    attempts = attempt_spans(place, view, render.end, _end(record))
    children = (*recalls, render, *attempts)
    metadata = _step_metadata(place, view)
    return place.span(
        "step",
        record.step,
        min(each.start for each in children),
        max(_end(record), *(each.end for each in children)),
        inputs={"memories": len(metadata["memories"]), "examples": metadata.get("examples", 0)},
        outputs={"outcome": record.outcome, "answer": orjson.loads(record.answer)},
        metadata=metadata | counted(each.metadata for each in attempts),
        tags=(record.step, record.outcome),
        children=children,
    )


def _recalls(place: Place, view: StepView, after: float) -> list[Span]:
    """Return the recalls made for a step."""
    spans: list[Span] = []
    scores = _scores(view.attempts[0].call if view.attempts else None)
    for number, recall in enumerate(view.record.recalls):
        start = max(after, recall.started)
        spans.append(_recall(place, recall, scores, number, start))
        after = spans[-1].end
    return spans


def _recall(
    place: Place, recall: Recall, scores: dict[str, float], number: int, start: float
) -> Span:
    known = [scores[each] for each in recall.ids if each in scores]
    metadata = {
        "memories": list(recall.ids),
        "scores": known if len(known) == len(recall.ids) else None,
    }
    return place.span(
        "recall",
        "recall",
        start,
        start + recall.milliseconds / 1000.0,
        inputs={"queries": list(recall.queries)},
        outputs={"memories": len(recall.ids)},
        metadata=metadata,
        part=(number,),
    )


def _render(place: Place, view: StepView, start: float) -> Span:
    """Return the rendering of the first prompt."""
    call = view.attempts[0].call if view.attempts else None
    shown = {} if call is None else _shown(call)
    return place.span(
        "render",
        "render",
        start,
        start + view.record.render_ms / 1000.0,
        inputs={"memories": len(_memories(call)), "examples": shown.get("examples", 0)},
        outputs={} if call is None else {"messages": len(orjson.loads(call.messages))},
        metadata=shown,
    )


def _step_metadata(place: Place, view: StepView) -> dict[str, Any]:
    """Return what a step's span says beside what it counts."""
    record, calls = view.record, [each.call for each in view.attempts]
    readings = [each.reading for each in view.attempts if each.reading is not None]
    digits = moment_digits(record.owner, record.tick, record.step, record.ordinal)
    last = {} if not calls else {"model": calls[-1].model, "tier": calls[-1].tier}
    return {
        "moment": f"{place.spec.name}/{digits}",
        "outcome": record.outcome,
        "attempts": record.attempts,
        "problems": [problem for reading in readings for problem in reading.problems],
        "mends": [mend for reading in readings for mend in reading.mends],
        "memories": _memories(calls[0] if calls else None),
        **({} if not calls else _shown(calls[0])),
        **last,
    }


def _shown(call: Call) -> dict[str, Any]:
    """Return what a prompt was made of."""
    return {
        "template": call.template,
        "examples": len(orjson.loads(call.examples)),
        "dropped": call.dropped,
    }


def _memories(call: Call | None) -> list[str]:
    """Return the ids of the memories that came with a call."""
    return list(_scores(call))


def _scores(call: Call | None) -> dict[str, float]:
    """Return those memories with their scores."""
    told = [] if call is None else orjson.loads(call.recalled)
    return {each["id"]: each["score"] for each in told}


def _end(record: StepRecord) -> float:
    """Return when a step had its answer, by the wall clock."""
    return record.started + record.milliseconds / 1000.0
