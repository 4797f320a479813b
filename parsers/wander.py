"""The answer of the step `wander`: one new thing to do on this day."""

from typing import Annotated, Literal, Self

from pydantic import Field

from smolville.parsers.answer import Answer, answer_field
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput, RecalledMemory

DayPart = Literal["morning", "afternoon", "evening"]


class WanderInput(PromptInput):
    """The inputs that the prompt `wander` shows."""

    me: PersonaInput
    date: str
    usual: str
    """The requirement of an ordinary day, from the persona file."""
    memories: tuple[RecalledMemory, ...]
    """The memories chosen at random, numbered."""


class NovelIdea(Answer):
    """An unusual thing to do, and the part of the day for it."""

    reason: Annotated[str, Field(min_length=5, max_length=160)] = answer_field(
        "which memories made you think of it, in a few words", "why because thought"
    )
    idea: Annotated[str, Field(min_length=8, max_length=80)] = answer_field(
        'one new thing to do, in a few words; begin with an "-ing" word', "activity new_idea plan"
    )
    part: DayPart = answer_field("the part of the day that suits it", "when time part_of_day")

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            reason="the old clock and the choir both came to my mind",
            idea="teaching the choir a song about the town clock",
            part="evening",
        )
