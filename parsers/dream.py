"""The answer of the step `dream`: what somebody dreams."""

from typing import Annotated, Self

from pydantic import Field

from parsers.answer import Answer

LONGEST = 240
"""Characters of a dream at most: two sentences."""


class Dream(Answer):
    """A dream in a sentence or two."""

    dream: Annotated[str, Field(min_length=20, max_length=LONGEST)] = Field(
        description="the dream, in one or two sentences, as I",
        json_schema_extra={"aliases": ["text", "content", "my_dream", "story"]},
    )

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            dream="I rowed a boat full of clocks through the bakery, and every clock asked me for "
            "bread."
        )
