"""The answer of the step `tell_memories`: what somebody remembers from before the first day."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator

from smolville.parsers.answer import Answer, AnswerPart, Context, read_context_value
from smolville.parsers.making.naming import find_alike
from smolville.parsers.problem import field_problem, own_problem, reject
from smolville.parsers.reading.keeping import key_problems, mend_keys

_YOU = re.compile(r"you(?:r|['’](?:re|ve|d|ll))?\b", re.IGNORECASE)
_SOMEBODY = re.compile(r"\b(?:I|I'm|I've|my|myself|mine)\b")


LONGEST = 160
"""Maximum number of characters of a memory; a server cuts off longer ones inside a word."""


class SeedMemory(AnswerPart):
    """One memory."""

    number: int = Field(
        description="the number in BEGINNINGS",
        json_schema_extra={"aliases": ["beginning", "id", "no"]},
    )
    memory: Annotated[str, Field(min_length=12, max_length=180)] = Field(
        description="the whole sentence, with its beginning, at most 20 words",
        json_schema_extra={"aliases": ["text", "sentence"]},
    )

    @field_validator("memory")
    @classmethod
    def _is_told_to_them(cls, memory: str) -> str:
        """Check that the memory addresses its owner as "you"."""
        rest = '. Write a sentence that begins with "You" or "Your", without "I" and "my".'
        if not _YOU.match(memory) or _SOMEBODY.search(memory):
            reject([own_problem(memory, rest, "voice")])
        if len(memory) > LONGEST:
            reject([own_problem(memory, ", which is too long. Write 20 words at most.", "length")])
        return memory


def _with_beginning(item: Any, begun: Mapping[int, str]) -> Any:
    """Return an item, with its given beginning put before a memory that starts in mid-sentence."""
    if not isinstance(item, dict):
        return item
    memory, beginning = item.get("memory"), begun.get(item.get("number", 0), "")
    if not isinstance(memory, str) or not beginning or not memory[:1].islower():
        return item
    return item if _YOU.match(memory) else {**item, "memory": f"{beginning} {memory}"}


class SeedMemories(Answer):
    """One memory for each beginning."""

    items_field = "memories"
    key_field = "number"
    keys_name = "numbers"

    memories: Annotated[list[SeedMemory], Field(min_length=1, max_length=8)] = Field(
        description="one memory for each of BEGINNINGS"
    )

    @field_validator("memories")
    @classmethod
    def _are_distinct(cls, memories: list[SeedMemory], info: ValidationInfo) -> list[SeedMemory]:
        """Check that each beginning has one memory, and that no two memories say the same."""
        problems = key_problems(cls, [each.number for each in memories], info.context)
        told = list(read_context_value(info.context, "told") or ())
        found = list(problems)
        for number, each in enumerate(memories):
            other = find_alike(each.memory, told)
            if other:
                rest = f", which tells the same as {other[:80]!r}. Write something else."
                found.append(field_problem(f"{number}.memory", each.memory, rest, "repeat"))
            told.append(each.memory)
        reject(found)
        return memories

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """Return the memories with corrected numbers and with missing beginnings, and notes.

        If a model writes only the rest of a sentence, the rest belongs after the given beginning.
        """
        data, notes = mend_keys(cls, data, context)
        begun = read_context_value(context, "beginnings") or {}
        items = data.get("memories")
        if not isinstance(items, list):
            return data, notes
        mended = [_with_beginning(item, begun) for item in items]
        if mended != items:
            notes = [*notes, "`memories`: put the beginnings before what goes on from them"]
        return {**data, "memories": mended}, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            memories=[
                SeedMemory(number=1, memory="You were born in the last house before the quarry"),
                SeedMemory(
                    number=2, memory="Your brass lamp burnt for two days when you were lost"
                ),
            ]
        )
