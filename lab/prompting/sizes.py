"""A prompt's sections with their token counts.

Sections are recognised by paragraphs and by the shipped templates' headings in capitals.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from smolville.lab.prompting.rendering import ChatMessage
from smolville.models.tokens import PER_MESSAGE, estimate_tokens
from smolville.parsers.instructions import FIRST_LINE

TEMPLATE = "template"
"""Name and role of what a chat template puts around the messages."""
EXAMPLES_BEGIN, EXAMPLES_END = "EXAMPLES ", "END OF EXAMPLES"
"""How the text of the shipped `_examples.jinja` begins and ends."""
LONGEST = 34
"""Maximum length of a section's name, in characters."""
LEAST = 3
"""Minimum length of the first word of a heading, in characters."""
_PARAGRAPH = re.compile(rf".+?(?:\n\n|\n(?={re.escape(FIRST_LINE)})|\Z)", re.DOTALL)


class Size(NamedTuple):
    """Estimated token count of one section."""

    role: str
    """Role of its message: `system`, `user` or `assistant`; `template` for what is around them."""
    name: str
    tokens: int


def estimate_sizes(messages: Sequence[ChatMessage], repairs: int = 0) -> list[Size]:
    """Return estimated token counts of the sections of messages, the chat template's share last.

    The messages end with `repairs` rejected answers, each followed by a repair message. The
    sections of a message add up to its own estimate.
    """
    found: list[Size] = []
    for number, message in enumerate(messages):
        text, before = "", 0
        for name, part in _sections(message, number, len(messages) - 2 * repairs - 1):
            text += part
            now = estimate_tokens(text)
            found.append(Size(message.role, name, now - before))
            before = now
    return [*found, Size(TEMPLATE, TEMPLATE, PER_MESSAGE * len(messages))]


def _sections(message: ChatMessage, number: int, question: int) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each section of a message; neighbours of one name are merged.

    `question` is the number of the message that asks; repairs follow it, turns of a talk precede.
    """
    if number > question:
        what = "answer" if message.role == "assistant" else "repair"
        yield f"{what} {(number - question + 1) // 2}", message.content
    elif 0 < number < question:
        yield "turn", message.content
    else:
        named = _name_paragraphs(message.content, is_first=number == 0)
        for name, parts in groupby(named, key=lambda each: each[0]):
            yield name, "".join(text for _, text in parts)


def _name_paragraphs(content: str, *, is_first: bool) -> Iterator[tuple[str, str]]:
    """Yield a message's paragraphs, each with the name of its section."""
    in_examples, in_rules = False, is_first
    for found in _PARAGRAPH.finditer(content):
        text = found.group()
        in_examples = in_examples or text.startswith(EXAMPLES_BEGIN)
        heading = _heading(text)
        if in_examples:
            yield "examples", text
            in_examples = not text.startswith(EXAMPLES_END)
        elif text.startswith(FIRST_LINE):
            yield "format", text
        elif heading:
            yield heading, text
        else:
            yield "rules" if in_rules else _shorten_first_line(text), text
        in_rules = in_rules and not heading and not text.startswith(FIRST_LINE)


def _heading(text: str) -> str:
    """Return the heading of a paragraph, such as `MEMORIES`; empty when it has none."""
    line = text.strip().partition("\n")[0]
    first = re.split(r"[\s:]", line, maxsplit=1)[0]
    if len(first) < LEAST or not (first.isalpha() and first.isupper()):
        return ""
    return _shorten_first_line(line.partition(":")[0])


def _shorten_first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"
