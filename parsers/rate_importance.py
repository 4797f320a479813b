"""The answer of the step `rate_importance`: how important each memory is."""

from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator

from smolville.parsers.answer import Answer, AnswerPart, Context, Mended, answer_field
from smolville.parsers.problem import reject
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput, RecalledMemory
from smolville.parsers.reading.keeping import key_problems, mend_keys


class RateImportanceInput(PromptInput):
    """The inputs that the prompt `rate_importance` shows."""

    me: PersonaInput
    memories: tuple[RecalledMemory, ...]
    """At most 16 memories, numbered."""


class Rating(AnswerPart):
    """The importance of one memory."""

    number: int = answer_field(
        "the number of the memory in MEMORIES", "id memory memory_number index no n"
    )
    importance: Annotated[int, Field(ge=1, le=10)] = answer_field(
        "1 is trivial, 10 changes a life", "rating score poignancy"
    )


class Ratings(Answer):
    """The importance of each of some memories: every number exactly once."""

    items_field = "ratings"
    key_field = "number"
    keys_name = "numbers"

    ratings: Annotated[list[Rating], Field(min_length=1, max_length=16)] = answer_field(
        "one rating for each memory in MEMORIES", "memories scores"
    )

    @field_validator("ratings")
    @classmethod
    def _are_as_asked(cls, ratings: list[Rating], info: ValidationInfo) -> list[Rating]:
        reject(key_problems(cls, [rating.number for rating in ratings], info.context))
        return ratings

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Return the ratings with corrected numbers, and notes (see `mend_keys`)."""
        return mend_keys(cls, data, context)

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            ratings=[
                Rating(number=1, importance=1),
                Rating(number=2, importance=7),
            ]
        )
