"""How much context the steps need at the least, told before a run begins."""

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from graphs.catalogue import STEPS
from graphs.loop.budget import Showing, too_small
from graphs.loop.rules import Rules, Tier
from graphs.samples import SAMPLES
from models.chat import Chat
from models.tokens import estimate_prompt

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


def needs(rules: Rules | None = None) -> list[Need]:
    """Return what each step needs at the least, judged by its sample."""
    rules = rules or Rules()
    return [
        Need(step.name, prompt, rules.of(step.name).max_tokens or step.max_tokens)
        for step, prompt in zip(STEPS, _prompts(), strict=True)
    ]


def check_context(chat: Chat, rules: Rules | None = None, tiers: Sequence[Tier] = BOTH) -> None:
    """Raise ContextError when a step of these tiers cannot fit the model's context."""
    rules = rules or Rules()
    if chat.num_ctx is None:
        return
    tier_of = {step.name: rules.of(step.name).tier or step.tier for step in STEPS}
    asked = [need for need in needs(rules) if tier_of[need.step] in tiers]
    most = max(asked, key=lambda need: need.tokens, default=None)
    thinking = chat.thinking_tokens
    if most is not None and most.tokens + thinking > chat.num_ctx:
        raise too_small(chat.spec, most.step, most.prompt, most.reply + thinking, chat.num_ctx)


def check_contexts(chats: tuple[Chat, Chat], rules: Rules) -> None:
    """Raise ContextError when a step cannot fit the model of its tier; the strong one repairs."""
    fast, strong = chats
    check_context(fast, rules, ("fast",))
    check_context(strong, rules)


@cache
def _prompts() -> tuple[int, ...]:
    """Return the tokens of each step's shortest prompt, in the steps' order."""
    return tuple(_shortest(step.name) for step in STEPS)


def _shortest(name: str) -> int:
    """Return what a prompt with everything left out that can be needs, judged by its sample."""
    step = next(each for each in STEPS if each.name == name)
    whole = Showing(step=step, prompt=step.prompt, whole=SAMPLES[name])
    return math.ceil(SPARE * estimate_prompt(whole.without(len(whole.order)).messages()))
