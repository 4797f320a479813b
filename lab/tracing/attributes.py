"""What a span is called by the semantic conventions: OpenTelemetry's for GenAI, and a few more.

OpenInference's span kind and session are what Phoenix draws and groups by; Langfuse reads
`session.id` and `langfuse.trace.tags`. Everything else of ours is `smolville.<field>`.
"""

from collections.abc import Callable, Iterator
from typing import Any

import orjson

from lab.tracing.span import Kind, Span
from models.errors import SpecError
from models.spec import parse_spec

Attributes = dict[str, Any]

OPENINFERENCE: dict[Kind, str] = {
    "hour": "CHAIN",
    "thought": "AGENT",
    "talk": "AGENT",
    "step": "CHAIN",
    "render": "PROMPT",
    "recall": "RETRIEVER",
    "attempt": "CHAIN",
    "model": "LLM",
    "parse": "CHAIN",
}
PROVIDERS = {"llamacpp": "llama.cpp", "gguf": "llama.cpp", "mistralai": "mistral_ai"}
"""What the conventions, or the servers themselves, call a provider that is not called so here."""
FINISHES = {"unreadable": "error"}


def attributes_of(span: Span, thread: str) -> Attributes:
    """Return a span's attributes; `thread` is its root's."""
    told: Attributes = {"openinference.span.kind": OPENINFERENCE[span.kind], "session.id": thread}
    told |= _BY_KIND.get(span.kind, _nothing)(span)
    if span.kind != "model":
        for side, values in (("input", span.inputs), ("output", span.outputs)):
            if values:
                told |= {f"{side}.value": _json(values), f"{side}.mime_type": "application/json"}
    if span.tags:
        told["tag.tags"] = list(span.tags)
    if span.error:
        told["error.type"] = _error_type(span)
    own = {f"smolville.{name}": value for name, value in span.metadata.items()}
    return {name: value for name, value in (told | own).items() if value is not None}


def otel_name(span: Span) -> str:
    """Return the span's name; a model's is `chat` and the model, as the conventions have it."""
    return f"chat {model_of(span.metadata['model'])[1]}" if span.kind == "model" else span.name


def model_of(spec: str) -> tuple[str, str]:
    """Return the provider and the model's name of a spec: `ollama`, `mistral`.

    A chat that a program made by itself may be called anything.
    """
    try:
        read = parse_spec(spec)
    except SpecError:
        return spec.partition(":")[0], spec
    provider, name = str(read.kind), read.target
    if provider == "langchain":
        provider, _, name = name.partition("/")
    elif provider in ("openai", "llamacpp"):
        name = name.partition("#")[2] or spec
    return PROVIDERS.get(provider, provider), name or spec


def _root(span: Span) -> Attributes:
    """Return what a thought, talk or hour is: an agent that is invoked.

    Tokens stand at the models' spans only: receivers add them up.
    """
    told = span.metadata
    model = next(_models(span), None)
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": model_of(model)[0] if model else "smolville",
        "gen_ai.agent.name": told["agent"],
        "gen_ai.conversation.id": told["thread"],
        "langfuse.trace.tags": list(span.tags),
    }


def _step(span: Span) -> Attributes:
    return {
        "gen_ai.agent.name": span.metadata["agent"],
        "gen_ai.prompt.name": span.metadata["step"],
    }


def _recall(span: Span) -> Attributes:
    ids, scores = span.metadata["memories"], span.metadata.get("scores")
    found = [{"id": each} for each in ids]
    if scores is not None:
        found = [{"id": each, "score": score} for each, score in zip(ids, scores, strict=True)]
    return {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.query.text": "\n".join(span.inputs["queries"]),
        "gen_ai.retrieval.documents": _json(found),
    }


def _model(span: Span) -> Attributes:
    told = span.metadata
    provider, name = model_of(told["model"])
    finish = FINISHES.get(told["finish"], told["finish"])
    reply = span.outputs["message"]
    parts = [("reasoning", reply.get("thinking", "")), ("text", reply["content"])]
    output = {
        "role": "assistant",
        "parts": [_part(kind, text) for kind, text in parts if text or kind == "text"],
        "finish_reason": finish,
    }
    asked = [
        {"role": each["role"], "parts": [_part("text", each["content"])]}
        for each in span.inputs["messages"]
    ]
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.agent.name": told["agent"],
        "gen_ai.prompt.name": told["step"],
        "gen_ai.request.model": name,
        "gen_ai.request.temperature": float(told["temperature"]),
        "gen_ai.request.max_tokens": told["max_tokens"],
        "gen_ai.request.seed": told["seed"],
        "gen_ai.output.type": "json",
        "gen_ai.response.finish_reasons": [finish],
        "gen_ai.usage.input_tokens": told.get("prompt_tokens"),
        "gen_ai.usage.output_tokens": told.get("completion_tokens"),
        "gen_ai.usage.reasoning.output_tokens": told["thinking_tokens"] or None,
        "gen_ai.usage.cache_read.input_tokens": told.get("cached_tokens"),
        "gen_ai.input.messages": _json(asked),
        "gen_ai.output.messages": _json([output]),
    }


def _nothing(span: Span) -> Attributes:
    return {}


_BY_KIND: dict[Kind, Callable[[Span], Attributes]] = {
    "hour": _root,
    "thought": _root,
    "talk": _root,
    "step": _step,
    "render": _step,
    "recall": _recall,
    "model": _model,
}


def _part(kind: str, text: str) -> dict[str, str]:
    return {"type": kind, "content": text}


def _models(span: Span) -> Iterator[str]:
    """Give the models that were asked beneath a span."""
    if span.kind == "model":
        yield span.metadata["model"]
    for child in span.children:
        yield from _models(child)


def _error_type(span: Span) -> str:
    """Return the kind of an error: a problem's, or the class of what a thought failed with."""
    kinds = span.metadata.get("kinds")
    return str(kinds[0]) if kinds else span.error.partition(":")[0]


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
