"""The part of town where an activity is done."""

from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator

from parsers.answer import Answer, Context, known
from parsers.problem import nearest_first, own_problem, reject
from parsers.reading.scalars import same_choice


class SectorChoice(Answer):
    """One sector of the town, by its number."""

    reason: Annotated[str, Field(max_length=200)] = Field(
        description="why there, in one sentence",
        json_schema_extra={"trims": True, "aliases": ["why", "reasoning", "explanation"]},
    )
    sector: int = Field(
        description="the number of one place from SECTORS",
        json_schema_extra={"aliases": ["number", "place", "choice", "sector_number"]},
    )

    @field_validator("sector")
    @classmethod
    def _was_offered(cls, sector: int, info: ValidationInfo) -> int:
        """The number is one of those offered."""
        sectors = known(info.context, "sectors")
        if sectors is not None and sector not in sectors:
            reject([own_problem(sector, f". {_offered(sector, sectors)}")])
        return sector

    @field_validator("sector", mode="before")
    @classmethod
    def _is_a_number(cls, sector: Any, info: ValidationInfo) -> Any:
        """A text that is no sector's name gets the list of those offered."""
        sectors = known(info.context, "sectors")
        if sectors is not None and isinstance(sector, str):
            reject([own_problem(sector, f". {_offered(sector, sectors)}")])
        return sector

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The number of the sector whose name was written; an address counts as its sector."""
        sectors, given = known(context, "sectors"), data.get("sector")
        if sectors is None or not isinstance(given, str):
            return data, []
        names = tuple(sectors.values())
        name = same_choice(given, names) or same_choice(given.partition(": ")[0], names)
        if name is None:
            return data, []
        number = next(key for key, value in sectors.items() if value == name)
        return data | {"sector": number}, [f"`sector`: read {given[:60]!r} as {number}"]

    @classmethod
    def example(cls) -> Self:
        """A worked example."""
        return cls(reason="Fresh vegetables are sold at the market.", sector=2)


def _offered(got: object, sectors: dict[int, str]) -> str:
    """The sentence that lists the sectors, the one most like what was got first."""
    numbers = {name: number for number, name in sectors.items()}
    names = nearest_first(got, numbers)
    return "Write one number: " + ", ".join(f"{numbers[str(n)]} ({n})" for n in names) + "."
