"""The answer of the step `tell_story`: somebody's life so far, and what is on their mind."""

from typing import Annotated, Self

from pydantic import Field, ValidationInfo, field_validator

from smolville.parsers.answer import Answer, read_context_value
from smolville.parsers.making.naming import check_third_person
from smolville.parsers.problem import reject


class LifeStory(Answer):
    """The past and the present of a person, in the third person."""

    learned: Annotated[str, Field(min_length=40, max_length=360)] = Field(
        description="two or three sentences on the life of this person so far",
        json_schema_extra={"aliases": ["story", "past", "history"]},
    )
    currently: Annotated[str, Field(min_length=30, max_length=280)] = Field(
        description="one or two sentences on what this person wants to get done these days",
        json_schema_extra={"aliases": ["present", "now", "current"]},
    )

    @field_validator("learned", "currently")
    @classmethod
    def _is_about_them(cls, text: str, info: ValidationInfo) -> str:
        """Check that the text mentions the person by name, in the third person."""
        first_name = read_context_value(info.context, "first_name")
        if first_name is not None:
            reject(check_third_person(text, first_name))
        return text

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            learned="Wilma came to the quarry as a girl of sixteen and never left it. Two winters "
            "ago a blast took half of Wilma's hearing, and now Wilma reads lips.",
            currently="Wilma writes down which tunnels are safe before nobody remembers. Wilma "
            "also looks for a young dog.",
        )
