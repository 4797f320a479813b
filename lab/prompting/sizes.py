"""A prompt's sections with their token counts, and the beginning that two prompts share.

Sections are recognised by paragraphs and by the shipped templates' headings in capitals.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from smolville.lab.prompting.rendering import ChatMessage
from smolville.models.tokens import PER_MESSAGE, estimate_tokens
from smolville.parsers.instructions import FIRST_LINE

if TYPE_CHECKING:
    from smolville.lab.prompting.prompt_writer import PromptWriter, WrittenPrompt

TEMPLATE = "template"
"""Name and role of the text that a chat template puts around the messages."""
RULES, FORMAT, EXAMPLES = "rules", "format", "examples"
TURN = "turn"
"""Section name of the earlier messages of a talk that is shown as separate turns."""
EXAMPLES_BEGIN, EXAMPLES_END = "EXAMPLES ", "END OF EXAMPLES"
"""How the text of the shipped `_examples.jinja` begins and ends."""
LONGEST = 34
"""Maximum length of a section's name, in characters."""
LEAST = 3
"""Minimum length of the first word of a heading, in characters."""
_PARAGRAPH = re.compile(rf".+?(?:\n\n|\n(?={re.escape(FIRST_LINE)})|\Z)", re.DOTALL)
SHOWN = 24
"""Number of characters shown after the end of a shared beginning."""


class PromptSection(NamedTuple):
    """A section of a prompt; the concatenated texts of all sections are the whole prompt."""

    role: str
    """Role of its message: `system`, `user` or `assistant`; `template` for text around the
    messages."""
    name: str
    text: str


class Size(NamedTuple):
    """Token count of one section."""

    role: str
    name: str
    tokens: int


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Token counts of a prompt by section."""

    parts: tuple[Size, ...]
    """Sections in the prompt's order; an estimate has the chat template's share as the last."""
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
    tokens = _estimates(parts)
    sizes = [Size(each.role, each.name, n) for each, n in zip(parts, tokens, strict=True)]
    around = Size(TEMPLATE, TEMPLATE, PER_MESSAGE * len(messages))
    return Sizes(parts=(*sizes, around), is_exact=False)


def _estimates(parts: Sequence[PromptSection]) -> list[int]:
    """Return the estimated tokens of sections; a message's sections add up to its own estimate."""
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
    """Return a prompt's token counts; they are estimates if its written form is not known.

    A section's count is the number of tokens up to its end, minus the number up to its beginning.
    """
    if written.text is None:
        return estimated_sizes(written.messages, written.repairs)
    whole = [PromptSection(TEMPLATE, "whole prompt", written.text)]
    parts = parts_in(written.text, written.messages, written.repairs) or whole
    counts = await _counts(parts, writer)
    is_exact = counts is not None
    tokens = counts or _estimates(parts)
    sizes = [Size(each.role, each.name, n) for each, n in zip(parts, tokens, strict=True)]
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
        return _estimate_beginning(parts, other.text)
    return _beginning(parts, other.text, _count_common_prefix(first, second), len(first))


def estimated_beginning(
    one: Sequence[ChatMessage], other: Sequence[ChatMessage], repairs: int = 0
) -> SharedBeginning:
    """Return the common beginning of two prompts' messages, estimated."""
    return _estimate_beginning(parts_of(one, repairs), "".join(each.content for each in other))


def _estimate_beginning(parts: Sequence[PromptSection], other: str) -> SharedBeginning:
    text = "".join(each.text for each in parts)
    alike = text[: _count_common_prefix(text, other)]
    return _beginning(parts, other, estimate_tokens(alike), estimate_tokens(text))


def _beginning(
    parts: Sequence[PromptSection], other: str, tokens: int, total: int
) -> SharedBeginning:
    """Return how far the text of the sections agrees with `other`, compared by characters."""
    text = "".join(each.text for each in parts)
    end = _count_common_prefix(text, other)
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


def _count_common_prefix(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the length of the common prefix of two sequences."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def parts_of(messages: Sequence[ChatMessage], repairs: int = 0) -> list[PromptSection]:
    """Return the sections of messages, without the text that a chat template puts around them.

    The messages end with `repairs` rejected answers, each followed by a repair message.
    """
    return [
        part
        for number, each in enumerate(messages)
        for part in _parts(each, number, len(messages), repairs)
    ]


def parts_in(
    text: str, messages: Sequence[ChatMessage], repairs: int = 0
) -> list[PromptSection] | None:
    """Return the sections of the string that a chat template has made of messages.

    Returns None when the string does not contain the messages unchanged, apart from whitespace at
    their ends.
    """
    found: list[PromptSection] = []
    at = 0
    for number, each in enumerate(messages):
        shown = each.content if each.content in text[at:] else each.content.strip()
        start = text.find(shown, at)
        if start < 0:
            return None
        found.append(PromptSection(TEMPLATE, TEMPLATE, text[at:start]))
        found += _parts(ChatMessage(each.role, shown), number, len(messages), repairs)
        at = start + len(shown)
    found.append(PromptSection(TEMPLATE, TEMPLATE, text[at:]))
    return [part for part in found if part.text]


def _parts(message: ChatMessage, number: int, count: int, repairs: int) -> Iterator[PromptSection]:
    """Yield the sections of one of `count` messages; neighbours with the same name are merged."""
    question = count - 2 * repairs - 1
    if number > question:
        what = "answer" if message.role == "assistant" else "repair"
        yield PromptSection(message.role, f"{what} {(number - question + 1) // 2}", message.content)
        return
    if 0 < number < question:
        yield PromptSection(message.role, TURN, message.content)
        return
    before: PromptSection | None = None
    for name, text in _name_paragraphs(message.content, is_first=number == 0):
        if before is not None and before.name == name:
            before = PromptSection(message.role, name, before.text + text)
            continue
        if before is not None:
            yield before
        before = PromptSection(message.role, name, text)
    if before is not None:
        yield before


def _name_paragraphs(content: str, *, is_first: bool) -> Iterator[tuple[str, str]]:
    """Yield a message's paragraphs, each with the name of its section."""
    in_examples, in_rules = False, is_first
    for found in _PARAGRAPH.finditer(content):
        text = found.group()
        in_examples = in_examples or text.startswith(EXAMPLES_BEGIN)
        heading = _heading(text)
        if in_examples:
            yield EXAMPLES, text
            in_examples = not text.startswith(EXAMPLES_END)
        elif text.startswith(FIRST_LINE):
            yield FORMAT, text
        elif heading:
            yield heading, text
        elif in_rules:
            yield RULES, text
        else:
            yield shorten_first_line(text), text
        in_rules = in_rules and not heading and not text.startswith(FIRST_LINE)


def _heading(text: str) -> str:
    """Return the heading of a paragraph, such as `MEMORIES`; empty when it has none."""
    line = text.strip().partition("\n")[0]
    first = re.split(r"[\s:]", line, maxsplit=1)[0]
    if len(first) < LEAST or not (first.isalpha() and first.isupper()):
        return ""
    return shorten_first_line(line.partition(":")[0])


def shorten_first_line(text: str) -> str:
    """Return the first line of a text, shortened."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"
