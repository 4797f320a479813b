"""The answer of the step `dream`: what somebody dreams."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field

from smolville.parsers.answer import Answer, Context, Mended, answer_field
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput, RecalledMemory
from smolville.parsers.reading.sentences import keep_whole_sentences

LONGEST = 240
"""Maximum number of characters of a dream: two sentences."""


class DreamInput(PromptInput):
    """The inputs that the prompt `dream` shows."""

    me: PersonaInput
    date: str
    memories: tuple[RecalledMemory, ...]
    """The memories chosen at random, numbered."""


class Dream(Answer):
    """A dream in a sentence or two."""

    dream: Annotated[str, Field(min_length=20, max_length=LONGEST)] = answer_field(
        "the dream, in one or two sentences, as I", "text content my_dream story"
    )

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """Return the JSON schema for one call, which leaves room to finish a sentence."""
        schema = super().call_schema(choices)
        schema["properties"]["dream"]["maxLength"] = 2 * LONGEST
        return schema

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Return the first sentences of a dream that is too long."""
        text = data.get("dream")
        if not isinstance(text, str) or len(text) <= LONGEST:
            return data, []
        kept = keep_whole_sentences(text, longest=LONGEST)
        return data | {"dream": kept}, ["`dream`: kept the first sentences"]

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            dream="I rowed a boat full of clocks through the bakery, and every clock asked me for "
            "bread."
        )
