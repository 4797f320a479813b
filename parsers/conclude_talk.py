"""What a talk leaves behind in one who took part."""

from typing import Annotated, Any, Self

from pydantic import Field, field_validator

from parsers.answer import Answer
from parsers.reading.scalars import null_when_said


class TalkConclusion(Answer):
    """What was said, what to remember, and what it means."""

    summary: Annotated[str, Field(min_length=5, max_length=300)] = Field(
        description="what the talk was about, in one or two sentences",
        json_schema_extra={"aliases": ["talk_summary"]},
    )
    remember: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=200)]], Field(max_length=3)
    ] = Field(
        description="what you want to remember; an empty list [] when nothing",
        json_schema_extra={"aliases": ["memories", "to_remember", "memo"]},
    )
    plan: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        default=None,
        description="what it means for your plans; null when nothing",
        json_schema_extra={"aliases": ["plans", "planning"]},
    )
    relationship: Annotated[str, Field(min_length=3, max_length=200)] = Field(
        description="how you stand to each other now, in one sentence"
    )
    feeling: Annotated[str, Field(min_length=3, max_length=120)] = Field(
        description="how you feel now", json_schema_extra={"aliases": ["feelings", "emotion"]}
    )
    importance: Annotated[int, Field(ge=1, le=10)] = Field(
        description="how much the talk matters to you, 1 is trivial and 10 changes your life",
        json_schema_extra={"aliases": ["rating", "score", "poignancy"]},
    )

    @field_validator("plan", mode="before")
    @classmethod
    def _is_null_when_said(cls, value: Any) -> Any:
        return null_when_said(value)

    @classmethod
    def example(cls) -> Self:
        """A worked example."""
        return cls(
            summary="Ben told Anna that the harvest fair is on Saturday and asked her to bake.",
            remember=["The harvest fair is on Saturday at noon.", "Ben needs forty rolls."],
            plan="Anna bakes forty rolls on Saturday morning.",
            relationship="Ben is a good neighbour who trusts Anna.",
            feeling="glad to be asked",
            importance=5,
        )
