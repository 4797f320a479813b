"""Export to OpenTelemetry: a trace per thought or talk, named by the GenAI conventions.

OpenInference's span kind and session are used by Phoenix for drawing and grouping; Langfuse reads
`session.id` and `langfuse.trace.tags`. All our other fields are named `smolville.<field>`.
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

from smolville.lab.safe_files import written_whole
from smolville.lab.tracing.span import Span

BINARY = ".pb"
"""File ending that selects OTLP's binary form."""
IDS = ("traceId", "spanId", "parentSpanId")
SPAN_DIGITS = 16
"""Number of hex digits in an OTLP span id; a trace id has all 32."""
ROOTS = ("hour", "thought", "talk")
OPENINFERENCE = {
    **{"thought": "AGENT", "talk": "AGENT", "render": "PROMPT"},
    **{"recall": "RETRIEVER", "model": "LLM"},
}
"""OpenInference's span kind for each of our kinds; kinds that are not listed are CHAIN."""
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
"""Names of a call's fields in the conventions. Tokens are set on calls only, because receivers add
them up."""


def write_otlp(spans: Iterable[Span], run: str, file: Path) -> int:
    """Write trees to a file, completely or not at all; return the number of spans.

    The file holds one ExportTraceServiceRequest as JSON, or in binary form when its name ends in
    `.pb`.
    """
    request = export_request(spans, run)
    is_binary = file.suffix == BINARY
    content = request.SerializeToString() if is_binary else orjson.dumps(as_json(request))
    with written_whole(file) as draft:
        draft.write_bytes(content)
    return sum(len(s.spans) for each in request.resource_spans for s in each.scope_spans)


def export_request(spans: Iterable[Span], run: str) -> ExportTraceServiceRequest:
    """Return a run's trees as one request that any OTLP receiver can read."""
    release = version("smolville")
    attributes = {"service.name": "smolville", "service.version": release, "smolville.run": run}
    whose = {
        "resource": Resource(attributes),
        "instrumentation_scope": InstrumentationScope("smolville", release),
    }
    return encode_spans([each for root in spans for each in _spans(root, root, None, whose)])


def as_json(request: ExportTraceServiceRequest) -> dict[str, Any]:
    """Return a request as OTLP JSON: protobuf's JSON, but with hex ids and numeric enums."""
    data: dict[str, Any] = MessageToDict(request, use_integers_for_enums=True)
    for resource in data.get("resourceSpans", ()):
        for span in (span for scope in resource["scopeSpans"] for span in scope["spans"]):
            for place in (span, *span.get("links", ())):
                place |= {key: b64decode(place[key]).hex() for key in IDS if key in place}
    return data


def _spans(span: Span, root: Span, parent: Any, whose: dict[str, Any]) -> Iterator[ReadableSpan]:
    """Yield a span and its descendants as spans of the SDK, parents first."""
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
    """Return a span's context: the trace's id, and the last digits of the span's id.

    The first digits of our span ids are a time, and thus not distinctive.
    """
    return SpanContext(int(trace, 16), int(own[-SPAN_DIGITS:], 16), is_remote=False)


def _attributes(span: Span, thread: str) -> dict[str, Any]:
    """Return a span's attributes; `thread` comes from its root's metadata."""
    kind = OPENINFERENCE.get(span.kind, "CHAIN")
    attributes: dict[str, Any] = {"openinference.span.kind": kind, "session.id": thread}
    attributes |= {"tag.tags": list(span.tags), **_conventions(span)}
    for side, values in (("input", span.inputs), ("output", span.outputs)):
        if values and span.kind != "model":
            attributes |= {f"{side}.value": _json(values), f"{side}.mime_type": "application/json"}
    if span.error:
        attributes["error.type"] = (span.metadata.get("kinds") or [span.error.partition(":")[0]])[0]
    attributes |= {f"smolville.{name}": value for name, value in span.metadata.items()}
    return {name: value for name, value in attributes.items() if value is not None}


def _conventions(span: Span) -> dict[str, Any]:
    """Return a span's attributes by the GenAI conventions."""
    fields = span.metadata
    if span.kind == "recall":
        found = span.outputs["documents"]
        documents = [{**each["metadata"], "content": each["page_content"]} for each in found]
        return {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.retrieval.query.text": "\n".join(span.inputs["queries"]),
            "gen_ai.retrieval.documents": _json(documents),
        }
    who = {"gen_ai.agent.name": fields["agent"], "gen_ai.prompt.name": fields.get("step")}
    if span.kind in ROOTS:
        who |= {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": next(_providers(span), "smolville"),
            "gen_ai.conversation.id": fields["thread"],
            "langfuse.trace.tags": list(span.tags),
        }
    return who | (_chat(span) if span.kind == "model" else {})


def _chat(span: Span) -> dict[str, Any]:
    """Return the attributes of a model call by the conventions."""
    fields, reply = span.metadata, span.outputs["message"]
    finish = "error" if fields["finish"] == "unreadable" else fields["finish"]
    thinking = [("reasoning", reply["thinking"])] if reply.get("thinking") else []
    output = {"role": "assistant", "parts": _parts(*thinking, ("text", reply["content"]))}
    asked = [
        {"role": each["role"], "parts": _parts(("text", each["content"]))}
        for each in span.inputs["messages"]
    ]
    return {theirs: fields.get(ours) for ours, theirs in CHAT.items()} | {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.temperature": float(fields["temperature"]),
        "gen_ai.output.type": "json",
        "gen_ai.response.finish_reasons": [finish],
        "gen_ai.usage.reasoning.output_tokens": fields["thinking_tokens"] or None,
        "gen_ai.input.messages": _json(asked),
        "gen_ai.output.messages": _json([output | {"finish_reason": finish}]),
    }


def _parts(*parts: tuple[str, str]) -> list[dict[str, str]]:
    return [{"type": kind, "content": text} for kind, text in parts]


def _providers(span: Span) -> Iterator[str]:
    """Yield the providers of the models asked in a span's descendants."""
    if span.kind == "model":
        yield span.metadata["provider"]
    for child in span.children:
        yield from _providers(child)


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
