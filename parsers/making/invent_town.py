"""The answer of the step `invent_town`: what a new town is called and what it is like."""

import re
from typing import Annotated, Self

from pydantic import Field, field_validator

from smolville.parsers.answer import Answer
from smolville.parsers.making.naming import check_place_name
from smolville.parsers.problem import own_problem, reject

_WHEN = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|tonight|weekend|every|weekly"
    r"|annual|\d+ ?[ap]m|noon|midnight)\b",
    re.IGNORECASE,
)
"""Words for a day or a time."""


class TownIdea(Answer):
    """A town in a few words, and what somebody plans there."""

    name: Annotated[str, Field(min_length=3, max_length=24)] = Field(
        description="the name of the town, one or two words",
        json_schema_extra={"aliases": ["town", "town_name"]},
    )
    description: Annotated[str, Field(min_length=40, max_length=280)] = Field(
        description="two short sentences: where the town lies, and what is special there",
        json_schema_extra={"aliases": ["about", "summary"]},
    )
    occasion: Annotated[str, Field(min_length=8, max_length=70)] = Field(
        description='something small that one person wants to hold for all: "a ..."',
        json_schema_extra={"aliases": ["event", "plan"]},
    )

    @field_validator("name")
    @classmethod
    def _is_a_name(cls, name: str) -> str:
        """Check that the text can be the name of a place."""
        reject(check_place_name(name))
        return name

    @field_validator("occasion")
    @classmethod
    def _is_for_any_day(cls, occasion: str) -> str:
        """Check that the text names no day and no hour, which are set elsewhere."""
        found = _WHEN.search(occasion)
        if found is not None:
            rest = f", with {found.group()!r} in it. Say what it is, without a day and a time."
            reject([own_problem(occasion, rest)])
        return occasion

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            name="Hollin Ridge",
            description="Hollin Ridge is a slate village on a windy hill, an hour from the "
            "nearest railway. Every Saturday the whole village weighs its cheeses at the mill.",
            occasion="a kite race for old and young",
        )
