"""The answer of the step `revise_identity`: an agent's identity on a new day."""

from typing import Annotated, Self

from pydantic import Field

from smolville.parsers.answer import Answer, answer_field
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput, RecalledMemory


class ReviseIdentityInput(PromptInput):
    """The inputs that the prompt `revise_identity` shows."""

    me: PersonaInput
    date: str
    """Date of the new day."""
    requirement: str
    """Yesterday's requirement."""
    usual: str
    """The requirement of any day, from the persona file."""
    memories: tuple[RecalledMemory, ...]
    """The most important memories of yesterday."""


class NewIdentity(Answer):
    """An agent's current concerns, and the requirement for today."""

    currently: Annotated[str, Field(min_length=10, max_length=400)] = answer_field(
        "what this person is busy with these days, in the third person",
        "status current identity current_status",
    )
    requirement: Annotated[str, Field(min_length=10, max_length=300)] = answer_field(
        "what today must hold, in the third person", "requirements today daily_requirement"
    )

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            currently="Anna is saving for a new oven and looks forward to the harvest fair.",
            requirement="Anna opens the bakery at eight and must call the oven dealer today.",
        )
