"""The answer of the step `tell_bond`: how two people of a town are related."""

from typing import Annotated, Self

from pydantic import Field, ValidationInfo, field_validator

from smolville.parsers.answer import Answer, read_context_value
from smolville.parsers.making.naming import check_offered, check_third_person
from smolville.parsers.problem import reject


class Bond(Answer):
    """A bond between two people, and a fact that both know."""

    bond: str = Field(
        description="what they are to each other, from BONDS, word for word",
        json_schema_extra={"aliases": ["relationship", "kind"]},
    )
    fact: Annotated[str, Field(min_length=20, max_length=160)] = Field(
        description="one sentence, with both first names: what they did or do together",
        json_schema_extra={"aliases": ["sentence", "reason"]},
    )

    @field_validator("bond")
    @classmethod
    def _is_offered(cls, bond: str, info: ValidationInfo) -> str:
        """Check that the bond is one of those offered."""
        reject(check_offered(bond, info.context, "bonds"))
        return bond

    @field_validator("fact")
    @classmethod
    def _names_both(cls, fact: str, info: ValidationInfo) -> str:
        """Check that the fact mentions both people by name, in the third person."""
        for first_name in read_context_value(info.context, "first_names") or ():
            reject(check_third_person(fact, first_name))
        return fact

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            bond="rivals",
            fact="Wilma and Jonas both bid for the old winch, and Jonas still has it.",
        )
