"""Trees as OpenTelemetry: read by its own types, named by its own conventions."""

import json
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as OtelSpan
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes, session_attributes

from smolville.lab.tracing.otlp import write_otlp
from smolville.lab.tracing.tree import Span

OPENINFERENCE = {"openinference.span.kind", "tag.tags", "input.value", "output.value"}


def known(module: Any) -> set[str]:
    """The attribute names of a module of conventions."""
    return {value for value in vars(module).values() if isinstance(value, str) and "." in value}


def value_of(told: Any) -> Any:
    """A typed attribute as a plain value."""
    kind = told.WhichOneof("value")
    value = getattr(told, kind)
    return [value_of(each) for each in value.values] if kind == "array_value" else value


def attributes(span: Any) -> dict[str, Any]:
    """A span's attributes."""
    return {each.key: value_of(each.value) for each in span.attributes}


@pytest.fixture(scope="session")
def spans(trees: list[Span], tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Every span as OpenTelemetry reads it from the file."""
    file = tmp_path_factory.mktemp("otlp") / "clumsy.pb"
    count = write_otlp(trees, "clumsy", file)
    request = ExportTraceServiceRequest.FromString(file.read_bytes())
    found = [span for each in request.resource_spans for s in each.scope_spans for span in s.spans]
    assert len(found) == count == sum(len(list(tree.walk())) for tree in trees)
    assert [each.name for each in Path(file.parent).iterdir()] == [file.name]
    return found


def test_parents_are_told_before_their_children_and_hold_them(spans: list[Any]) -> None:
    told: dict[bytes, Any] = {}
    for span in spans:
        assert span.span_id not in told
        told[span.span_id] = span
        if span.parent_span_id:
            parent = told[span.parent_span_id]
            assert parent.trace_id == span.trace_id
            assert parent.start_time_unix_nano <= span.start_time_unix_nano
            assert span.end_time_unix_nano <= parent.end_time_unix_nano


def test_attributes_are_called_as_the_conventions_call_them(spans: list[Any]) -> None:
    names = {name for span in spans for name in attributes(span)}
    own = {name for name in names if name.startswith("smolville.")}
    assert names - own <= known(gen_ai_attributes) | known(session_attributes) | OPENINFERENCE
    operations = {attributes(span).get("gen_ai.operation.name") for span in spans} - {None}
    assert operations == {"invoke_agent", "retrieval", "chat"}
    roots = [attributes(span) for span in spans if not span.parent_span_id]
    assert "clumsy/Ada Brook" in {told["gen_ai.conversation.id"] for told in roots}


def test_a_models_span_is_a_chat_and_errors_are_errors(spans: list[Any], trees: list[Span]) -> None:
    own = {each.id[-16:]: each for tree in trees for each in tree.walk()}
    for span in spans:
        told, source = attributes(span), own[span.span_id.hex()]
        assert span.status.message == source.error
        if span.kind == OtelSpan.SpanKind.SPAN_KIND_CLIENT:
            assert span.name == f"chat {told['gen_ai.request.model']}"
            assert told["gen_ai.usage.input_tokens"] == source.metadata["prompt_tokens"]
            asked = json.loads(told["gen_ai.input.messages"])
            assert [each["parts"][0]["content"] for each in asked] == [
                each["content"] for each in source.inputs["messages"]
            ]
    counted = sum(attributes(span).get("gen_ai.usage.input_tokens", 0) for span in spans)
    assert counted == sum(each.metadata.get("prompt_tokens", 0) for each in trees)
