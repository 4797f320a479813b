"""Where each subtask is done, with what, and how it looks."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from parsers.answer import Answer, Context, Part, known
from parsers.places import ELSEWHERE, mended_item, named_place_problem, place_problems
from parsers.problem import own_problem, reject
from parsers.reading.emoji import first_emoji
from parsers.reading.keys import key_problems, mend_keys
from parsers.reading.scalars import null_when_said

__all__ = ["ELSEWHERE", "GroundedTask", "Grounding"]

_NO_EMOJI = '. Write one or two emoji, such as "🍳".'


class GroundedTask(Part):
    """One subtask, put into the world."""

    task: int = Field(
        description="the number of the task from TASKS",
        json_schema_extra={"aliases": ["number", "task_number", "subtask", "id"]},
    )
    place: Annotated[int, Field(ge=0)] = Field(
        description="the number of one place from PLACES, or 0 when none of them fits",
        json_schema_extra={"aliases": ["place_number", "location"]},
    )
    object: Annotated[str, Field(min_length=1, max_length=80)] | None = Field(
        default=None,
        description="the object used, one of those listed for that place; null when none is used",
        json_schema_extra={"aliases": ["object_used", "used_object"]},
    )
    emoji: str = Field(
        description="one or two emoji that show the activity",
        json_schema_extra={"maxLength": 20, "aliases": ["emojis"]},
    )
    predicate: Annotated[str, Field(min_length=1, max_length=30)] = Field(
        description="what is done, as one verb",
        json_schema_extra={"aliases": ["verb"]},
    )
    thing: Annotated[str, Field(min_length=1, max_length=60)] = Field(
        description="what it is done to or with", json_schema_extra={"aliases": ["target"]}
    )
    object_state: Annotated[str, Field(max_length=60)] | None = Field(
        default=None,
        description="how the object is while it is used; null when none is used",
        json_schema_extra={"aliases": ["state"]},
    )
    object_emoji: Annotated[str, Field(json_schema_extra={"maxLength": 20})] | None = Field(
        default=None, description="one or two emoji that show the object's state"
    )

    @field_validator("object", "object_state", "object_emoji", mode="before")
    @classmethod
    def _is_null_when_said(cls, value: Any) -> Any:
        return null_when_said(value)

    @field_validator("place", mode="before")
    @classmethod
    def _is_a_number(cls, value: Any, info: ValidationInfo) -> Any:
        """A text that names no place gets the list of those offered."""
        if isinstance(value, str) and known(info.context, "places") is not None:
            reject([named_place_problem(value, info.context)])
        return value

    @field_validator("emoji")
    @classmethod
    def _is_emoji(cls, value: str) -> str:
        """At most two whole emoji, and nothing else."""
        emoji = first_emoji(value)
        if not emoji:
            reject([own_problem(value, _NO_EMOJI, "choice")])
        return emoji

    @field_validator("object_emoji")
    @classmethod
    def _is_emoji_or_null(cls, value: str | None) -> str | None:
        """At most two whole emoji; nothing where there is none, for the object can do without."""
        return first_emoji(value or "") or None

    @model_validator(mode="after")
    def _is_in_the_world(self, info: ValidationInfo) -> Self:
        """The place was offered and has the object."""
        if known(info.context, "places") is not None:
            reject(place_problems(self.place, self.object, info.context))
        return self


class Grounding(Answer):
    """Where and how each subtask is done: every task exactly once."""

    items_field = "items"
    key_field = "task"
    keys_name = "tasks"

    items: Annotated[list[GroundedTask], Field(min_length=1, max_length=6)] = Field(
        description="one object for each task from TASKS",
        json_schema_extra={"aliases": ["tasks", "subtasks", "grounding"]},
    )

    @field_validator("items")
    @classmethod
    def _are_as_asked(cls, items: list[GroundedTask], info: ValidationInfo) -> list[GroundedTask]:
        """Every task is grounded exactly once."""
        reject(key_problems(cls, [item.task for item in items], info.context))
        return items

    @classmethod
    def labels(cls, context: Context | None) -> Mapping[str, Mapping[int, str]]:
        """The places' addresses and the tasks' activities, where the step gives them."""
        addresses, activities = known(context, "addresses"), known(context, "activities")
        labels = {"items[].task": activities} if activities else {}
        if addresses:
            labels["items[].place"] = {ELSEWHERE: "elsewhere", **addresses}
        return labels

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The items with their numbers, objects' spelling and emoji mended."""
        data, notes = mend_keys(cls, data, context)
        items = data.get("items")
        if not isinstance(items, list):
            return data, notes
        mended = []
        for position, item in enumerate(items):
            fresh = item
            if isinstance(item, dict):
                fresh, done = mended_item(item, context)
                notes += [f"`items.{position}.{note}" for note in done]
            mended.append(fresh)
        return data | {"items": mended}, notes

    @classmethod
    def example(cls) -> Self:
        """A worked example: one task at a place, one elsewhere."""
        return cls(
            items=[
                GroundedTask(
                    task=1,
                    place=2,
                    object="stove",
                    emoji="🍳",
                    predicate="cooks",
                    thing="breakfast",
                    object_state="hot, with a pan on it",
                    object_emoji="🔥",
                ),
                GroundedTask(task=2, place=0, emoji="🏊", predicate="swims in", thing="the lake"),
            ]
        )
