"""Convert a tree of spans to LangSmith's runs and feedback, parents before their children."""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

import orjson
from langsmith.anonymizer import create_anonymizer

from smolville.lab.tracing.langsmith.target import Mask
from smolville.lab.tracing.span import Span

Body = dict[str, Any]
RUN_TYPES = {"render": "prompt", "recall": "retriever", "model": "llm", "parse": "parser"}
"""LangSmith's run type for each kind of span; kinds that are not listed are chains."""
CARD = ("innate", "learned", "currently", "lifestyle", "home", "work")
"""The persona texts in a step's inputs, below `me`."""
HIDDEN = ("why", "problems", "odd", "schema")
"""Metadata keys that may quote what was said or written."""
PLAIN = ("role", "type", "id", "time", "kind", "tier", "outcome", "choice", "finish")
"""Keys of fields that hold no free text."""


def runs_of(root: Span, project_url: str = "") -> Iterator[tuple[Span, Body]]:
    """Yield a tree's spans, each with its run as `Client.create_run` takes it, parents first."""
    thread = str(root.metadata.get("thread", ""))
    waiting: list[tuple[Span, UUID | None, str]] = [(root, None, "")]
    while waiting:
        span, parent, above = waiting.pop()
        ident, start = UUID(span.id), datetime.fromtimestamp(span.start, UTC)
        order = f"{above}{start:%Y%m%dT%H%M%S%fZ}{ident}"
        metadata = {**span.metadata, "session_id": thread, "thread_id": thread}
        if span.cause is not None:
            metadata["caused_by_run"] = run = str(UUID(span.cause.root))
            metadata |= {"caused_by_url": f"{project_url}/r/{run}"} if project_url else {}
        body: Body = {
            "id": ident,
            "name": span.name,
            "run_type": RUN_TYPES.get(span.kind, "chain"),
            "inputs": span.inputs,
            "outputs": span.outputs,
            "error": span.error or None,
            "start_time": start,
            "end_time": datetime.fromtimestamp(max(span.start, span.end), UTC),
            "trace_id": UUID(root.id),
            "parent_run_id": parent,
            "dotted_order": order,
            "tags": list(span.tags),
            "extra": {"metadata": metadata},
        }
        yield span, body | (_model(span, metadata) if span.kind == "model" else {})
        waiting += [(child, ident, f"{order}.") for child in reversed(span.children)]


def marks_of(span: Span, run: Body) -> Iterator[Body]:
    """Yield the feedback of a root or step, as `Client.create_feedback` takes it.

    There is no feedback if no model was asked. Each kind of oddity adds a feedback named `odd`.
    `clean` is 1 when the first answers were accepted unchanged. `answered` is 0 when a step used
    its fallback answer or the thought failed. `outcome` holds the outcome.
    """
    outcome = span.metadata.get("outcome")
    if span.kind not in ("hour", "thought", "talk", "step") or not outcome:
        return
    marks: list[tuple[str, Body]] = [
        ("clean", {"score": int(outcome == "clean")}),
        ("answered", {"score": int(outcome not in ("fallback", "failed"))}),
        ("outcome", {"value": outcome}),
        *(("odd", {"value": kind}) for kind in dict.fromkeys(span.metadata["odd_kinds"])),
    ]
    whose = {"run_id": run["id"], "trace_id": run["trace_id"], "start_time": run["start_time"]}
    for key, value in marks:
        name = f"odd {value['value']}" if key == "odd" else key
        yield {"key": key, "feedback_id": uuid5(run["id"], name), **whose, **value}


def _model(span: Span, metadata: Body) -> Body:
    """Return the extra fields of a model call's run, as LangSmith's playground expects them."""
    fields = span.metadata
    params = {"model": fields["model_name"]}
    params |= {key: fields[key] for key in ("temperature", "max_tokens", "seed")}
    if fields["constrained"]:
        schema = {"name": fields["step"], "schema": orjson.loads(fields["schema"])}
        params["response_format"] = {"type": "json_schema", "json_schema": schema}
    usage = _usage(fields)
    metadata |= {
        "ls_provider": fields["provider"],
        "ls_model_name": fields["model_name"],
        "ls_model_type": "chat",
        "ls_temperature": fields["temperature"],
        "ls_max_tokens": fields["max_tokens"],
        "ls_invocation_params": params,
        **({"usage_metadata": usage} if usage else {}),
    }
    return {
        "outputs": {"messages": [span.outputs["message"]], "usage_metadata": usage},
        "extra": {"metadata": metadata, "invocation_params": params},
    }


def _usage(fields: Body) -> Body:
    """Return a call's token usage in LangSmith's form; empty when the server reported none."""
    names = (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens"))
    usage: Body = {theirs: fields[ours] for theirs, ours in names if fields.get(ours) is not None}
    if len(usage) < len(names):
        return usage
    usage["total_tokens"] = sum(usage.values())
    if fields.get("cached_tokens") is not None:
        usage["input_token_details"] = {"cache_read": fields["cached_tokens"]}
    if fields.get("thinking_tokens"):
        usage["output_token_details"] = {"reasoning": fields["thinking_tokens"]}
    return usage


def masking(mask: Mask, names: Iterable[str], root: Span) -> Callable[[Body], Body]:
    """Return a function that masks personas in a tree's runs, and all texts if `mask` is `texts`.

    Names become `Person 1`, in the order of the cast; persona texts in prompts become `[persona]`.
    The replacement is done by LangSmith's own anonymizer.
    """
    if mask == "off":
        return lambda run: run
    rules: Any = []
    for text in sorted(set(_persona_texts(root)) - {"none"}, key=len, reverse=True):
        rules.append({"pattern": rf"(?<!\w){re.escape(text)}(?!\w)", "replace": "[persona]"})
    for number, name in enumerate(names, 1):
        words = "|".join(re.escape(part) for part in (name, *name.split()))
        rules.append({"pattern": rf"\b(?:{words})\b", "replace": f"Person {number}"})
    personas = create_anonymizer(rules, max_depth=20)
    blank = create_anonymizer(_mask_text, max_depth=20)

    def mask_run(run: Body) -> Body:
        parts = ("name", "inputs", "outputs", "error", "tags", "extra")
        # The anonymizer changes its argument: without this copy the tree itself would change.
        copied: Body = orjson.loads(orjson.dumps({key: run[key] for key in parts}))
        return {**run, **personas(blank(copied) if mask == "texts" else copied)}

    return mask_run


def _mask_text(text: str, path: list[str | int]) -> str:
    """Return `[N characters]` in place of a free text; other values unchanged."""
    in_metadata = path[:2] == ["extra", "metadata"] and path[2] in HIDDEN
    is_text = path[0] in ("inputs", "outputs", "error") or in_metadata or "response_format" in path
    return f"[{len(text)} characters]" if is_text and path[-1] not in PLAIN else text


def _persona_texts(span: Span) -> Iterator[str]:
    """Yield the persona texts in the prompts of a tree."""
    card = span.inputs.get("me")
    if isinstance(card, dict):
        yield from (str(card[key]) for key in CARD if card.get(key))
    for child in span.children:
        yield from _persona_texts(child)
