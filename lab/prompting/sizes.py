"""Token counts of a prompt's sections, and the length of the beginning shared by two prompts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from lab.prompting.rendering import ChatMessage
from lab.prompting.sections import TEMPLATE, PromptSection, parts_in, parts_of
from models.tokens import PER_MESSAGE, estimate_tokens

if TYPE_CHECKING:
    from lab.prompting.written import PromptWriter, WrittenPrompt

SHOWN = 24
"""Number of characters shown after the end of a shared beginning."""


class Size(NamedTuple):
    """Token count of one section."""

    role: str
    name: str
    tokens: int


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Token counts of a prompt by section."""

    parts: tuple[Size, ...]
    """In the order of the prompt; an estimate has the chat template's share as one last section."""
    is_exact: bool
    """True when counted by the model's own tokenizer, False when estimated."""

    @property
    def total(self) -> int:
        """Tokens of the whole prompt."""
        return sum(each.tokens for each in self.parts)

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "tokens": self.total,
            "exact": self.is_exact,
            "sections": [each._asdict() for each in self.parts],
        }


@dataclass(frozen=True, kw_only=True)
class SharedBeginning:
    """The common beginning of two prompts."""

    tokens: int
    total: int
    """Tokens of the first prompt."""
    section: str
    """The section in which the first prompt starts to differ; empty when it does not."""
    here: str
    """The first prompt's text right after the common beginning."""
    there: str
    """The other prompt's text right after the common beginning."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "tokens": self.tokens,
            "of": self.total,
            "ends_in": self.section,
            "here": self.here,
            "there": self.there,
        }


def estimated_sizes(messages: Sequence[ChatMessage], repairs: int = 0) -> Sizes:
    """Return estimated token counts of messages, including the chat template's share."""
    parts = parts_of(messages, repairs)
    told = _estimates(parts)
    sizes = [Size(each.role, each.name, n) for each, n in zip(parts, told, strict=True)]
    around = Size(TEMPLATE, TEMPLATE, PER_MESSAGE * len(messages))
    return Sizes(parts=(*sizes, around), is_exact=False)


def _estimates(parts: Sequence[PromptSection]) -> list[int]:
    """Return the estimated tokens of sections; those of a message add up to its own estimate."""
    found: list[int] = []
    text, before = "", 0
    for part, last in zip(parts, [None, *parts], strict=False):
        if last is None or last.role != part.role:
            text, before = "", 0
        text += part.text
        now = estimate_tokens(text)
        found.append(now - before)
        before = now
    return found


async def sizes_of(written: "WrittenPrompt", writer: "PromptWriter") -> Sizes:
    """Return the token counts of a prompt as its model gets it, as far as that is known.

    A section's count is the number of tokens up to its end, minus the number up to its beginning.
    """
    if written.text is None:
        return estimated_sizes(written.messages, written.repairs)
    whole = [PromptSection(TEMPLATE, "whole prompt", written.text)]
    parts = parts_in(written.text, written.messages, written.repairs) or whole
    counts = await _counts(parts, writer)
    is_exact = counts is not None
    told = counts or _estimates(parts)
    sizes = [Size(each.role, each.name, n) for each, n in zip(parts, told, strict=True)]
    inside = [each for each in sizes if each.name != TEMPLATE]
    around = sum(each.tokens for each in sizes if each.name == TEMPLATE)
    return Sizes(parts=(*inside, Size(TEMPLATE, TEMPLATE, around)), is_exact=is_exact)


async def _counts(parts: Sequence[PromptSection], writer: "PromptWriter") -> list[int] | None:
    """Return the tokens of each section by the tokenizer; None when there is no tokenizer."""
    found: list[int] = []
    text = ""
    for part in parts:
        text += part.text
        tokens = await writer.tokens(text)
        if tokens is None:
            return None
        found.append(len(tokens) - sum(found))
    return found


async def shared_beginning(
    one: "WrittenPrompt", other: "WrittenPrompt", writer: "PromptWriter"
) -> SharedBeginning:
    """Return the common beginning of two prompts, counted by the model's tokenizer if available."""
    if one.text is None or other.text is None:
        return estimated_beginning(one.messages, other.messages, one.repairs)
    first, second = await writer.tokens(one.text), await writer.tokens(other.text)
    parts = parts_in(one.text, one.messages, one.repairs) or [
        PromptSection(TEMPLATE, TEMPLATE, one.text)
    ]
    if first is None or second is None:
        return _estimated(parts, other.text)
    return _beginning(parts, other.text, _alike(first, second), len(first))


def estimated_beginning(
    one: Sequence[ChatMessage], other: Sequence[ChatMessage], repairs: int = 0
) -> SharedBeginning:
    """Return the common beginning of two prompts' messages, estimated."""
    return _estimated(parts_of(one, repairs), "".join(each.content for each in other))


def _estimated(parts: Sequence[PromptSection], other: str) -> SharedBeginning:
    text = "".join(each.text for each in parts)
    alike = text[: _alike(text, other)]
    return _beginning(parts, other, estimate_tokens(alike), estimate_tokens(text))


def _beginning(
    parts: Sequence[PromptSection], other: str, tokens: int, total: int
) -> SharedBeginning:
    """Return the common beginning of sections and another text, located by characters."""
    text = "".join(each.text for each in parts)
    end = _alike(text, other)
    section, left = "", end
    for part in parts:
        if left < len(part.text):
            section = part.name
            break
        left -= len(part.text)
    return SharedBeginning(
        tokens=min(tokens, total),
        total=total,
        section=section,
        here=text[end : end + SHOWN],
        there=other[end : end + SHOWN],
    )


def _alike(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the length of the common prefix of two sequences."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
