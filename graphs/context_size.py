"""How much context the steps need at the least, told before a run begins."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from graphs.catalogue import STEPS
from graphs.loop.budget import Showing, too_small
from graphs.loop.rules import AS_DECLARED, Rules, Tier
from graphs.loop.step import AnyStep
from graphs.samples import SAMPLES
from models.chat import Chat
from models.tokens import estimate_prompt
from prompts.prompt import TemplateSet, shipped_templates

SPARE = 1.2
"""Samples are ordinary moments, and estimated: a crowded one needs up to a fifth more."""
BOTH: tuple[Tier, ...] = ("fast", "strong")


class Need(NamedTuple):
    """What one step needs with everything left out that can be."""

    step: str
    prompt: int
    """Tokens of its prompt, estimated."""
    reply: int
    """Tokens its reply may take."""

    @property
    def tokens(self) -> int:
        """Prompt and reply together."""
        return self.prompt + self.reply


def needs(rules: Rules | None = None, templates: TemplateSet | None = None) -> list[Need]:
    """Return what each step needs at the least, judged by its sample.

    `templates` are what is asked with, the shipped ones for None.
    """
    rules = rules or Rules()
    prompts = _prompts(templates or shipped_templates())
    return [
        Need(
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
    """Raise ContextError when a step of these tiers cannot fit the model's context."""
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
    """Raise ContextError when a step cannot fit the model of its tier; the strong one repairs."""
    fast, strong = chats
    check_context(fast, rules, ("fast",), templates)
    check_context(strong, rules, templates=templates)


@lru_cache(maxsize=4)
def _prompts(templates: TemplateSet) -> tuple[int, ...]:
    """Return the tokens of each step's shortest prompt, in the steps' order."""
    return tuple(shortest(step, templates) for step in STEPS)


def shortest(step: AnyStep, templates: TemplateSet) -> int:
    """Return what a prompt with everything left out that can be needs, judged by its sample."""
    whole = Showing(step=step, prompt=templates.prompt(step), whole=SAMPLES[step.name])
    return math.ceil(SPARE * estimate_prompt(whole.without(len(whole.order)).messages()))
