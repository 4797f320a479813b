"""The answer of the step `invent_person`: a new person of the town."""

from typing import Annotated, Self

from pydantic import Field, ValidationInfo, field_validator

from smolville.parsers.answer import Answer, read_context_value
from smolville.parsers.making.naming import check_offered, check_person_name
from smolville.parsers.problem import own_problem, reject


class Newcomer(Answer):
    """A person in a few words."""

    name: Annotated[str, Field(min_length=4, max_length=40)] = Field(
        description="first name and family name",
        json_schema_extra={"aliases": ["full_name"]},
    )
    age: Annotated[int, Field(ge=18, le=95)] = Field(description="age in years")
    work: str = Field(
        description='a place from WORK, word for word, or "none" for somebody without work',
        json_schema_extra={"aliases": ["workplace", "place"]},
    )
    job: Annotated[str, Field(min_length=4, max_length=60)] = Field(
        description="what this person is at work, or was, in two or three words",
        json_schema_extra={"aliases": ["occupation", "profession"]},
    )
    traits: Annotated[
        list[Annotated[str, Field(min_length=3, max_length=24)]], Field(min_length=3, max_length=4)
    ] = Field(description="traits of character, one word each")

    @field_validator("name")
    @classmethod
    def _is_free(cls, name: str, info: ValidationInfo) -> str:
        """Check that the name is the requested one; without a request, that nobody else has it."""
        given = read_context_value(info.context, "name")
        if given:
            if name != given:
                reject([own_problem(name, f". Write {given!r}.", "choice")])
            return name
        reject(check_person_name(name))
        taken = {
            word
            for each in read_context_value(info.context, "taken") or ()
            for word in each.casefold().split()
        }
        again = [word for word in name.split() if word.casefold() in taken]
        if again:
            rest = f". Somebody else is called {again[0]}. Write another name."
            reject([own_problem(name, rest, "duplicate")])
        return name

    @field_validator("work")
    @classmethod
    def _is_offered(cls, work: str, info: ValidationInfo) -> str:
        """Check that the place is one of those offered."""
        reject(check_offered(work, info.context, "work"))
        return work

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            name="Wilma Achterberg",
            age=58,
            work="The Blue Wedge",
            job="a foreman of the quarry",
            traits=["dry", "fair", "hard of hearing"],
        )
