"""Fit a prompt to the model's context: leave out what matters least, never the instructions.

A `TrimmedPrompt` says what a prompt shows of its case. When it is too long, examples go first (the
last one before the others), then entries of the lists that the step allows to shorten
(`Step.sheds`): of memories those with the lowest recall score, of places those ranked last, of
future events the latest, of other lists the oldest. One entry of each list stays, since a model
would take an empty list for a fact. Nothing is renumbered.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from langchain_core.messages import BaseMessage

from smolville.agents.errors import ContextError
from smolville.agents.stream import Recollection
from smolville.graphs.loop.step import AnyStep
from smolville.models.chat import Chat
from smolville.models.errors import PromptCut, TransportError
from smolville.models.tokens import estimate_minimum, estimate_prompt
from smolville.parsers.prompt_inputs import PromptInput, RecalledMemory
from smolville.prompts.examples import Cases
from smolville.prompts.prompt import Prompt

MARGIN = 1.1
"""Safety factor for prompts whose tokens are only estimated: a tenth more."""
SURE = 1.4
"""Upper bound of a prompt's tokens as a multiple of their estimate, which is at least 0.75 of the
true count (`models.tokens`)."""
STRIDE = 4
"""After a server has cut a prompt, one in this many of all optional entries is left out at once."""

MEMORIES = "memories"
FIRST_STAYS = frozenset({"places", "plan", "tasks"})
"""Lists whose first entry is the likeliest or soonest, so that entries are left out from the
end."""
EXAMPLES = ""
"""Key of the examples among the lists that are shortened."""

Omitted = tuple[str, int]
"""A list's name and the index of an entry in it."""


@dataclass(frozen=True, kw_only=True)
class TrimmedPrompt:
    """A prompt's case: all of its inputs and examples, less those that did not fit."""

    step: AnyStep
    prompt: Prompt[Any]
    """The prompt that renders it."""
    whole: PromptInput
    """The inputs, with nothing left out."""
    found: tuple[Recollection, ...] = ()
    """The memories recalled for it, as the inputs list them."""
    all_examples: Cases = ()
    """All examples, in the order in which they are shown."""
    left_out: int = 0
    """Number of entries of `order` that are left out."""

    @cached_property
    def order(self) -> tuple[Omitted, ...]:
        """All entries that can be left out; the first is left out first."""
        examples = [(EXAMPLES, index) for index in reversed(range(len(self.all_examples)))]
        entries = [
            (name, index)
            for name in self.step.sheds
            for index in _least_first(name, getattr(self.whole, name), self.found)
        ]
        return (*examples, *entries)

    @cached_property
    def inputs(self) -> PromptInput:
        """The inputs without the entries left out."""
        gone = self._dropped_positions
        if not gone.keys() - {EXAMPLES}:
            return self.whole
        update = {
            name: tuple(
                each
                for index, each in enumerate(getattr(self.whole, name))
                if index not in gone.get(name, ())
            )
            for name in self.step.sheds
        }
        return self.whole.model_copy(update=update)

    @property
    def recalled(self) -> tuple[Recollection, ...]:
        """The memories that are shown, with their scores."""
        gone = {
            _text(getattr(self.whole, MEMORIES)[index])
            for index in self._dropped_positions.get(MEMORIES, ())
        }
        return tuple(each for each in self.found if each.memory.text not in gone)

    @property
    def examples(self) -> Cases:
        """The examples that are shown."""
        return self.all_examples[: max(0, len(self.all_examples) - self.left_out)]

    @property
    def dropped(self) -> int:
        """Number of entries that are left out of the inputs' lists."""
        return max(0, self.left_out - len(self.all_examples))

    @property
    def template(self) -> str:
        """The version of the templates that render it."""
        return self.prompt.with_examples.version if self.examples else self.prompt.version

    def without(self, count: int) -> "TrimmedPrompt":
        """Return the same case with the first `count` entries of `order` left out."""
        return replace(self, left_out=count)

    def messages(self) -> list[BaseMessage]:
        """Return the prompt, rendered without tracing."""
        return self.prompt.render(self.inputs, self.examples)

    @cached_property
    def _dropped_positions(self) -> dict[str, set[int]]:
        gone: dict[str, set[int]] = {}
        for name, index in self.order[: self.left_out] if self.left_out else ():
            gone.setdefault(name, set()).add(index)
        return gone


async def fit_prompt(
    showing: TrimmedPrompt,
    first: list[BaseMessage],
    more: Sequence[BaseMessage],
    chat: Chat,
    allowance: int,
) -> tuple[TrimmedPrompt, list[BaseMessage]] | None:
    """Return the case, trimmed to fit the model's context, and its prompt; None if it cannot fit.

    `first` is the prompt rendered from `showing`, `more` are the messages that follow it, and
    `allowance` is the number of tokens to leave for the reply.
    """
    if chat.num_ctx is None:
        return showing, first
    room = chat.num_ctx - allowance
    if await _fits(chat, [*first, *more], room):
        return showing, first
    low, high = showing.left_out + 1, len(showing.order) + 1
    best: tuple[TrimmedPrompt, list[BaseMessage]] | None = None
    while low < high:
        middle = (low + high) // 2
        shorter = showing.without(middle)
        messages = shorter.messages()
        if await _fits(chat, [*messages, *more], room, near=True):
            best, high = (shorter, messages), middle
        else:
            low = middle + 1
    return best


def shorter(showing: TrimmedPrompt) -> TrimmedPrompt | None:
    """Return the case with many more entries left out; None if no more can be left out.

    It is used when the server has cut the prompt.
    """
    most = len(showing.order)
    if showing.left_out >= most:
        return None
    return showing.without(min(most, showing.left_out + math.ceil(most / STRIDE)))


async def does_not_fit(
    showing: TrimmedPrompt, chat: Chat, allowance: int, cut: PromptCut | None = None
) -> ContextError:
    """Return the error of a step that does not fit, with the minimum number of tokens it needs."""
    shortest = showing.without(len(showing.order)).messages()
    prompt = await _count_prompt_tokens(chat, shortest)
    available = chat.num_ctx
    if cut is not None:
        # The server's own count is more reliable than an estimate that said it would fit.
        prompt = max(prompt, (cut.needed or 0) - allowance)
        available = cut.available or available
    return too_small(chat.spec, showing.step.name, prompt, allowance, available)


def too_small(
    model: str, step: str, prompt: int, allowance: int, available: int | None
) -> ContextError:
    """Return the error of a context that is too small for a step."""
    needed = prompt + allowance
    has = f"{available} tokens" if available is not None else "smaller"
    wanted = 1024 * math.ceil(needed * MARGIN / 1024)
    return ContextError(
        f"The step `{step}` needs at least {needed} tokens ({prompt} for its prompt, {allowance} "
        f"for the reply), but the context of {model} is {has}. Give it {wanted} or more: "
        f"--set num_ctx={wanted}, or start llama-server with -c {wanted} times its slots (-np).",
        step=step,
        needed=needed,
        available=available,
    )


async def _fits(chat: Chat, messages: list[BaseMessage], room: int, *, near: bool = False) -> bool:
    """Return True when a prompt leaves room for the reply; counts tokens only if necessary.

    With `near`, the prompt is close to the limit, so tokens are counted and not estimated.
    """
    if not near:
        estimate = estimate_prompt(messages)
        if estimate * SURE < room:
            return True
        if estimate_minimum(estimate) >= room:
            return False
    return await _count_prompt_tokens(chat, messages) < room


async def _count_prompt_tokens(chat: Chat, messages: list[BaseMessage]) -> int:
    try:
        tokens, is_exact = await chat.count_tokens(messages)
    except TransportError:
        tokens, is_exact = estimate_prompt(messages), False
    return tokens if is_exact else math.ceil(tokens * MARGIN)


def _least_first(name: str, entries: Sequence[object], found: Sequence[Recollection]) -> list[int]:
    """Return the indices of a list's entries, least important first, except the one that stays.

    Recalled memories are ordered by score, wherever they are in the list. Lists in `FIRST_STAYS`
    are ordered from their end, all others from the oldest entry.
    """
    scores = {each.memory.text: each.score for each in found}
    texts = [_text(entry) for entry in entries]
    order = list(range(len(entries)))
    if all(text in scores for text in texts):
        order.sort(key=lambda index: (scores[texts[index]], -index))
    elif name in FIRST_STAYS:
        order.reverse()
    return order[:-1]


def _text(entry: object) -> str:
    return entry.text if isinstance(entry, RecalledMemory) else ""
