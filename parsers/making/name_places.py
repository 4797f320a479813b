"""The answer of the step `name_places`: the places of a new town where people work and meet."""

from dataclasses import replace
from typing import Annotated, Self

from pydantic import Field, ValidationInfo, field_validator

from smolville.parsers.answer import Answer, AnswerPart, read_context_value
from smolville.parsers.making.naming import check_place_name
from smolville.parsers.problem import Problem, field_problem, one_of, reject

Name = Annotated[str, Field(min_length=3, max_length=32)]


class NamedPlace(AnswerPart):
    """One place."""

    kind: str = Field(
        description="a kind from KINDS, word for word",
        json_schema_extra={"aliases": ["type"]},
    )
    name: Name = Field(description="its own name, as on a sign over the door")


class NamedPlaces(Answer):
    """The open place in the middle of a town, and where people work."""

    square: Name = Field(
        description="the name of the open square in the middle of the town",
        json_schema_extra={"aliases": ["green", "square_name"]},
    )
    places: Annotated[list[NamedPlace], Field(min_length=1, max_length=20)] = Field(
        description="the places, as many as asked for, each of another kind"
    )

    @field_validator("square")
    @classmethod
    def _is_a_name(cls, square: str) -> str:
        """Check that the text can be the name of a place."""
        reject(check_place_name(square))
        return square

    @field_validator("places")
    @classmethod
    def _are_as_asked(cls, places: list[NamedPlace], info: ValidationInfo) -> list[NamedPlace]:
        """Check the number of places, that each kind was offered, and that no two are alike."""
        kinds = read_context_value(info.context, "kinds")
        if kinds is None:
            return places
        count: int = read_context_value(info.context, "count")
        problems = _problems(places, kinds, info.data.get("square", ""))
        if len(places) != count:
            problems.append(
                Problem("", str(len(places)), f"got {len(places)} places. Write exactly {count}.")
            )
        reject(problems)
        return places

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            square="Sheepwash Green",
            places=[
                NamedPlace(kind="quarry", name="The Blue Wedge"),
                NamedPlace(kind="tea room", name="The Wet Kettle"),
            ],
        )


def _problems(places: list[NamedPlace], kinds: list[str], square: str) -> list[Problem]:
    """Return what is wrong with the kinds and names of some places."""
    found: list[Problem] = []
    seen, names = set[str](), {square.casefold()}
    for number, place in enumerate(places):
        at, name = str(number), place.name.casefold()
        if place.kind not in kinds:
            found.append(
                field_problem(f"{at}.kind", place.kind, f". {one_of(place.kind, kinds)}", "choice")
            )
        elif place.kind in seen:
            rest = ", a kind that is in the list already. Take another one."
            found.append(field_problem(f"{at}.kind", place.kind, rest, "duplicate"))
        found += [
            replace(each, field=f"{at}.name", message=f"`name` of item {number + 1}: {each}")
            for each in check_place_name(place.name)
        ]
        if name in names or name in kinds:
            rest = ". Give it a name of its own, as on a sign over the door."
            found.append(field_problem(f"{at}.name", place.name, rest, "duplicate"))
        seen.add(place.kind)
        names.add(name)
    return found
