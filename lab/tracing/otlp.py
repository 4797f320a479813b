"""Export to OpenTelemetry: a trace per thought or talk, named by the GenAI conventions.

OpenInference's span kind and session are used by Phoenix for drawing and grouping; Langfuse reads
`session.id`. All our other fields are named `smolville.<field>`.
"""

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode

from smolville.lab.safe_files import written_whole
from smolville.lab.tracing.tree import Span

OPENINFERENCE = {
    **{"thought": "AGENT", "talk": "AGENT", "prompt": "PROMPT"},
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


def write_otlp(trees: Iterable[Span], run: str, file: Path) -> int:
    """Write trees to a file, completely or not at all; return the number of spans.

    The file holds one ExportTraceServiceRequest in OTLP's binary form, which every receiver reads.
    """
    release = version("smolville")
    service = {"service.name": "smolville", "service.version": release, "smolville.run": run}
    resource = Resource(service)
    spans = [span for root in trees for span in _spans(root, root, None, resource)]
    with written_whole(file) as draft:
        draft.write_bytes(encode_spans(spans).SerializeToString())
    return len(spans)


def _spans(span: Span, root: Span, parent: Any, resource: Resource) -> Iterator[ReadableSpan]:
    """Yield a span and its descendants as spans of the SDK, parents first."""
    here, is_chat = _context(root.id, span.id), span.kind == "model"
    yield ReadableSpan(
        name=f"chat {span.metadata['model_name']}" if is_chat else span.name,
        context=here,
        parent=parent,
        kind=SpanKind.CLIENT if is_chat else SpanKind.INTERNAL,
        start_time=round(span.start * 1e9),
        end_time=round(span.end * 1e9),
        attributes=_attributes(span, root.metadata["thread"]),
        status=Status(StatusCode.ERROR, span.error) if span.error else Status(),
        resource=resource,
    )
    for child in span.children:
        yield from _spans(child, root, here, resource)


def _context(trace: str, own: str) -> SpanContext:
    """Return a span's context: the trace's id, and the last digits of the span's id.

    The first digits of our span ids are a time, and thus not distinctive.
    """
    return SpanContext(int(trace, 16), int(own[-16:], 16), is_remote=False)


def _attributes(span: Span, thread: str) -> dict[str, Any]:
    """Return a span's attributes; `thread` comes from its root's metadata."""
    kind, fields = OPENINFERENCE.get(span.kind, "CHAIN"), span.metadata
    told: dict[str, Any] = {"openinference.span.kind": kind, "session.id": thread}
    told |= {"tag.tags": list(span.tags), "gen_ai.agent.name": fields["agent"]}
    if span.kind == "recall":
        found = span.outputs["documents"]
        documents = [{**each["metadata"], "content": each["page_content"]} for each in found]
        told["gen_ai.operation.name"] = "retrieval"
        told["gen_ai.retrieval.query.text"] = span.inputs["query"]
        told["gen_ai.retrieval.documents"] = _json(documents)
    if span.kind in ("thought", "talk"):
        told["gen_ai.operation.name"] = "invoke_agent"
        told["gen_ai.conversation.id"] = thread
    if span.kind == "model":
        told |= _chat(span)
    else:
        told |= {"input.value": _json(span.inputs), "output.value": _json(span.outputs)}
    told |= {f"smolville.{name}": value for name, value in fields.items()}
    return {name: value for name, value in told.items() if value is not None}


def _chat(span: Span) -> dict[str, Any]:
    fields, reply = span.metadata, span.outputs["message"]
    thinking = [("reasoning", reply["thinking"])] if reply.get("thinking") else []
    answer = {"role": "assistant", "parts": _parts(*thinking, ("text", reply["content"]))}
    asked = [
        {"role": each["role"], "parts": _parts(("text", each["content"]))}
        for each in span.inputs["messages"]
    ]
    return {theirs: fields.get(ours) for ours, theirs in CHAT.items()} | {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.finish_reasons": [fields["finish"]],
        "gen_ai.input.messages": _json(asked),
        "gen_ai.output.messages": _json([answer | {"finish_reason": fields["finish"]}]),
    }


def _parts(*parts: tuple[str, str]) -> list[dict[str, str]]:
    return [{"type": kind, "content": text} for kind, text in parts]


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
