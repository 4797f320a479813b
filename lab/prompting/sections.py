"""Splits a prompt into named sections: rules, format, persona, examples, lists, question.

Sections are recognised in the text by paragraphs and by the headings in capitals that the shipped
templates give their lists. Without headings, paragraphs are named by their beginnings.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lab.prompting.rendering import ChatMessage
from parsers.instructions import FIRST_LINE

TEMPLATE = "template"
"""Name and role of the text that a chat template puts around the messages."""
RULES, FORMAT, EXAMPLES = "rules", "format", "examples"
TURN = "turn"
"""Name of each message of a talk that is shown as separate turns, except the last."""
EXAMPLES_BEGIN, EXAMPLES_END = "EXAMPLES ", "END OF EXAMPLES"
"""How the text of the shipped `_examples.jinja` begins and ends."""
LONGEST = 34
"""Maximum length of a section's name, in characters."""
LEAST = 3
"""Minimum length of the first word of a heading, in characters."""
_PARAGRAPH = re.compile(rf".+?(?:\n\n|\n(?={re.escape(FIRST_LINE)})|\Z)", re.DOTALL)


class PromptSection(NamedTuple):
    """A section of a prompt; the concatenated texts of all sections are the whole prompt."""

    role: str
    """Role of its message: `system`, `user` or `assistant`; `template` for text around the
    messages."""
    name: str
    text: str


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
    has_examples = message.content.startswith(EXAMPLES_BEGIN)
    if 0 < number < question and not has_examples:
        yield PromptSection(message.role, TURN, message.content)
        return
    before: PromptSection | None = None
    for name, text in _named(message.content, is_first=number == 0):
        if before is not None and before.name == name:
            before = PromptSection(message.role, name, before.text + text)
            continue
        if before is not None:
            yield before
        before = PromptSection(message.role, name, text)
    if before is not None:
        yield before


def _named(content: str, *, is_first: bool) -> Iterator[tuple[str, str]]:
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
            yield shortened(text), text
        in_rules = in_rules and not heading and not text.startswith(FIRST_LINE)


def _heading(text: str) -> str:
    """Return the heading of a paragraph, such as `MEMORIES`; empty when it has none."""
    line = text.strip().partition("\n")[0]
    first = re.split(r"[\s:]", line, maxsplit=1)[0]
    if len(first) < LEAST or not (first.isalpha() and first.isupper()):
        return ""
    return shortened(line.partition(":")[0])


def shortened(text: str) -> str:
    """Return the first line of a text, shortened."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"
