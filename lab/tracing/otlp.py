"""Trees as OpenTelemetry JSON: one ExportTraceServiceRequest, a trace per thought or talk.

As OTLP's JSON has it: ids are hex digits, times are texts of unix nanoseconds, 64-bit integers are
texts. A talk or thought is a trace of its own, its id the root's.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from lab.tracing.attributes import attributes_of, otel_name
from lab.tracing.span import Span
from lab.whole_file import written_whole

INTERNAL, CLIENT = 1, 3
"""Span kinds."""
UNSET, ERROR = 0, 2
"""Status codes."""
BINARY = ".pb"
"""How the name of a file in OTLP's binary form ends."""
IDS = {"traceId", "spanId", "parentSpanId"}
SPAN_DIGITS = 16
"""Hex digits of a span's id there; a trace's has all 32."""


def export_request(spans: Iterable[Span], run: str) -> dict[str, Any]:
    """Return trees of a run as one request that any OTLP receiver reads."""
    from importlib.metadata import version

    release = version("smolville")
    resource = {"service.name": "smolville", "service.version": release, "smolville.run": run}
    told = [each for root in spans for each in _spans(root)]
    scope = {"name": "smolville", "version": release}
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes(resource)},
                "scopeSpans": [{"scope": scope, "spans": told}],
            }
        ]
    }


def as_protobuf(request: dict[str, Any]) -> bytes:
    """Return a request in OTLP's binary form, for receivers that read nothing else."""
    from google.protobuf.json_format import ParseDict  # type: ignore[import-untyped]
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    (resource,) = request["resourceSpans"]
    (scope,) = resource["scopeSpans"]
    spans = [
        each | {key: _bytes(each[key]) for key in IDS & each.keys()} for each in scope["spans"]
    ]
    told = {"resourceSpans": [resource | {"scopeSpans": [scope | {"spans": spans}]}]}
    return bytes(ParseDict(told, ExportTraceServiceRequest()).SerializeToString())


def write_otlp(spans: Iterable[Span], run: str, file: Path) -> int:
    """Write trees to a file, whole or not at all; return how many spans it holds.

    A file whose name ends in `.pb` holds them in OTLP's binary form.
    """
    request = export_request(spans, run)
    told = as_protobuf(request) if file.suffix == BINARY else orjson.dumps(request)
    with written_whole(file) as draft:
        draft.write_bytes(told)
    return len(request["resourceSpans"][0]["scopeSpans"][0]["spans"])


def _spans(root: Span) -> Iterator[dict[str, Any]]:
    """Give a tree's spans, parents first."""
    thread = root.metadata["thread"]
    waiting: list[tuple[Span, str]] = [(root, "")]
    while waiting:
        span, parent = waiting.pop()
        yield _span(span, root.id, parent, thread)
        waiting += [(child, span.id[:SPAN_DIGITS]) for child in reversed(span.children)]


def _span(span: Span, trace: str, parent: str, thread: str) -> dict[str, Any]:
    status = {"code": ERROR, "message": span.error} if span.error else {"code": UNSET}
    told = {
        "traceId": trace,
        "spanId": span.id[:SPAN_DIGITS],
        "name": otel_name(span),
        "kind": CLIENT if span.kind == "model" else INTERNAL,
        "startTimeUnixNano": _nanos(span.start),
        "endTimeUnixNano": _nanos(span.end),
        "attributes": _attributes(attributes_of(span, thread)),
        "status": status,
    }
    return told | ({"parentSpanId": parent} if parent else {})


def _bytes(digits: str) -> str:
    """Return hex digits as protobuf's own JSON writes bytes."""
    return b64encode(bytes.fromhex(digits)).decode()


def _nanos(seconds: float) -> str:
    return str(round(seconds * 1e9))


def _attributes(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in told.items()]


def _value(value: Any) -> dict[str, Any]:
    """Return a plain value as OTLP's AnyValue."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(each) for each in value]}}
    return {"stringValue": str(value)}
