"""Trees as OpenTelemetry JSON: read by OpenTelemetry's own types, named by its own conventions."""

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as OtelSpan
from opentelemetry.proto.trace.v1.trace_pb2 import Status
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes, session_attributes
from opentelemetry.semconv.attributes import error_attributes, service_attributes

from smolville.lab.tracing.otlp import export_request, write_otlp
from smolville.lab.tracing.span import Span, model_of
from tests.lab.tracing.conftest import everything

OPENINFERENCE = {
    *("openinference.span.kind", "tag.tags", "input.value", "input.mime_type"),
    *("output.value", "output.mime_type"),
}
LANGFUSE = {"langfuse.trace.tags"}
DEPRECATED = {
    *(gen_ai_attributes.GEN_AI_SYSTEM, gen_ai_attributes.GEN_AI_PROMPT),
    *(gen_ai_attributes.GEN_AI_COMPLETION, gen_ai_attributes.GEN_AI_USAGE_PROMPT_TOKENS),
    gen_ai_attributes.GEN_AI_USAGE_COMPLETION_TOKENS,
}
"""Names of conventions that gave way to others."""


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
def spans(trees: list[Span]) -> list[Any]:
    """Every span as OpenTelemetry reads it."""
    request = export_request(trees, "clumsy")
    return list(request.resource_spans[0].scope_spans[0].spans)


def test_the_json_is_as_otlp_has_it(trees: list[Span], tmp_path: Path) -> None:
    file = tmp_path / "clumsy.json"
    count = write_otlp(trees, "clumsy", file)
    told = file.read_text()
    (resource,) = json.loads(told)["resourceSpans"]
    (scope,) = resource["scopeSpans"]
    assert len(scope["spans"]) == count == sum(len(list(everything(tree))) for tree in trees)
    for span in scope["spans"]:
        assert (len(span["traceId"]), len(span["spanId"])) == (32, 16)
        bytes.fromhex(span["traceId"] + span["spanId"] + span.get("parentSpanId", ""))
        assert span["startTimeUnixNano"].isdigit()
    # Protobuf's own JSON differs from OTLP's in the ids only, which it takes for base64.
    read = Parse(told, ExportTraceServiceRequest())
    assert len(read.resource_spans[0].scope_spans[0].spans) == count
    names = {each.key for each in read.resource_spans[0].resource.attributes}
    assert names == {*known(service_attributes) & names, "smolville.run"}
    assert [each.name for each in tmp_path.iterdir()] == ["clumsy.json"]


def test_a_binary_file_holds_the_same(trees: list[Span], tmp_path: Path) -> None:
    write_otlp(trees[:2], "clumsy", tmp_path / "clumsy.pb")
    read = ExportTraceServiceRequest.FromString((tmp_path / "clumsy.pb").read_bytes())
    spans = read.resource_spans[0].scope_spans[0].spans
    assert [each.trace_id.hex() for each in spans if not each.parent_span_id] == [
        each.id for each in trees[:2]
    ]


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
    conventions = known(gen_ai_attributes) - DEPRECATED
    conventions |= known(session_attributes) | known(error_attributes)
    assert names <= own | conventions | OPENINFERENCE | LANGFUSE
    assert sum(name.startswith("gen_ai.") for name in names) >= 15
    operations = {each.value for each in gen_ai_attributes.GenAiOperationNameValues}
    used = {attributes(span).get("gen_ai.operation.name") for span in spans} - {None}
    assert used == {"invoke_agent", "retrieval", "chat"} <= operations


def test_a_models_span_is_a_chat(spans: list[Any], trees: list[Span]) -> None:
    models = {each.id[-16:]: each for tree in trees for each in everything(tree)}
    chats = [span for span in spans if span.kind == OtelSpan.SpanKind.SPAN_KIND_CLIENT]
    assert len(chats) == sum(each.kind == "model" for each in models.values())
    for span in chats:
        told, own = attributes(span), models[span.span_id.hex()]
        assert span.name == f"chat {told['gen_ai.request.model']}"
        assert told["gen_ai.provider.name"] == "standin"
        assert told["gen_ai.usage.input_tokens"] == own.metadata["prompt_tokens"]
        assert isinstance(told["gen_ai.request.temperature"], float)
        assert told["gen_ai.output.type"] == "json"
        asked = json.loads(told["gen_ai.input.messages"])
        assert [each["role"] for each in asked][:2] == ["system", "user"]
        assert [each["parts"][0]["content"] for each in asked] == [
            each["content"] for each in own.inputs["messages"]
        ]
        (reply,) = json.loads(told["gen_ai.output.messages"])
        assert (reply["role"], reply["parts"][-1]["type"]) == ("assistant", "text")
        assert [reply["finish_reason"]] == told["gen_ai.response.finish_reasons"]


def test_what_was_recalled_is_told_with_its_text_and_scores(spans: list[Any]) -> None:
    recalls = [told for span in spans if "gen_ai.retrieval.documents" in (told := attributes(span))]
    assert recalls
    for told in recalls:
        found = json.loads(told["gen_ai.retrieval.documents"])
        assert all(each["content"] and each["time"] for each in found)
    scored = [each for told in recalls for each in json.loads(told["gen_ai.retrieval.documents"])]
    assert any(
        {"id", "score", "recency", "importance", "relevance"} <= each.keys() for each in scored
    )


def test_tokens_are_counted_once(spans: list[Any], trees: list[Span]) -> None:
    counted = sum(attributes(span).get("gen_ai.usage.input_tokens", 0) for span in spans)
    assert counted == sum(each.metadata.get("prompt_tokens", 0) for each in trees)


def test_what_went_wrong_is_an_error_with_its_sentence(spans: list[Any], trees: list[Span]) -> None:
    wrong = {each.id[-16:]: each for tree in trees for each in everything(tree) if each.error}
    assert wrong
    for span in spans:
        own = wrong.get(span.span_id.hex())
        if own is None:
            assert span.status.code == Status.StatusCode.STATUS_CODE_UNSET
        else:
            assert span.status.code == Status.StatusCode.STATUS_CODE_ERROR
            assert span.status.message == own.error
            assert attributes(span)["error.type"] == own.metadata["kinds"][0]


def test_a_thread_holds_all_of_an_agents_thoughts(spans: list[Any]) -> None:
    roots = [attributes(span) for span in spans if not span.parent_span_id]
    ada = [told for told in roots if told["gen_ai.agent.name"] == "Ada Brook"]
    assert len(ada) > 5
    assert {told["gen_ai.conversation.id"] for told in ada} == {"clumsy/Ada Brook"}
    assert {told["session.id"] for told in ada} == {"clumsy/Ada Brook"}


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("ollama:qwen2.5:3b", ("ollama", "qwen2.5:3b")),
        ("openai:http://127.0.0.1:8000/v1#mistral", ("openai", "mistral")),
        ("llamacpp:http://127.0.0.1:8080", ("llama.cpp", "llamacpp:http://127.0.0.1:8080")),
        ("langchain:mistralai/small", ("mistral_ai", "small")),
        ("langchain:anthropic/some-model", ("anthropic", "some-model")),
        ("standin", ("standin", "standin")),
        ("my own chat", ("my own chat", "my own chat")),
    ],
)
def test_a_model_is_told_by_provider_and_name(spec: str, told: tuple[str, str]) -> None:
    assert model_of(spec) == told
