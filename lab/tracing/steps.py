"""A step as a span: its recalls, the rendering of its prompt, and its attempts, end to end.

Viewers draw nested bars, so every span lies within its parent and begins after the previous one. If
a time is unknown, a span begins when the previous one ended.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import orjson

from smolville.graphs.loop.ledger import Call, CallReading, RecallRecord
from smolville.history.thoughts import StepView
from smolville.lab.moments.moment import moment_digits
from smolville.lab.tracing.span import Span, SpanContext, model_of, odd_tags, share, sum_span_counts

TOLD = (
    *("template", "model", "tier", "temperature", "max_tokens", "seed", "finish"),
    *("prompt_tokens", "completion_tokens", "thinking_tokens", "cached_tokens"),
    *("prompt_ms", "reply_ms", "retries", "cuts", "slot"),
)
"""Fields of a call that its model span has too, under the same names."""


def step_span(place: SpanContext, view: StepView, after: float) -> Span:
    """Return a step as a span that begins no earlier than `after`."""
    record, first, ended = view.record, _first(view), _compute_end_time(view)
    last = view.attempts[-1].call if view.attempts else None
    place = replace(place, outcome=record.outcome)
    scores = {} if first is None else {each["id"]: each for each in orjson.loads(first.recalled)}
    makers = (
        *(partial(_recall, place, each, scores, n) for n, each in enumerate(record.recalls)),
        partial(_render, place, view),
        *(partial(_attempt, place, view, n) for n in range(len(view.attempts))),
    )
    parts: list[Span] = []
    for make in makers:
        parts.append(make(parts[-1].end if parts else after))
    readings = [each.reading for each in view.attempts if each.reading is not None]
    digits = moment_digits(record.owner, record.tick, record.step, record.ordinal)
    gave_up = ["fall_back"] * (record.outcome == "fallback")
    asked = ["ask", "parse", *["repair", "ask", "parse"] * (record.attempts - 1)]
    metadata = {
        "moment": f"{place.spec.name}/{digits}",
        "nodes": ["gather", *(asked if record.attempts else ()), *gave_up, "apply"],
        "attempts": record.attempts,
        "problems": [problem for reading in readings for problem in reading.problems],
        "mends": [mend for reading in readings for mend in reading.mends],
        "odd": list(record.odd),
        "odd_kinds": list(record.odd_kinds),
        "memories": list(scores),
        **_describe_prompt(first),
        **({"model": last.model, "tier": last.tier} if last else {}),
        **sum_span_counts(each.metadata for each in parts if each.kind == "attempt"),
    }
    return place.span(
        "step",
        parts[0].start,
        max(ended, parts[-1].end),
        record.step,
        inputs={} if first is None else orjson.loads(first.inputs),
        outputs={
            "outcome": record.outcome,
            "answer": orjson.loads(record.answer),
            **({"odd": list(record.odd)} if record.odd else {}),
        },
        metadata=metadata,
        tags=odd_tags(record.odd_kinds),
        children=tuple(parts),
    )


def _first(view: StepView) -> Call | None:
    return view.attempts[0].call if view.attempts else None


def _compute_end_time(view: StepView) -> float:
    return view.record.started + view.record.milliseconds / 1000.0


def _recall(
    place: SpanContext,
    recall: RecallRecord,
    scores: dict[str, dict[str, Any]],
    number: int,
    after: float,
) -> Span:
    """Return a recall's span: the query, and the memories found with their scores.

    `scores` are those of the memories shown in the prompt.
    """
    documents = []
    for ident in recall.ids:
        known = {"id": ident, **place.memories.get(ident, {}), **scores.get(ident, {})}
        text = known.pop("text", "")
        documents.append({"type": "Document", "page_content": text, "metadata": known})
    start = max(after, recall.started)
    return place.span(
        "recall",
        start,
        start + recall.milliseconds / 1000.0,
        inputs={"queries": list(recall.queries)},
        outputs={"documents": documents},
        part=number,
    )


def _render(place: SpanContext, view: StepView, after: float) -> Span:
    """Return the span for the rendering of the first prompt."""
    call, start = _first(view), max(after, view.record.started)
    return place.span(
        "render",
        start,
        start + view.record.render_ms / 1000.0,
        inputs={} if call is None else {"examples": orjson.loads(call.examples)},
        outputs={} if call is None else {"messages": len(orjson.loads(call.messages))},
        metadata=_describe_prompt(call),
    )


def _describe_prompt(call: Call | None) -> dict[str, Any]:
    """Return the facts about a prompt: template, number of examples, and dropped entries."""
    if call is None:
        return {}
    examples = len(orjson.loads(call.examples))
    return {"template": call.template, "examples": examples, "dropped": call.dropped}


def _attempt(place: SpanContext, view: StepView, n: int, after: float) -> Span:
    """Return the span of the n-th attempt: waiting, then the model call, then the parse.

    An attempt lasts until the next attempt's call, and the last attempt until the step's end. A
    call made before its step began was replayed from the journal and took no time here.
    """
    call, reading = view.attempts[n].call, view.attempts[n].reading
    later = view.attempts[n + 1 :]
    end = later[0].call.started if later else _compute_end_time(view)
    is_here = not call.started or call.started >= view.record.started
    source = call.source if is_here else "journal"
    start = max(after, call.started) if is_here else after
    model_s = call.milliseconds / 1000.0 if source == "model" else 0.0
    parse_s = reading.milliseconds / 1000.0 if reading else 0.0
    if end <= start:
        end = start + model_s + parse_s
    read_from = max(start, end - parse_s)
    asked_from = max(start, read_from - model_s)
    model = _model(place, call, (asked_from, read_from), source)
    parse = (_parse(place, call, reading, (read_from, end)),) if reading else ()
    asked = {"attempt": call.key.attempt + 1, "tier": call.tier, "temperature": call.temperature}
    if n:
        before = orjson.loads(view.attempts[n - 1].call.messages)
        asked["added"] = [each for each in orjson.loads(call.messages) if each not in before]
    came = {"accepted": reading.accepted, "problems": list(reading.problems)} if reading else {}
    waited = {"waited_ms": round((asked_from - start) * 1000.0, 3)}
    return place.span(
        "attempt",
        start,
        end,
        f"attempt {call.key.attempt + 1}",
        inputs=asked,
        outputs={"reply": call.reply, **came},
        metadata={
            "attempt": call.key.attempt,
            **came,
            **waited,
            **sum_span_counts([model.metadata]),
        },
        children=(model, *parse),
    )


def _model(place: SpanContext, call: Call, within: tuple[float, float], source: str) -> Span:
    """Return the span of the model call, with the messages and all parameters."""
    reply = {"role": "assistant", "content": call.reply}
    provider, name = model_of(call.model)
    metadata = {
        "attempt": call.key.attempt,
        "provider": provider,
        "model_name": name,
        **{name: getattr(call, name) for name in TOLD},
        "server": call.server or None,
        "schema": call.schema or None,
        "constrained": bool(call.schema),
        "cached_share": share(call.cached_tokens, call.prompt_tokens),
        "model_ms": round(call.milliseconds, 3),
        "lost": orjson.loads(call.lost),
        "source": source,
    }
    return place.span(
        "model",
        *within,
        call.model,
        inputs={"messages": orjson.loads(call.messages)},
        outputs={"message": reply | ({"thinking": call.thinking} if call.thinking else {})},
        metadata=metadata,
        tags=(call.model, call.tier),
    )


def _parse(place: SpanContext, call: Call, read: CallReading, within: tuple[float, float]) -> Span:
    """Return the span of parsing a reply; it is marked as failed when there was no answer."""
    reading = {"accepted": read.accepted, "mends": list(read.mends)}
    wrong = {"problems": list(read.problems), "kinds": list(read.kinds)}
    return place.span(
        "parse",
        *within,
        inputs={"reply": call.reply, "finish": call.finish},
        outputs=reading,
        metadata={"attempt": call.key.attempt, **reading, **wrong},
        error="" if read.accepted else "\n".join(read.problems) or "no answer",
    )
