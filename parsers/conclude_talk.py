"""What a talk leaves behind in one who took part."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationInfo, field_validator

from parsers.answer import Answer, Context, known
from parsers.problem import field_problem, one_of, reject
from parsers.reading.scalars import null_when_said

MOST_KEPT = 3
"""Lines of a talk that are kept at the most."""
LONGEST = 200
"""Characters of a summary: one sentence."""
Feeling = Literal[
    "glad", "grateful", "hopeful", "amused", "curious", "calm", "worried", "sad", "annoyed", "hurt"
]


class TalkConclusion(Answer):
    """What was said, which lines to keep, what was promised, and the feeling that stays."""

    summary: Annotated[str, Field(min_length=5, max_length=LONGEST)] = Field(
        description="what was talked about, in one sentence",
        json_schema_extra={"aliases": ["talk_summary"]},
    )
    keep: Annotated[list[int], Field(max_length=MOST_KEPT)] = Field(
        description="the numbers of lines in TALK with news or an invitation; [] when none",
        json_schema_extra={"aliases": ["kept", "lines", "numbers", "news"]},
    )
    promise: Annotated[str, Field(min_length=3, max_length=160)] | None = Field(
        default=None,
        description="what you yourself have promised to do, with day and time; null when nothing",
        json_schema_extra={"aliases": ["plan", "plans", "planning", "promises"]},
    )
    feeling: Feeling = Field(
        description="how the talk leaves you",
        json_schema_extra={"aliases": ["feelings", "emotion", "mood"]},
    )

    @field_validator("promise", mode="before")
    @classmethod
    def _is_null_when_said(cls, value: Any) -> Any:
        return null_when_said(value)

    @field_validator("keep")
    @classmethod
    def _are_lines_of_others(cls, keep: list[int], info: ValidationInfo) -> list[int]:
        """Every number is that of a line that somebody else said."""
        numbers = known(info.context, "numbers")
        for at, number in enumerate(keep):
            if numbers is not None and number not in numbers:
                rest = f", which is no line that somebody else said. {one_of(number, numbers)}"
                reject([field_problem(str(at), number, rest, "choice")])
        return keep

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The lines of others alone, each once, and only as many as are kept."""
        keep, numbers = data.get("keep"), known(context, "numbers")
        if numbers is None or not isinstance(keep, list):
            return data, []
        if any(not isinstance(number, int) for number in keep):
            return data, []
        kept = [number for number in dict.fromkeys(keep) if number in numbers][:MOST_KEPT]
        if kept == keep:
            return data, []
        return data | {"keep": kept}, ["`keep`: left out numbers of other lines"]

    @classmethod
    def example(cls) -> Self:
        """A worked example."""
        return cls(
            summary="Ben told Anna about the harvest fair and asked her to bake.",
            keep=[2],
            promise="Anna bakes forty rolls by noon on Saturday.",
            feeling="glad",
        )
