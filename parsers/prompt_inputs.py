"""Small values that prompts show: a persona, a memory, a place, a line of a talk."""

import ast
import inspect
from collections.abc import Mapping
from itertools import pairwise
from textwrap import dedent
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from smolville.agents.places import join_address


class PromptInput(BaseModel):
    """A frozen value shown by a template; using an attribute that it lacks is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    former: ClassVar[frozenset[str]] = frozenset()
    """Names of fields of earlier versions: left out of inputs that these recorded, and empty in
    templates that these stored."""

    @model_validator(mode="before")
    @classmethod
    def _without_former(cls, data: Any) -> Any:
        if not cls.former or not isinstance(data, dict):
            return data
        return {name: value for name, value in data.items() if name not in cls.former}

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
    """Return the strings beneath the fields of an input model, by field name.

    Only forms and the pages of templates show these strings. Pydantic would read them for each
    class at import; a command that needs the steps would spend a sixth of its start on that.
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

    former: ClassVar[frozenset[str]] = frozenset({"habits"})

    name: str
    first_name: str
    age: int
    innate: str
    learned: str
    currently: str
    lifestyle: str
    home: str
    work: str
    company: tuple[str, ...] = Field((), exclude_if=lambda company: not company)
    """The only people who can be met; empty, and not recorded, where the whole town lives."""


class RecalledMemory(PromptInput):
    """A memory as a prompt shows it."""

    number: int
    """Number of the memory, from 1 in the order shown."""
    when: str
    """When it happened: `today 07:40`, `yesterday 18:05`, `Monday 6 May 18:05`."""
    text: str


class PlaceCard(PromptInput):
    """A numbered room that may be chosen for tasks."""

    number: int
    sector: str
    """The building, or the park or square."""
    room: str
    """The room's own name; that of the sector if it has none."""
    things: tuple[str, ...] = ()
    """Objects there that suit the tasks, with unusual states: `oven (it is hot)`."""
    mine: str = ""
    """`your home` or `your work`; empty for any other building."""
    note: str = ""
    """What else I know of the room: `you are here`, `home of Ida Lund`."""
    barred: tuple[str, ...] = Field((), exclude_if=lambda barred: not barred)
    """Letters of the tasks that a rule of the town forbids there now."""
    rule: str = Field("", exclude_if=lambda rule: not rule)
    """That rule; empty if it forbids none."""

    @property
    def place(self) -> str:
        """Address of the room: `sector: arena`."""
        return join_address(self.sector, self.room if self.room != self.sector else "")


class TaskCard(PromptInput):
    """A task, which needs a place or has one already."""

    letter: str
    """Letter of the task and of its answer, `A` to `F`; empty for a task that has its place."""
    time: str
    """Clock time at which it begins."""
    activity: str
    part_of: str
    """The hourly activity the task belongs to."""
    place: str = ""
    """The room where it is done, if that is settled."""


class PlannedCard(PromptInput):
    """One entry of a plan: its time and its activity."""

    time: str
    """A start time `09:00`, a time span `09:00-10:30`, or of a wish, `In the morning:`."""
    activity: str


class PromiseCard(PlannedCard):
    """Something arranged for today: an invitation, an appointment, a promise."""

    number: int
    """Number of the promise, from 1 in order of time."""


class GapCard(PromptInput):
    """A stretch of the day that is still to be filled, or work that may hold something else."""

    letter: str
    """Letter of the gap and of its answer, `A` to `E`."""
    time: str
    """Time span of the gap: `09:00-10:30`."""
    most: int
    """Maximum number of activities for the gap."""
    work: str = Field("", exclude_if=lambda work: not work)
    """My work in these hours."""


class PersonCard(PromptInput):
    """Somebody in sight."""

    name: str
    doing: str
    relationship: str
    last_talk: str
    """When the last talk with them was, and what it was about; `never` if there was none."""
    can_talk: bool
    until: str
    """Clock time at which their activity will end."""


class NeedCard(PromptInput):
    """An urgent need, and the activity that meets it."""

    told: str
    """Sentence about the need: `You are very hungry.`"""
    activity: str
    """The activity that meets it: `having a snack`."""
    later: str
    """Clock time at which my current activity ends."""


class SpokenLine(PromptInput):
    """One line of a talk."""

    speaker: str
    text: str


class NumberedLine(SpokenLine):
    """One line of a talk, numbered so that it can be chosen."""

    number: int = 0
    """Number of the line, from 1."""
