"""Trees for OpenTelemetry: a trace per thought or talk, named by its conventions for GenAI.

OpenInference's span kind and session are what Phoenix draws and groups by; Langfuse reads
`session.id` and `langfuse.trace.tags`. Everything else of ours is `smolville.<field>`.
"""

from base64 import b64decode
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode

from lab.tracing.span import Span
from lab.whole_file import written_whole

BINARY = ".pb"
"""How the name of a file in OTLP's binary form ends."""
IDS = ("traceId", "spanId", "parentSpanId")
SPAN_DIGITS = 16
"""Hex digits of a span's id there; a trace's has all 32."""
ROOTS = ("hour", "thought", "talk")
OPENINFERENCE = {
    **{"thought": "AGENT", "talk": "AGENT", "render": "PROMPT"},
    **{"recall": "RETRIEVER", "model": "LLM"},
}
"""What a kind of span is called there; any other is a CHAIN."""
CHAT = {
    "provider": "gen_ai.provider.name",
    "model_name": "gen_ai.request.model",
    "temperature": "gen_ai.request.temperature",
    "max_tokens": "gen_ai.request.max_tokens",
    "seed": "gen_ai.request.seed",
    "prompt_tokens": "gen_ai.usage.input_tokens",
    "completion_tokens": "gen_ai.usage.output_tokens",
    "cached_tokens": "gen_ai.usage.cache_read.input_tokens",
}
"""What a call's fields are called by the conventions. Tokens stand at the calls only: receivers add
them up."""


def write_otlp(spans: Iterable[Span], run: str, file: Path) -> int:
    """Write trees to a file, whole or not at all; return how many spans it holds.

    It holds one ExportTraceServiceRequest: JSON, or where its name ends in `.pb` the binary form.
    """
    request = export_request(spans, run)
    is_binary = file.suffix == BINARY
    told = request.SerializeToString() if is_binary else orjson.dumps(as_json(request))
    with written_whole(file) as draft:
        draft.write_bytes(told)
    return sum(len(s.spans) for each in request.resource_spans for s in each.scope_spans)


def export_request(spans: Iterable[Span], run: str) -> ExportTraceServiceRequest:
    """Return trees of a run as one request that any OTLP receiver reads."""
    release = version("smolville")
    told = {"service.name": "smolville", "service.version": release, "smolville.run": run}
    whose = {
        "resource": Resource(told),
        "instrumentation_scope": InstrumentationScope("smolville", release),
    }
    return encode_spans([each for root in spans for each in _spans(root, root, None, whose)])


def as_json(request: ExportTraceServiceRequest) -> dict[str, Any]:
    """Return a request in OTLP's JSON: protobuf's own, but ids are hex digits, enums numbers."""
    told: dict[str, Any] = MessageToDict(request, use_integers_for_enums=True)
    for resource in told.get("resourceSpans", ()):
        for span in (span for scope in resource["scopeSpans"] for span in scope["spans"]):
            for place in (span, *span.get("links", ())):
                place |= {key: b64decode(place[key]).hex() for key in IDS if key in place}
    return told


def _spans(span: Span, root: Span, parent: Any, whose: dict[str, Any]) -> Iterator[ReadableSpan]:
    """Give a span and those beneath it as the SDK's own, parents first."""
    here, cause, is_chat = _context(root.id, span.id), span.cause, span.kind == "model"
    yield ReadableSpan(
        name=f"chat {span.metadata['model_name']}" if is_chat else span.name,
        context=here,
        parent=parent,
        kind=SpanKind.CLIENT if is_chat else SpanKind.INTERNAL,
        start_time=round(span.start * 1e9),
        end_time=round(span.end * 1e9),
        attributes=_attributes(span, root.metadata["thread"]),
        links=[Link(_context(cause.root, cause.root))] if cause else (),
        status=Status(StatusCode.ERROR, span.error) if span.error else Status(),
        **whose,
    )
    for child in span.children:
        yield from _spans(child, root, here, whose)


def _context(trace: str, own: str) -> SpanContext:
    """Return a span's place: its trace's id, and the last digits of its own, without its time."""
    return SpanContext(int(trace, 16), int(own[-SPAN_DIGITS:], 16), is_remote=False)


def _attributes(span: Span, thread: str) -> dict[str, Any]:
    """Return a span's attributes; `thread` is its root's."""
    kind = OPENINFERENCE.get(span.kind, "CHAIN")
    told: dict[str, Any] = {"openinference.span.kind": kind, "session.id": thread}
    told |= {"tag.tags": list(span.tags), **_conventions(span)}
    for side, values in (("input", span.inputs), ("output", span.outputs)):
        if values and span.kind != "model":
            told |= {f"{side}.value": _json(values), f"{side}.mime_type": "application/json"}
    if span.error:
        told["error.type"] = (span.metadata.get("kinds") or [span.error.partition(":")[0]])[0]
    told |= {f"smolville.{name}": value for name, value in span.metadata.items()}
    return {name: value for name, value in told.items() if value is not None}


def _conventions(span: Span) -> dict[str, Any]:
    """Return what the GenAI conventions say of a span."""
    told = span.metadata
    if span.kind == "recall":
        found = span.outputs["documents"]
        documents = [{**each["metadata"], "content": each["page_content"]} for each in found]
        return {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.retrieval.query.text": "\n".join(span.inputs["queries"]),
            "gen_ai.retrieval.documents": _json(documents),
        }
    who = {"gen_ai.agent.name": told["agent"], "gen_ai.prompt.name": told.get("step")}
    if span.kind in ROOTS:
        who |= {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": next(_providers(span), "smolville"),
            "gen_ai.conversation.id": told["thread"],
            "langfuse.trace.tags": list(span.tags),
        }
    return who | (_chat(span) if span.kind == "model" else {})


def _chat(span: Span) -> dict[str, Any]:
    """Return what the conventions say of a call."""
    told, reply = span.metadata, span.outputs["message"]
    finish = "error" if told["finish"] == "unreadable" else told["finish"]
    said = [("reasoning", reply["thinking"])] if reply.get("thinking") else []
    output = {"role": "assistant", "parts": _parts(*said, ("text", reply["content"]))}
    asked = [
        {"role": each["role"], "parts": _parts(("text", each["content"]))}
        for each in span.inputs["messages"]
    ]
    return {theirs: told.get(ours) for ours, theirs in CHAT.items()} | {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.temperature": float(told["temperature"]),
        "gen_ai.output.type": "json",
        "gen_ai.response.finish_reasons": [finish],
        "gen_ai.usage.reasoning.output_tokens": told["thinking_tokens"] or None,
        "gen_ai.input.messages": _json(asked),
        "gen_ai.output.messages": _json([output | {"finish_reason": finish}]),
    }


def _parts(*parts: tuple[str, str]) -> list[dict[str, str]]:
    return [{"type": kind, "content": text} for kind, text in parts]


def _providers(span: Span) -> Iterator[str]:
    """Give the providers of the models that were asked beneath a span."""
    if span.kind == "model":
        yield span.metadata["provider"]
    for child in span.children:
        yield from _providers(child)


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
