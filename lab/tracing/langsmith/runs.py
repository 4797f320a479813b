"""A tree of spans as LangSmith's runs: parents first, each with its place in the tree."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from lab.tracing.attributes import model_of
from lab.tracing.span import Kind, Span

RUN_TYPES: dict[Kind, str] = {
    "hour": "chain",
    "thought": "chain",
    "talk": "chain",
    "step": "chain",
    "render": "prompt",
    "recall": "retriever",
    "attempt": "chain",
    "model": "llm",
    "parse": "parser",
}
USAGE = (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens"))


@dataclass(frozen=True, kw_only=True)
class Run:
    """A span's place among LangSmith's runs."""

    span: Span
    id: UUID
    trace: UUID
    """The root's id."""
    parent: UUID | None
    order: str
    """`dotted_order`: when each run on the way from the root began, with its id."""
    thread: str
    """The agent's, or the talk's: one for the whole tree."""

    @property
    def begun(self) -> datetime:
        """When it began."""
        return _moment(self.span.start)

    def asked(self) -> dict[str, Any]:
        """Return it as `Client.create_run` takes it."""
        span = self.span
        metadata = {**span.metadata, "session_id": self.thread, "thread_id": self.thread}
        inputs, outputs = span.inputs, span.outputs
        if span.kind == "model":
            usage = usage_of(span)
            metadata |= {**_model_metadata(span), **({"usage_metadata": usage} if usage else {})}
            outputs = {"messages": [outputs["message"]], "usage_metadata": usage}
        elif span.kind == "recall":
            outputs = {"documents": _documents(span)}
        return {
            "id": self.id,
            "name": span.name,
            "run_type": RUN_TYPES[span.kind],
            "inputs": inputs,
            "outputs": outputs,
            "error": span.error or None,
            "start_time": self.begun,
            "end_time": _moment(max(span.start, span.end)),
            "trace_id": self.trace,
            "parent_run_id": self.parent,
            "dotted_order": self.order,
            "tags": list(span.tags),
            "extra": {"metadata": metadata},
        }


def runs_of(root: Span) -> Iterator[Run]:
    """Give a tree's runs, parents first."""
    thread = str(root.metadata.get("thread", ""))
    yield from _beneath(root, None, run_id(root), thread)


def run_id(span: Span) -> UUID:
    """Return the id of a span's run, always the same: what is posted twice is one run.

    It has the shape of version 7, which LangSmith asks for: when it began, then the span's digits.
    """
    digits = bytearray.fromhex(span.id)
    digits[:6] = int(max(0.0, span.start) * 1000).to_bytes(6, "big")
    digits[6] = 0x70 | digits[6] & 0x0F
    digits[8] = 0x80 | digits[8] & 0x3F
    return UUID(bytes=bytes(digits))


def usage_of(span: Span) -> dict[str, Any]:
    """Return a call's tokens as LangSmith counts them; empty where the server told none."""
    told = span.metadata
    usage = {theirs: told[ours] for theirs, ours in USAGE if told.get(ours) is not None}
    if len(usage) < len(USAGE):
        return usage
    usage["total_tokens"] = sum(usage.values())
    if told.get("cached_tokens") is not None:
        usage["input_token_details"] = {"cache_read": told["cached_tokens"]}
    if told.get("thinking_tokens"):
        usage["output_token_details"] = {"reasoning": told["thinking_tokens"]}
    return usage


def _beneath(span: Span, above: Run | None, trace: UUID, thread: str) -> Iterator[Run]:
    ident = run_id(span)
    own = f"{_moment(span.start):%Y%m%dT%H%M%S%fZ}{ident}"
    run = Run(
        span=span,
        id=ident,
        trace=trace,
        parent=None if above is None else above.id,
        order=own if above is None else f"{above.order}.{own}",
        thread=thread,
    )
    yield run
    for child in span.children:
        yield from _beneath(child, run, trace, thread)


def _model_metadata(span: Span) -> dict[str, Any]:
    """Return what LangSmith reads of a call under names of its own."""
    told = span.metadata
    provider, name = model_of(told["model"])
    return {
        "ls_provider": provider,
        "ls_model_name": name,
        "ls_model_type": "chat",
        "ls_temperature": told["temperature"],
        "ls_max_tokens": told["max_tokens"],
    }


def _documents(span: Span) -> list[dict[str, Any]]:
    """Return what was recalled as LangSmith shows it: by id, the texts are in the prompt."""
    ids = span.metadata.get("memories", [])
    scores = span.metadata.get("scores") or [None] * len(ids)
    return [
        {
            "type": "Document",
            "page_content": ident,
            "metadata": {} if score is None else {"score": score},
        }
        for ident, score in zip(ids, scores, strict=True)
    ]


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
