"""The answer of the step `invent_town`: what a new town is called and what it is like."""

from typing import Annotated, Self

from pydantic import Field, field_validator

from parsers.answer import Answer
from parsers.making.naming import check_place_name
from parsers.problem import reject


class TownIdea(Answer):
    """A town in a few words, and what somebody plans there."""

    name: Annotated[str, Field(min_length=3, max_length=24)] = Field(
        description="the name of the town, one or two words",
        json_schema_extra={"aliases": ["town", "town_name"]},
    )
    description: Annotated[str, Field(min_length=40, max_length=360)] = Field(
        description="two sentences: where the town lies, and how people live there",
        json_schema_extra={"aliases": ["about", "summary"]},
    )
    occasion: Annotated[str, Field(min_length=8, max_length=70)] = Field(
        description='something small that one person wants to hold for all: "a ..."',
        json_schema_extra={"aliases": ["event", "plan"]},
    )

    @field_validator("name")
    @classmethod
    def _is_a_name(cls, name: str) -> str:
        """Check that it can be the name of a place."""
        reject(check_place_name(name))
        return name

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            name="Hollin Ridge",
            description="Hollin Ridge is a slate village on a windy hill, an hour from the "
            "nearest railway. Its people quarry, keep sheep and meet at the mill on Saturdays.",
            occasion="a kite race for old and young",
        )
