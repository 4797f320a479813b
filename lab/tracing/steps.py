"""A step as a span: its recalls, the rendering of its prompt, and its attempts, laid end to end.

What a viewer draws are nested bars, so every span lies within its parent and after its elder
sibling. Where a time is not known a span begins when the one before it ended.
"""

from dataclasses import replace
from typing import Any

import orjson

from graphs.loop.ledger import Call, CallReading, Recall
from lab.moments.moment import moment_digits
from lab.tracing.naming import model_of
from lab.tracing.span import Place, Span, counted, share
from world.runs.thoughts import Attempt, StepView

TOLD = (
    *("template", "model", "tier", "temperature", "max_tokens", "seed", "finish"),
    *("prompt_tokens", "completion_tokens", "thinking_tokens", "cached_tokens"),
    *("prompt_ms", "reply_ms", "retries", "cuts", "slot"),
)
"""What a model's span tells of its call under the call's own names."""


def step_span(place: Place, view: StepView, after: float) -> Span:
    """Return a step as a span that begins no earlier than `after`."""
    record, calls = view.record, [each.call for each in view.attempts]
    place = replace(place, outcome=record.outcome)
    ended = record.started + record.milliseconds / 1000.0
    first = calls[0] if calls else None
    recalls: list[Span] = []
    begun = after
    for number, recall in enumerate(record.recalls):
        recalls.append(_recall(place, recall, first, number, max(begun, recall.started)))
        begun = recalls[-1].end
    render = _render(place, view, max(begun, record.started))
    attempts = _attempts(place, view, render.end, ended)
    children = (*recalls, render, *attempts)
    readings = [each.reading for each in view.attempts if each.reading is not None]
    digits = moment_digits(record.owner, record.tick, record.step, record.ordinal)
    shown = [] if first is None else [each["id"] for each in orjson.loads(first.recalled)]
    metadata = {
        "moment": f"{place.spec.name}/{digits}",
        "nodes": _nodes(view),
        "attempts": record.attempts,
        "problems": [problem for reading in readings for problem in reading.problems],
        "mends": [mend for reading in readings for mend in reading.mends],
        "memories": shown,
        **_shown(first),
        **({"model": calls[-1].model, "tier": calls[-1].tier} if calls else {}),
        **counted(each.metadata for each in attempts),
    }
    return place.span(
        "step",
        record.step,
        min(each.start for each in children),
        max(ended, *(each.end for each in children)),
        inputs={} if first is None else orjson.loads(first.inputs),
        outputs={"outcome": record.outcome, "answer": orjson.loads(record.answer)},
        metadata=metadata,
        children=children,
    )


def _nodes(view: StepView) -> list[str]:
    """Return the nodes of the step's graph in the order in which they ran."""
    asked = ["ask", "parse"] * bool(view.record.attempts)
    repairs = ["repair", "ask", "parse"] * (view.record.attempts - 1)
    gave_up = ["fall_back"] * (view.record.outcome == "fallback")
    return ["gather", *asked, *repairs, *gave_up, "apply"]


def _recall(place: Place, recall: Recall, call: Call | None, number: int, start: float) -> Span:
    """Return a recall: what was looked for, and the memories with what made them come to mind."""
    told = [] if call is None else orjson.loads(call.recalled)
    scores = {each["id"]: {name: each[name] for name in each if name != "id"} for each in told}
    documents = []
    for ident in recall.ids:
        known = dict(place.memories.get(ident, {}))
        text = known.pop("text", "")
        metadata = {"id": ident, **known, **scores.get(ident, {})}
        documents.append({"type": "Document", "page_content": text, "metadata": metadata})
    return place.span(
        "recall",
        "recall",
        start,
        start + recall.milliseconds / 1000.0,
        inputs={"queries": list(recall.queries)},
        outputs={"documents": documents},
        part=(number,),
    )


def _render(place: Place, view: StepView, start: float) -> Span:
    """Return the rendering of the first prompt."""
    call = view.attempts[0].call if view.attempts else None
    return place.span(
        "render",
        "render",
        start,
        start + view.record.render_ms / 1000.0,
        inputs={} if call is None else {"examples": orjson.loads(call.examples)},
        outputs={} if call is None else {"messages": len(orjson.loads(call.messages))},
        metadata=_shown(call),
    )


def _shown(call: Call | None) -> dict[str, Any]:
    """Return what a prompt was made of."""
    if call is None:
        return {}
    examples = len(orjson.loads(call.examples))
    return {"template": call.template, "examples": examples, "dropped": call.dropped}


def _attempts(place: Place, view: StepView, after: float, end: float) -> list[Span]:
    """Return a step's attempts, each up to the next one's question, the last up to `end`."""
    calls = [each.call for each in view.attempts]
    until = [*(call.started for call in calls[1:]), end][: len(calls)]
    spans: list[Span] = []
    before: list[dict[str, str]] | None = None
    for attempt, to in zip(view.attempts, until, strict=True):
        put = attempt.call.started
        is_here = not put or put >= view.record.started
        spans.append(_attempt(place, attempt, before, (after, to), is_here=is_here))
        after, before = spans[-1].end, orjson.loads(attempt.call.messages)
    return spans


def _attempt(
    place: Place,
    attempt: Attempt,
    before: list[dict[str, str]] | None,
    within: tuple[float, float],
    *,
    is_here: bool,
) -> Span:
    """Return an attempt: the model's call and the reading stand at its end, waiting before them.

    A call that was put before its step began was served from the journal: it took no time here.
    `before` are the messages of the attempt before it.
    """
    call, reading = attempt.call, attempt.reading
    number = call.key.attempt
    after, end = within
    source = call.source if is_here else "journal"
    start = max(after, call.started) if is_here else after
    model_s = call.milliseconds / 1000.0 if source == "model" else 0.0
    parse_s = 0.0 if reading is None else reading.milliseconds / 1000.0
    if end <= start:
        end = start + model_s + parse_s
    read_from = max(start, end - parse_s)
    asked_from = max(start, read_from - model_s)
    model = _model(place, call, (asked_from, read_from), source)
    parse = () if reading is None else (_parse(place, call, reading, (read_from, end)),)
    asked = {"attempt": number + 1, "tier": call.tier, "temperature": call.temperature}
    if before is not None:
        asked["added"] = [each for each in orjson.loads(call.messages) if each not in before]
    came = {} if reading is None else {"accepted": reading.accepted}
    wrong = {} if reading is None else {"problems": list(reading.problems)}
    waited = {"waited_ms": round((asked_from - start) * 1000.0, 3)}
    return place.span(
        "attempt",
        f"attempt {number + 1}",
        start,
        end,
        inputs=asked,
        outputs={"reply": call.reply, **came, **wrong},
        metadata={"attempt": number, **came, **wrong, **waited, **counted([model.metadata])},
        tags=(f"attempt {number + 1}",),
        part=(number,),
        children=(model, *parse),
    )


def _model(place: Place, call: Call, within: tuple[float, float], source: str) -> Span:
    """Return the call itself, with all that the model was told and held to."""
    reply = {"role": "assistant", "content": call.reply}
    provider, name = model_of(call.model)
    metadata = {
        "attempt": call.key.attempt,
        "provider": provider,
        "model_name": name,
        **{name: getattr(call, name) for name in TOLD},
        "schema": call.schema or None,
        "constrained": bool(call.schema),
        "cached_share": share(call.cached_tokens, call.prompt_tokens),
        "model_ms": round(call.milliseconds, 3),
        "lost": orjson.loads(call.lost),
        "source": source,
    }
    return place.span(
        "model",
        call.model,
        *within,
        inputs={"messages": orjson.loads(call.messages)},
        outputs={"message": reply | ({"thinking": call.thinking} if call.thinking else {})},
        metadata=metadata,
        tags=(f"attempt {call.key.attempt + 1}", call.model, call.tier),
        part=(call.key.attempt,),
    )


def _parse(place: Place, call: Call, read: CallReading, within: tuple[float, float]) -> Span:
    """Return the reading of a reply; one that gave no answer failed."""
    told = {"accepted": read.accepted, "mends": list(read.mends)}
    wrong = {"problems": list(read.problems), "kinds": list(read.kinds)}
    return place.span(
        "parse",
        "parse",
        *within,
        inputs={"reply": call.reply, "finish": call.finish},
        outputs=told,
        metadata={"attempt": call.key.attempt, **told, **wrong},
        tags=(f"attempt {call.key.attempt + 1}",),
        error="" if read.accepted else "\n".join(read.problems) or "no answer",
        part=(call.key.attempt,),
    )
