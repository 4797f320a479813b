"""Small values that prompts show: a persona, a memory, a place, a line of a talk."""

import ast
import inspect
from collections.abc import Mapping
from itertools import pairwise
from textwrap import dedent
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from agents.habits import Habits
from agents.places import join_address

NOT_ALLOWED = "not allowed now: "
"""Words before the rule of the town by which a spot is forbidden, at the end of its note."""
ALL_NOT_ALLOWED = f"all {NOT_ALLOWED}"
"""Words before the rule by which all rooms of a sector are forbidden."""


class PromptInput(BaseModel):
    """A frozen value shown by a template; an attribute it does not have is an error there."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the JSON schema, with the string beneath each field as its description."""
        schema = handler(core_schema)
        fields: dict[str, dict[str, Any]] = handler.resolve_ref_schema(schema).get("properties", {})
        for name, note in read_field_notes(cls).items():
            fields[name].setdefault("description", note)
        return schema


def read_field_notes(model: type[PromptInput]) -> Mapping[str, str]:
    """Return the string beneath each field of an input model that has one, by the field's name.

    Pydantic would read them for each class at import, which takes a sixth of the time until a
    command has its steps. Only forms and the pages of templates show them.
    """
    notes: dict[str, str] = {}
    for part in reversed(model.__mro__):
        if part is PromptInput or not issubclass(part, PromptInput):
            continue
        (tree,) = ast.parse(dedent(inspect.getsource(part))).body
        for field, below in pairwise(tree.body if isinstance(tree, ast.ClassDef) else ()):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(name)),
                    ast.Expr(value=ast.Constant(value=str(note))),
                ):
                    notes[name] = inspect.cleandoc(note)
    return notes


class PersonaInput(PromptInput):
    """A persona in the form in which its own prompts show it."""

    name: str
    first_name: str
    age: int
    innate: str
    learned: str
    currently: str
    lifestyle: str
    home: str
    work: str
    habits: Habits = Field(Habits(), exclude_if=lambda habits: habits == Habits())
    """The habits that the persona file has as fields."""


class RecalledMemory(PromptInput):
    """A memory as a prompt shows it."""

    number: int
    """From 1, in the order shown."""
    when: str
    """`today 07:40`, `yesterday 18:05`, `Monday 6 May 18:05`."""
    text: str


class SpotCard(PromptInput):
    """A numbered spot that may be chosen for a task: a place, or one object in it."""

    number: int
    place: str
    """`sector: arena`."""
    object: str = ""
    """The object used there; empty if none is."""
    note: str = ""
    """What is known of it now: `you are here`, `your home`, `in use`; last, a rule of the town."""

    @property
    def forbidden(self) -> str:
        """The rule of the town that the task would break there; empty if it breaks none."""
        return self.note.partition(NOT_ALLOWED)[2]

    @property
    def address(self) -> str:
        """The spot's address, down to its object."""
        return join_address(self.place, self.object)


class SectorCard(PromptInput):
    """A numbered sector that may be chosen."""

    number: int
    name: str
    rooms: tuple[str, ...]
    """Its rooms; last, the rule of the town that forbids all of them, if there is one."""

    @property
    def forbidden(self) -> str:
        """The rule of the town that the task would break in every room of it; empty if none."""
        return self.rooms[-1].partition(ALL_NOT_ALLOWED)[2] if self.rooms else ""

    @property
    def own_rooms(self) -> tuple[str, ...]:
        """The sector's rooms, without the rules noted behind them."""
        return self.rooms[:-1] if self.forbidden else self.rooms


class TaskCard(PromptInput):
    """A task that needs a place, with the spots it may be done at."""

    letter: str
    """`A` to `F`: the key of its answer."""
    activity: str
    part_of: str
    """The hourly activity the task belongs to."""
    spots: tuple[SpotCard, ...]
    """At most six, the likeliest first, numbered from 1."""
    elsewhere: bool = True
    """Whether "elsewhere" is allowed: no spot offered certainly suits the task."""


class PlannedCard(PromptInput):
    """One entry of a plan: its time and its activity."""

    time: str
    """A start `09:00`, or a span `09:00-10:30`."""
    activity: str


class PromiseCard(PlannedCard):
    """Something arranged for today: an invitation, an appointment, a promise."""

    number: int
    """From 1, in order of time."""
    is_kept: bool = Field(default=False, exclude_if=lambda kept: not kept)
    """Whether code keeps it, because the person has agreed to it."""


class GapCard(PromptInput):
    """A stretch of the day that is still to be filled."""

    letter: str
    """`A` to `E`: the key of its answer."""
    time: str
    """A span `09:00-10:30`."""
    most: int
    """Maximum number of activities for the gap."""
    ideas: tuple[str, ...] = ()
    """Activities that suit this hour and this person, as suggestions."""


class PersonCard(PromptInput):
    """Somebody in sight."""

    name: str
    doing: str
    relationship: str
    last_talk: str
    """`never`, or when and about what."""
    can_talk: bool
    until: str
    """Clock at which what they do will end."""


class NeedCard(PromptInput):
    """An urgent need, and the activity that meets it."""

    told: str
    """In a sentence: `You are very hungry.`"""
    activity: str
    """The activity that meets it: `having a snack`."""
    later: str
    """Clock at which what I do now is over."""


class SpokenLine(PromptInput):
    """One line of a talk."""

    speaker: str
    text: str


class NumberedLine(SpokenLine):
    """One line of a talk, numbered so that it can be chosen."""

    number: int = 0
    """From 1."""
