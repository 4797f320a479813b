"""Check before a run begins how much context the steps need at least."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from graphs.catalogue import STEPS
from graphs.loop.budget import TrimmedPrompt, too_small
from graphs.loop.rules import AS_DECLARED, Rules, Tier
from graphs.loop.step import AnyStep
from graphs.samples import SAMPLES
from models.chat import Chat
from models.tokens import estimate_prompt
from prompts.prompt import TemplateSet, shipped_templates

SPARE = 1.2
"""Safety factor: samples are ordinary moments and estimated; crowded ones need up to a fifth
more."""
BOTH: tuple[Tier, ...] = ("fast", "strong")


class TokenNeed(NamedTuple):
    """Tokens that one step needs when everything that can be left out is left out."""

    step: str
    prompt: int
    """Estimated tokens of its prompt."""
    reply: int
    """Tokens that its reply may take."""

    @property
    def tokens(self) -> int:
        """Tokens of prompt and reply together."""
        return self.prompt + self.reply


def needs(rules: Rules | None = None, templates: TemplateSet | None = None) -> list[TokenNeed]:
    """Return what each step needs at least, judged by its sample.

    `templates` are the templates in use; None means the shipped ones.
    """
    rules = rules or Rules()
    prompts = _prompts(templates or shipped_templates())
    return [
        TokenNeed(
            step.name, prompt, rules.steps.get(step.name, AS_DECLARED).max_tokens or step.max_tokens
        )
        for step, prompt in zip(STEPS, prompts, strict=True)
    ]


def check_context(
    chat: Chat,
    rules: Rules | None = None,
    tiers: Sequence[Tier] = BOTH,
    templates: TemplateSet | None = None,
) -> None:
    """Raise ContextError when a step of these tiers does not fit the model's context."""
    rules = rules or Rules()
    if chat.num_ctx is None:
        return
    tier_of = {
        step.name: rules.steps.get(step.name, AS_DECLARED).tier or step.tier for step in STEPS
    }
    asked = [need for need in needs(rules, templates) if tier_of[need.step] in tiers]
    most = max(asked, key=lambda need: need.tokens, default=None)
    thinking = chat.thinking_tokens
    if most is not None and most.tokens + thinking > chat.num_ctx:
        raise too_small(chat.spec, most.step, most.prompt, most.reply + thinking, chat.num_ctx)


def check_contexts(
    chats: tuple[Chat, Chat], rules: Rules, templates: TemplateSet | None = None
) -> None:
    """Raise ContextError when a step does not fit its tier's model; repairs use the strong one."""
    fast, strong = chats
    check_context(fast, rules, ("fast",), templates)
    check_context(strong, rules, templates=templates)


@lru_cache(maxsize=4)
def _prompts(templates: TemplateSet) -> tuple[int, ...]:
    """Return the tokens of each step's shortest prompt, in the order of the steps."""
    return tuple(shortest(step, templates) for step in STEPS)


def shortest(step: AnyStep, templates: TemplateSet) -> int:
    """Return the tokens of the shortest prompt of a step, judged by its sample."""
    whole = TrimmedPrompt(step=step, prompt=templates.prompt(step), whole=SAMPLES[step.name])
    return math.ceil(SPARE * estimate_prompt(whole.without(len(whole.order)).messages()))
