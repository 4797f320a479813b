"""Read what a chat model's message says about itself: text, end, counts, thinking."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from models.reply import Reply
from models.tokens import estimate_tokens

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

CUT = frozenset({"length", "max_tokens", "model_length"})
"""What servers call an end by allowance, in lower case."""


def read_reply(message: "AIMessage", milliseconds: float) -> Reply:
    """Return the message as a Reply; a count that the server does not tell is None."""
    told = message.response_metadata
    usage: Mapping[str, Any] = message.usage_metadata or {}
    thinking = "\n".join(_thinking(message))
    counted = _count(_inner(usage, "output_token_details").get("reasoning"))
    return Reply(
        text=str(message.text),
        finish=_finish(told),
        prompt_tokens=_count(usage.get("input_tokens", told.get("prompt_eval_count"))),
        completion_tokens=_count(usage.get("output_tokens", told.get("eval_count"))),
        thinking_tokens=counted or estimate_tokens(thinking),
        cached_tokens=_count(_inner(usage, "input_token_details").get("cache_read")),
        milliseconds=milliseconds,
        thinking=thinking,
    )


def _finish(told: Mapping[str, Any]) -> Literal["stop", "length"]:
    """Return how the reply ended, by whichever name the server uses for it."""
    for name in ("finish_reason", "done_reason", "stop_reason"):
        if str(told.get(name)).lower() in CUT:
            return "length"
    return "stop"


def _thinking(message: "AIMessage") -> Iterator[str]:
    """Yield the thinking that came beside the text."""
    beside = message.additional_kwargs.get("reasoning_content")
    if isinstance(beside, str) and beside:
        yield beside
    if isinstance(message.content, list):
        for block in message.content:
            if isinstance(block, dict) and block.get("type") in ("thinking", "reasoning"):
                yield str(block.get("thinking") or block.get("reasoning") or "")


def _inner(usage: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the details under `name`, empty where there are none."""
    details = usage.get(name)
    return details if isinstance(details, Mapping) else {}


def _count(value: object) -> int | None:
    """Return the count, None for anything that is not one."""
    return value if isinstance(value, int) else None
