"""The reply to a call: its text, its counts, how it ended, and whether the prompt was cut."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from smolville.models.errors import PromptCut
from smolville.models.request import Request
from smolville.models.tokens import estimate_minimum, estimate_prompt, estimate_tokens

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

CUT = frozenset({"length", "max_tokens", "model_length"})
"""Values, in lower case, by which servers report that a reply reached its length limit."""
ENDS = ("finish_reason", "done_reason", "stop_reason")
"""Names under which servers report how a reply ended."""
THOUGHT = re.compile(
    r"(?is)<(?P<tag>think|thinking|thought|reasoning)>(.*?)(?:</(?P=tag)>|\Z)"
    r"|\A((?:(?!<think).)*?)</think>"
)
"""Thinking inside a text; without an opening tag if the chat template wrote it."""
NANOSECONDS = 1e6
"""Nanoseconds per millisecond: Ollama reports durations in nanoseconds."""
CHARACTERS_A_TOKEN = 5
"""Upper bound of the characters per token of ordinary text."""
MOST_CHARACTERS_A_TOKEN = 16
"""Upper bound of the characters per token of a whole reply, also of one with long blanks."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One model's answer to one call, before it is parsed."""

    text: str
    """The model's text, unchanged; nothing is stripped. If the server gives none, the tool calls
    that it read out of it, or else the thinking of a reply that ended, in tags."""
    finish: Literal["stop", "length", "unreadable"] = "stop"
    """How the reply ended: `length` when the reply reached its limit and is cut; `unreadable` when
    the server could not parse what its model wrote, and `text` is its error message."""
    prompt_tokens: int | None = None
    """Number of prompt tokens, as the server reports it; None if it reports none."""
    completion_tokens: int | None = None
    """Number of tokens of the reply, including any thinking."""
    thinking_tokens: int = 0
    """Number of tokens of the thinking, as the server reports it, or estimated from `thinking`."""
    cached_tokens: int | None = None
    """Prompt tokens served from the server's prefix cache; None if it does not report them."""
    milliseconds: float = 0.0
    """Wall-clock duration of the call, including queueing at the server."""
    prompt_ms: float | None = None
    """Milliseconds for reading the prompt, by the server's own clock; None if it does not say."""
    reply_ms: float | None = None
    """Milliseconds for writing the reply, by the server's own clock; None if it does not say."""
    thinking: str = ""
    """The model's thinking, if separate from its text; `<think>` inside the text stays there."""

    @property
    def is_cut(self) -> bool:
        """True when the reply ended at its length limit."""
        return self.finish == "length"


def read_reply(message: "AIMessage", milliseconds: float) -> Reply:
    """Return the message as a Reply; a count that the server does not report is None.

    LangChain writes 0 where a server reports no number of prompt tokens. No prompt has 0 tokens, so
    a 0 counts as not reported.
    """
    told = message.response_metadata
    usage: Mapping[str, Any] = message.usage_metadata or {}
    older, timings = _details(told, "token_usage"), _details(told, "timings")
    thinking = "\n".join(_thinking(message))
    is_cut = any(str(told.get(name)).lower() in CUT for name in ENDS)
    text = str(message.text)
    if not text.strip():
        text = "\n".join(_tool_calls(message)) or text
    if not text.strip() and thinking and not is_cut:
        text = f"<think>{thinking}</think>"
    counted = _count(_details(usage, "output_token_details").get("reasoning"))
    return Reply(
        text=text,
        finish="length" if is_cut else "stop",
        prompt_tokens=_count(usage.get("input_tokens"), older.get("prompt_tokens")) or None,
        completion_tokens=_count(usage.get("output_tokens"), older.get("completion_tokens")),
        thinking_tokens=counted or estimate_tokens(thinking or _thought_in(text)),
        cached_tokens=_count(
            _details(usage, "input_token_details").get("cache_read"), timings.get("cache_n")
        ),
        milliseconds=milliseconds,
        prompt_ms=_time(timings.get("prompt_ms"), told.get("prompt_eval_duration")),
        reply_ms=_time(timings.get("predicted_ms"), told.get("eval_duration")),
        thinking=thinking,
    )


def hold_to_limit(reply: Reply, most: int) -> Reply:
    """Return a reply that surely has more than `most` tokens as a cut one, and others unchanged."""
    if reply.is_cut or len(reply.text) <= most:
        return reply
    tokens = estimate_minimum(estimate_tokens(reply.text))
    if tokens <= most:
        return reply
    return replace(reply, text=reply.text[: len(reply.text) * most // tokens], finish="length")


def is_whole(message: "AIMessage") -> bool:
    """Return whether the server marked the reply as complete."""
    return any(message.response_metadata.get(name) for name in ("done", *ENDS))


def _thought_in(text: str) -> str:
    if "<" not in text:
        return ""
    return "\n".join(found[2] or found[3] or "" for found in THOUGHT.finditer(text))


def _thinking(message: "AIMessage") -> Iterator[str]:
    beside = message.additional_kwargs.get("reasoning_content")
    if isinstance(beside, str) and beside:
        yield beside
    if isinstance(message.content, list):
        for block in message.content:
            if isinstance(block, dict) and block.get("type") in ("thinking", "reasoning"):
                yield str(block.get("thinking") or block.get("reasoning") or "")


def _tool_calls(message: "AIMessage") -> Iterator[str]:
    """Yield the calls of tools as Mistral writes them: a server may take an answer for one."""
    for call in message.tool_calls:
        yield f"[TOOL_CALLS]{call['name']}[ARGS]{json.dumps(call['args'], ensure_ascii=False)}"
    for broken in message.invalid_tool_calls:
        yield f"[TOOL_CALLS]{broken['name'] or ''}[ARGS]{broken['args'] or ''}"


def _details(usage: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    details = usage.get(name)
    return details if isinstance(details, Mapping) else {}


def _count(*values: object) -> int | None:
    return next((value for value in values if isinstance(value, int)), None)


def _time(milliseconds: object, nanoseconds: object) -> float | None:
    """Return a time in milliseconds, from llama.cpp's field or Ollama's; None if unknown."""
    if isinstance(milliseconds, int | float):
        return float(milliseconds)
    return nanoseconds / NANOSECONDS if isinstance(nanoseconds, int) else None


def check_prompt(
    reply: Reply,
    request: Request,
    sent: Sequence["BaseMessage"],
    num_ctx: int,
    *,
    spec: str,
    server: str,
) -> None:
    """Raise PromptCut when the evaluated tokens show that prompt and reply do not fit `num_ctx`.

    If a prompt exceeds `num_ctx`, Ollama drops its beginning, and LM Studio its middle, without an
    error. But both report how many tokens were evaluated. A missing count means unknown, never a
    cut: a cached prompt may not be counted.
    """
    evaluated = reply.prompt_tokens
    if evaluated is None:
        return
    room = num_ctx - request.max_tokens
    if evaluated < room and not _has_shrunk(sent, evaluated, room):
        return
    needed = max(estimate_prompt(sent), evaluated) + request.max_tokens
    step = f" of {request.step}" if request.step else ""
    raise PromptCut(
        f"The prompt{step} and its reply need about {needed} tokens, but the model's context is "
        f"{num_ctx} (num_ctx): {server} cuts such a prompt in silence, so the reply is not used. "
        f"{_way_out(spec, needed)}, or take a model that has a larger one.",
        needed=needed,
        available=num_ctx,
    )


def _way_out(spec: str, needed: int) -> str:
    larger = f"{spec.partition('?')[0]}?num_ctx={2 ** max(needed - 1, 1).bit_length()}"
    if spec.startswith("ollama:"):
        return f"Ask for a larger one, as in {larger}"
    return f"Let its server load the model with a larger one, and say so: {larger}"


def _has_shrunk(sent: Sequence["BaseMessage"], evaluated: int, room: int) -> bool:
    """Return True if the prompt was too long and the server evaluated only part of it.

    Some versions of a server leave half of the context free when they cut. The estimate is made
    only if fewer tokens were evaluated than text in any language would have.
    """
    characters = sum(len(str(message.text)) for message in sent)
    if characters <= room or evaluated * CHARACTERS_A_TOKEN >= characters:
        return False
    return estimate_minimum(estimate_prompt(sent)) > max(evaluated, room)
