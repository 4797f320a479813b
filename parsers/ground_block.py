"""Where each subtask is done, with what, and how it looks."""

from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from parsers.answer import Answer, Context, Part, known
from parsers.problem import Problem, field_problem, one_of, own_problem, reject
from parsers.reading.emoji import first_emoji
from parsers.reading.keys import key_problems, mend_keys
from parsers.reading.scalars import null_when_said, same_choice

ELSEWHERE = 0
"""The number that stands for none of the places offered."""

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
        default=None, description="one or two emoji that show the object's state, or null"
    )

    @field_validator("object", "object_state", "object_emoji", mode="before")
    @classmethod
    def _is_null_when_said(cls, value: Any) -> Any:
        return null_when_said(value)

    @field_validator("emoji")
    @classmethod
    def _is_emoji(cls, value: str) -> str:
        """At most two whole emoji, and nothing else."""
        emoji = first_emoji(value)
        if not emoji:
            reject([own_problem(value, _NO_EMOJI)])
        return emoji

    @field_validator("object_emoji")
    @classmethod
    def _is_emoji_or_null(cls, value: str | None) -> str | None:
        """At most two whole emoji; nothing where there is none, for the object can do without."""
        return first_emoji(value or "") or None

    @model_validator(mode="after")
    def _is_in_the_world(self, info: ValidationInfo) -> Self:
        """The place was offered and has the object."""
        places = known(info.context, "places")
        if places is not None:
            reject(_place_problems(self.place, self.object, places))
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
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The items with their numbers, objects' spelling and emoji mended."""
        data, notes = mend_keys(cls, data, context)
        items, places = data.get("items"), known(context, "places")
        if not isinstance(items, list):
            return data, notes
        mended = []
        for position, item in enumerate(items):
            fresh = item
            if isinstance(item, dict):
                fresh, done = _mended(item, places or {})
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


def _place_problems(place: int, name: str | None, places: dict[int, list[str]]) -> list[Problem]:
    """What is wrong with a place and an object in it."""
    if place != ELSEWHERE and place not in places:
        return [field_problem("place", place, f". Write {_numbers(places)}.")]
    here = places.get(place, [])
    if name is None or name in here:
        return []
    return [field_problem("object", name, f"{_where(name, places)} {_instead(place, name, here)}")]


def _numbers(places: dict[int, list[str]]) -> str:
    """The numbers that may be written for a place."""
    return ", ".join(map(str, places)) + f" or, for elsewhere, {ELSEWHERE}"


def _where(name: str, places: dict[int, list[str]]) -> str:
    """Which other places have the object."""
    having = [str(number) for number, objects in places.items() if name in objects]
    if not having:
        return ", which is no object of this place."
    return f", which is not there but in place {' and '.join(having)}."


def _instead(place: int, name: str, here: list[str]) -> str:
    """What may be written as the object instead."""
    if place == ELSEWHERE:
        return "With place 0, write null."
    if not here:
        return f"Place {place} has no objects: write null."
    return f"{one_of(name, here)[:-1]}; or null."


def _mended(item: dict[str, Any], places: dict[int, list[str]]) -> tuple[dict[str, Any], list[str]]:
    """One item with its object spelled as its place has it, and only emoji for emoji."""
    fresh, notes = dict(item), []
    name, place = item.get("object"), item.get("place")
    here = places.get(place, []) if isinstance(place, int) else []
    if isinstance(name, str) and name not in here:
        same = same_choice(name, tuple(here))
        if same is not None:
            fresh["object"] = same
            notes.append(f"object`: read {name[:40]!r} as {same!r}")
        elif place == ELSEWHERE and places and not _is_somewhere(name, places):
            fresh["object"] = None
            notes.append("object`: left out, for it is elsewhere")
    for field in ("emoji", "object_emoji"):
        text = item.get(field)
        if isinstance(text, str) and first_emoji(text) not in {"", text}:
            fresh[field] = first_emoji(text)
            notes.append(f"{field}`: kept its first emoji")
    return fresh, notes


def _is_somewhere(name: str, places: dict[int, list[str]]) -> bool:
    """Whether any place has an object of this name."""
    return any(same_choice(name, tuple(objects)) for objects in places.values())
