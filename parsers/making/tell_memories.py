"""The answer of the step `tell_memories`: what somebody remembers from before the first day."""

import re
from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator

from parsers.answer import Answer, AnswerPart, Context, read_context_value
from parsers.making.naming import find_alike
from parsers.problem import Problem, field_problem, reject
from parsers.reading.keeping import key_problems, mend_keys

_YOU = re.compile(r"you(?:r|['’](?:re|ve|d|ll))?\b", re.IGNORECASE)
_SOMEBODY = re.compile(r"\b(?:I|I'm|I've|my|myself|mine)\b")


class SeedMemory(AnswerPart):
    """One memory."""

    number: int = Field(
        description="the number of the topic in TOPICS",
        json_schema_extra={"aliases": ["topic", "id", "no"]},
    )
    memory: Annotated[str, Field(min_length=12, max_length=180)] = Field(
        description='one sentence that begins with "You" or "Your"',
        json_schema_extra={"aliases": ["text", "sentence"]},
    )

    @field_validator("memory")
    @classmethod
    def _is_told_to_them(cls, memory: str) -> str:
        """Check that it is told to the person whose memory it is."""
        rest = '. Write a sentence that begins with "You" or "Your", without "I" and "my".'
        if not _YOU.match(memory) or _SOMEBODY.search(memory):
            reject([Problem("", memory, f"got {memory[:60]!r}{rest}", "voice")])
        return memory


class SeedMemories(Answer):
    """One memory for each topic."""

    items_field = "memories"
    key_field = "number"
    keys_name = "numbers"

    memories: Annotated[list[SeedMemory], Field(min_length=1, max_length=8)] = Field(
        description="one memory for each topic in TOPICS"
    )

    @field_validator("memories")
    @classmethod
    def _are_distinct(cls, memories: list[SeedMemory], info: ValidationInfo) -> list[SeedMemory]:
        """Check that each topic has one memory, and that no two tell the same."""
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
        """Return the memories with their numbers corrected if only the counting is wrong."""
        return mend_keys(cls, data, context)

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
