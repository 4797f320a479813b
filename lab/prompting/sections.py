"""A prompt taken apart for whoever looks at it: rules, format, persona, examples, lists, question.

Parts are told by what stands in the text: paragraphs, and the headings in capitals that the shipped
templates give their lists. A template without headings is told by the beginnings of its paragraphs.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lab.prompting.rendering import Message
from parsers.instructions import FIRST_LINE

TEMPLATE = "template"
"""What a chat template puts around messages; also the role of such a part."""
RULES, FORMAT, EXAMPLES = "rules", "format", "examples"
EXAMPLES_BEGIN, EXAMPLES_END = "EXAMPLES ", "END OF EXAMPLES"
"""How the shipped `_examples.jinja` begins and ends."""
LONGEST = 34
"""Letters of a part's name."""
LEAST = 3
"""Letters of a heading's first word."""
_PARAGRAPH = re.compile(rf".+?(?:\n\n|\n(?={re.escape(FIRST_LINE)})|\Z)", re.DOTALL)


class Part(NamedTuple):
    """A piece of a prompt; the texts of all parts, one after another, are the prompt."""

    role: str
    """Of its message: `system`, `user` or `assistant`; `template` around the messages."""
    name: str
    text: str


def parts_of(messages: Sequence[Message]) -> list[Part]:
    """Return the parts of messages, without what a chat template puts around them."""
    return [part for number, each in enumerate(messages) for part in _parts(each, number, messages)]


def parts_in(text: str, messages: Sequence[Message]) -> list[Part] | None:
    """Return the parts of the string that a chat template has made of messages.

    None where it does not hold the messages as they are, but for blanks at their ends.
    """
    found: list[Part] = []
    at = 0
    for number, each in enumerate(messages):
        shown = each.content if each.content in text[at:] else each.content.strip()
        start = text.find(shown, at)
        if start < 0:
            return None
        found.append(Part(TEMPLATE, TEMPLATE, text[at:start]))
        found += _parts(Message(each.role, shown), number, messages)
        at = start + len(shown)
    found.append(Part(TEMPLATE, TEMPLATE, text[at:]))
    return [part for part in found if part.text]


def _parts(message: Message, number: int, messages: Sequence[Message]) -> Iterator[Part]:
    """Yield the parts of one message, neighbours of one name as one."""
    prompt = 2 if messages[0].role == "system" else 1
    if number >= prompt:
        what = "answer" if message.role == "assistant" else "repair"
        yield Part(message.role, f"{what} {(number - prompt) // 2 + 1}", message.content)
        return
    before: Part | None = None
    for name, text in _named(message.content, is_first=number == 0):
        if before is not None and before.name == name:
            before = Part(message.role, name, before.text + text)
            continue
        if before is not None:
            yield before
        before = Part(message.role, name, text)
    if before is not None:
        yield before


def _named(content: str, *, is_first: bool) -> Iterator[tuple[str, str]]:
    """Yield a message's paragraphs, each with the name of the part that it belongs to."""
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
    """Return the heading of a paragraph, `MEMORIES`; empty where it has none."""
    line = text.strip().partition("\n")[0]
    first = re.split(r"[\s:]", line, maxsplit=1)[0]
    if len(first) < LEAST or not (first.isalpha() and first.isupper()):
        return ""
    return shortened(line.partition(":")[0])


def shortened(text: str) -> str:
    """Return the beginning of a text's first line."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"
