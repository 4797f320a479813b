"""An attempt as a span: the model's call, and the reading of its reply."""

import orjson

from graphs.loop.ledger import Call, CallReading
from lab.tracing.metadata import counted, share
from lab.tracing.place import Place
from lab.tracing.span import Span
from world.runs.thoughts import Attempt, StepView


def attempt_spans(place: Place, view: StepView, after: float, end: float) -> list[Span]:
    """Return a step's attempts, each up to the next one's question, the last up to `end`."""
    calls = [each.call for each in view.attempts]
    until = [*(call.started for call in calls[1:]), end][: len(calls)]
    spans: list[Span] = []
    for attempt, to in zip(view.attempts, until, strict=True):
        put = attempt.call.started
        is_here = not put or put >= view.record.started
        spans.append(_attempt(place, attempt, after, to, is_here=is_here))
        after = spans[-1].end
    return spans


def _attempt(place: Place, attempt: Attempt, after: float, end: float, *, is_here: bool) -> Span:
    """Return an attempt: the model's call and the reading stand at its end, waiting before them.

    A call that was put before its step began was served from the journal: it took no time here.
    """
    call, reading = attempt.call, attempt.reading
    source = call.source if is_here else "journal"
    start = max(after, call.started) if is_here else after
    model_s = call.milliseconds / 1000.0 if source == "model" else 0.0
    parse_s = 0.0 if reading is None else reading.milliseconds / 1000.0
    if end <= start:
        end = start + model_s + parse_s
    read_from = max(start, end - parse_s)
    asked_from = max(start, read_from - model_s)
    model = _model(place, call, asked_from, read_from, source)
    children = (
        (model,) if reading is None else (model, _parse(place, call, reading, read_from, end))
    )
    metadata = {
        "attempt": call.key.attempt,
        "accepted": None if reading is None else reading.accepted,
        "problems": None if reading is None else list(reading.problems),
        "waited_ms": round((asked_from - start) * 1000.0, 3),
    }
    return place.span(
        "attempt",
        f"attempt {call.key.attempt + 1}",
        start,
        end,
        outputs={} if reading is None else {"accepted": reading.accepted},
        metadata=metadata | counted([model.metadata]),
        part=(call.key.attempt,),
        children=children,
    )


def _model(place: Place, call: Call, start: float, end: float, source: str) -> Span:
    """Return the call itself: the only span that has whole texts."""
    reply = {"role": "assistant", "content": call.reply}
    if call.thinking:
        reply["thinking"] = call.thinking
    metadata = {
        "attempt": call.key.attempt,
        "template": call.template,
        "model": call.model,
        "tier": call.tier,
        "temperature": call.temperature,
        "max_tokens": call.max_tokens,
        "seed": call.seed,
        "constrained": bool(call.schema),
        "finish": call.finish,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "thinking_tokens": call.thinking_tokens,
        "cached_tokens": call.cached_tokens,
        "cached_share": share(call.cached_tokens, call.prompt_tokens),
        "model_ms": round(call.milliseconds, 3),
        "prompt_ms": call.prompt_ms,
        "reply_ms": call.reply_ms,
        "retries": call.retries,
        "cuts": call.cuts,
        "lost": orjson.loads(call.lost),
        "slot": call.slot,
        "source": source,
    }
    return place.span(
        "model",
        call.model,
        start,
        end,
        inputs={"messages": orjson.loads(call.messages)},
        outputs={"message": reply},
        metadata=metadata,
        tags=(call.model, call.tier),
        part=(call.key.attempt,),
    )


def _parse(place: Place, call: Call, reading: CallReading, start: float, end: float) -> Span:
    """Return the reading of a reply; one that gave no answer failed."""
    return place.span(
        "parse",
        "parse",
        start,
        end,
        inputs={"letters": len(call.reply), "finish": call.finish},
        outputs={"accepted": reading.accepted, "mends": list(reading.mends)},
        metadata={
            "attempt": call.key.attempt,
            "accepted": reading.accepted,
            "mends": list(reading.mends),
            "problems": list(reading.problems),
            "kinds": list(reading.kinds),
        },
        error="" if reading.accepted else "\n".join(reading.problems) or "no answer",
        part=(call.key.attempt,),
    )
