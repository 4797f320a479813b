"""Detect from token counts that a server silently cut the prompt.

Ollama drops the front of what exceeds `num_ctx` and reports it in its own log only; LM Studio drops
the middle. What they do report is how many tokens were evaluated.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from models.errors import PromptCut
from models.reply import Reply
from models.request import Request
from models.tokens import estimate_prompt, least

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage


CHARACTERS_A_TOKEN = 5
"""Upper bound of the characters per token of ordinary text."""


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

    A missing count means unknown, never a cut: a cached prompt may not be counted.
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
    """Return how to give the model of a spec a large enough context."""
    larger = f"{spec.partition('?')[0]}?num_ctx={2 ** max(needed - 1, 1).bit_length()}"
    if spec.startswith("ollama:"):
        return f"Ask for a larger one, as in {larger}"
    return f"Let its server load the model with a larger one, and say so: {larger}"


def _has_shrunk(sent: Sequence["BaseMessage"], evaluated: int, room: int) -> bool:
    """Return True when the prompt cannot have fitted, and fewer tokens than it has were evaluated.

    Some versions leave half of the context free when they cut. The estimate is made only if fewer
    tokens were evaluated than text in any language would have.
    """
    characters = sum(len(str(message.text)) for message in sent)
    if characters <= room or evaluated * CHARACTERS_A_TOKEN >= characters:
        return False
    return least(estimate_prompt(sent)) > max(evaluated, room)
