"""How many tokens each part of a prompt has, and how far the next prompt begins with the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from lab.prompting.rendering import Message
from lab.prompting.sections import TEMPLATE, Part, parts_in, parts_of
from models.tokens import PER_MESSAGE, estimate_tokens

if TYPE_CHECKING:
    from lab.prompting.written import Writer, Written

SHOWN = 24
"""Letters shown of what follows a shared beginning."""


class Size(NamedTuple):
    """The tokens of one part."""

    role: str
    name: str
    tokens: int


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The tokens of a prompt, part by part."""

    parts: tuple[Size, ...]
    """In the order of the prompt; what the chat template adds is one part, the last."""
    is_exact: bool
    """True where the model's own tokenizer counted, False for an estimate."""

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
    """What two prompts have in common from their first token on."""

    tokens: int
    total: int
    """Tokens of the first prompt."""
    section: str
    """The part in which the first prompt goes on otherwise; empty where it does not."""
    here: str
    """With which letters it goes on."""
    there: str
    """With which letters the other one goes on."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "tokens": self.tokens,
            "of": self.total,
            "ends_in": self.section,
            "here": self.here,
            "there": self.there,
        }


def estimated_sizes(messages: Sequence[Message]) -> Sizes:
    """Return the sizes of messages by an estimate, the chat template's share included."""
    parts = parts_of(messages)
    told = _estimates(parts)
    sizes = [Size(each.role, each.name, n) for each, n in zip(parts, told, strict=True)]
    around = Size(TEMPLATE, TEMPLATE, PER_MESSAGE * len(messages))
    return Sizes(parts=(*sizes, around), is_exact=False)


def _estimates(parts: Sequence[Part]) -> list[int]:
    """Return the estimated tokens of parts; those of one message sum to the message's estimate."""
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


async def sizes_of(written: "Written", writer: "Writer") -> Sizes:
    """Return the sizes of a prompt in the string that its model gets, as far as there is one.

    A part has what the tokenizer counts up to its end, less what it counts up to its beginning.
    """
    if written.text is None:
        return estimated_sizes(written.messages)
    whole = [Part(TEMPLATE, "whole prompt", written.text)]
    parts = parts_in(written.text, written.messages) or whole
    counts = await _counts(parts, writer)
    is_exact = counts is not None
    told = counts or _estimates(parts)
    sizes = [Size(each.role, each.name, n) for each, n in zip(parts, told, strict=True)]
    inside = [each for each in sizes if each.name != TEMPLATE]
    around = sum(each.tokens for each in sizes if each.name == TEMPLATE)
    return Sizes(parts=(*inside, Size(TEMPLATE, TEMPLATE, around)), is_exact=is_exact)


async def _counts(parts: Sequence[Part], writer: "Writer") -> list[int] | None:
    """Return the tokens of each part by the tokenizer; None where there is none."""
    found: list[int] = []
    text = ""
    for part in parts:
        text += part.text
        tokens = await writer.tokens(text)
        if tokens is None:
            return None
        found.append(len(tokens) - sum(found))
    return found


async def shared_beginning(one: "Written", other: "Written", writer: "Writer") -> SharedBeginning:
    """Return how far two prompts begin alike, by the model's own tokenizer where there is one."""
    if one.text is None or other.text is None:
        return estimated_beginning(one.messages, other.messages)
    first, second = await writer.tokens(one.text), await writer.tokens(other.text)
    parts = parts_in(one.text, one.messages) or [Part(TEMPLATE, TEMPLATE, one.text)]
    if first is None or second is None:
        return _estimated(parts, other.text)
    return _beginning(parts, other.text, _alike(first, second), len(first))


def estimated_beginning(one: Sequence[Message], other: Sequence[Message]) -> SharedBeginning:
    """Return how far the messages of two prompts begin alike, by an estimate."""
    return _estimated(parts_of(one), "".join(each.content for each in other))


def _estimated(parts: Sequence[Part], other: str) -> SharedBeginning:
    text = "".join(each.text for each in parts)
    alike = text[: _alike(text, other)]
    return _beginning(parts, other, estimate_tokens(alike), estimate_tokens(text))


def _beginning(parts: Sequence[Part], other: str, tokens: int, total: int) -> SharedBeginning:
    """Return the beginning that parts share with another text, in letters from where it ends."""
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
    """Return how many letters or tokens two sequences have in common from the first on."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
