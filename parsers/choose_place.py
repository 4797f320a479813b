"""The answer of the step `choose_place`: the sector where an activity is done."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator

from smolville.parsers.answer import Answer, Context, answer_field, read_context_value
from smolville.parsers.problem import MOST_NAMED, Kind, by_number, own_problem, reject
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput, SectorCard
from smolville.parsers.reading.values import fold_text


class ChoosePlaceInput(PromptInput):
    """The inputs that the prompt `choose_place` shows."""

    me: PersonaInput
    now: str
    activity: str
    sectors: tuple[SectorCard, ...]
    """Every sector I know."""


class SectorChoice(Answer):
    """One sector of the town, by its number."""

    reason: Annotated[str, Field(max_length=200)] = answer_field(
        "why there, in one sentence", "why reasoning explanation", trims=True
    )
    sector: int = answer_field(
        "the number of one place from SECTORS", "number place choice sector_number"
    )

    @field_validator("sector")
    @classmethod
    def _was_offered(cls, sector: int, info: ValidationInfo) -> int:
        sectors = read_context_value(info.context, "sectors")
        if sectors is not None and sector not in sectors:
            reject([own_problem(sector, f". {_format_offered_sectors(sector, sectors)}", "choice")])
        return sector

    @field_validator("sector", mode="before")
    @classmethod
    def _is_a_number(cls, sector: Any, info: ValidationInfo) -> Any:
        """Reject a text that names no sector, with the list of the sectors offered."""
        sectors = read_context_value(info.context, "sectors")
        if sectors is not None and isinstance(sector, str):
            level, having = _other_level(sector, info.context)
            kind: Kind = "level" if level else "choice"
            reject(
                [
                    own_problem(
                        sector, f"{level}. {_format_offered_sectors(sector, sectors, having)}", kind
                    )
                ]
            )
        return sector

    @classmethod
    def labels(cls, context: Context | None) -> Mapping[str, Mapping[int, str]]:
        """Return the sectors' names; a reply may give a name or an address for a number."""
        sectors = read_context_value(context, "sectors")
        return {"sector": sectors} if sectors else {}

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(reason="Fresh vegetables are sold at the market.", sector=2)


def _format_offered_sectors(got: object, sectors: dict[int, str], first: Sequence[int] = ()) -> str:
    """Return the sentence that lists sectors: first those in `first`, then the most similar."""
    listed, has_more = by_number(got, sectors, first)
    more = ", or another number from SECTORS" if has_more else ""
    return f"Write one number: {listed}{more}."


def _other_level(got: str, context: Context | None) -> tuple[str, list[int]]:
    """Return words for what a reply named instead of a sector, and the numbers of fitting sectors.

    If the text is a room, they are the sectors with such a room. For a person there are words, but
    no sectors. For any other text, both are empty.
    """
    sectors, folded = read_context_value(context, "sectors") or {}, fold_text(got)
    rooms = read_context_value(context, "rooms") or {}
    having = [
        number
        for number, inside in rooms.items()
        if number in sectors and any(fold_text(room) == folded for room in inside)
    ]
    if having:
        sector_names = " and ".join(repr(sectors[number]) for number in having[:MOST_NAMED])
        return f", which is a room of {sector_names}", having
    people = read_context_value(context, "people") or ()
    if any(
        folded in {fold_text(name), fold_text(name).split()[0]} for name in people if name.strip()
    ):
        return ", which is a person, not one of SECTORS", []
    return "", []
