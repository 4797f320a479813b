"""The answer of the step `ground_block`: the place of each task, one number per task letter."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_serializer,
    model_validator,
)

from smolville.parsers.answer import Answer, Context, Mended, read_context_value
from smolville.parsers.problem import (
    Problem,
    field_problem,
    missing_problem,
    nearest_first,
    own_problem,
    reject,
)
from smolville.parsers.prompt_inputs import PersonaInput, PlaceCard, PromptInput, TaskCard
from smolville.parsers.reading.values import fold_text

LETTERS = "ABCDEF"
"""The letters of the tasks of one call, in order."""
ELSEWHERE = 0
"""The number that stands for none of the places offered."""
SOMEWHERE_ELSE = "none of them"
MOST_NAMED = 6
"""Maximum number of places named in a sentence; the prompt lists the others."""

_NOWHERE = frozenset(("elsewhere", "somewhere else", "none of them", "none of these"))

PlaceNumber = Annotated[int | None, WithJsonSchema({"type": "integer", "minimum": ELSEWHERE})]
"""Number of a place; None for a task that was not asked."""


class GroundBlockInput(PromptInput):
    """The inputs that the prompt `ground_block` shows."""

    me: PersonaInput
    now: str
    """Date and clock time."""
    places: tuple[PlaceCard, ...]
    """The rooms offered for all the tasks."""
    tasks: tuple[TaskCard, ...]
    """At most six tasks that need a place, and those around them that have theirs."""

    @property
    def asked(self) -> tuple[TaskCard, ...]:
        """The tasks that need a place."""
        return tuple(task for task in self.tasks if task.letter)


def _place(letter: str) -> Any:
    number = LETTERS.index(letter) + 1
    if number == 1:
        meaning = "the number of the place of task A, or 0 for none of them"
    else:
        meaning = f"the same for {letter}"
    names = [letter.lower(), f"task_{letter.lower()}", str(number), f"task_{number}"]
    return Field(default=None, description=meaning, json_schema_extra={"aliases": list(names)})


def _offered(context: Context | None) -> Mapping[int, str]:
    """Return the addresses of the places offered, by number; empty outside a call."""
    return read_context_value(context, "places") or {}


def _asked(context: Context | None) -> Sequence[str]:
    """Return the letters of the tasks that were asked; empty outside a call."""
    return read_context_value(context, "tasks") or ()


class Grounding(Answer):
    """The place of each task: the number of one of the places offered, under the task's letter.

    The letters are the same in every call. A call's schema has the letters asked about, each with
    the numbers of the places.
    """

    keys_name = "tasks"

    A: PlaceNumber = _place("A")
    B: PlaceNumber = _place("B")
    C: PlaceNumber = _place("C")
    D: PlaceNumber = _place("D")
    E: PlaceNumber = _place("E")
    F: PlaceNumber = _place("F")

    @field_validator(*LETTERS, mode="before")
    @classmethod
    def _is_a_number(cls, value: Any, info: ValidationInfo) -> Any:
        places = _offered(info.context)
        if isinstance(value, str) and places:
            reject([own_problem(value, _format_numbers(value, places, info.context), "choice")])
        return value

    @model_validator(mode="after")
    def _were_offered(self, info: ValidationInfo) -> Self:
        reject(self._problems(_asked(info.context), _offered(info.context)))
        return self

    def _problems(self, asked: Sequence[str], places: Mapping[int, str]) -> list[Problem]:
        found = []
        for letter in asked:
            number = self.of(letter)
            if number is None:
                listed = _format_places("", places)
                found.append(missing_problem(letter, f"Write the number of a place: {listed}."))
            elif number != ELSEWHERE and number not in places:
                rest = _format_numbers("", places)
                found.append(field_problem(letter, number, rest, "choice"))
        return found

    @model_serializer(mode="wrap")
    def _as_asked(self, dump: SerializerFunctionWrapHandler) -> dict[str, int]:
        return {letter: number for letter, number in dump(self).items() if number is not None}

    def of(self, letter: str) -> int | None:
        """Return the number of a task's place; None for a task that was not asked about."""
        number: int | None = getattr(self, letter)
        return number

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """Return the JSON schema for one call: the letters asked about, each with its numbers."""
        schema = super().call_schema(choices)
        asked = [letter for letter in schema["properties"] if letter in choices or not choices]
        properties = {letter: schema["properties"][letter] for letter in asked}
        return schema | {"properties": properties, "required": asked}

    @classmethod
    def labels(cls, context: Context | None) -> Mapping[str, Mapping[int, str]]:
        """Return the places' addresses, by the task's letter."""
        named = {ELSEWHERE: SOMEWHERE_ELSE, **_offered(context)}
        return dict.fromkeys(_asked(context), named)

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Return the data for the tasks asked about."""
        asked, mended, notes = _asked(context), dict(data), list[str]()
        for letter in LETTERS:
            if asked and letter in data and letter not in asked:
                del mended[letter]
                notes.append(f"`{letter}`: left out, for it was not asked")
            elif isinstance(each := data.get(letter), str) and fold_text(each) in _NOWHERE:
                mended[letter] = ELSEWHERE
                notes.append(f"`{letter}`: read {each!r} as {ELSEWHERE}")
        return mended, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example, without a 0: small models copy an example."""
        return cls(A=2, B=2, C=4)


def _format_numbers(got: str, places: Mapping[int, str], context: Context | None = None) -> str:
    """Return the end of a sentence that says that a reply's value is no place offered.

    It says if the value is a person, and lists the places most similar to it with their numbers.
    """
    person = ", which is a person" if got and _is_person(got, context) else ""
    return f"{person}. Write one of the numbers of PLACES: {_format_places(got, places)}."


def _format_places(got: str, places: Mapping[int, str]) -> str:
    """Return the places with their numbers, those most similar to `got` first."""
    numbers = {name: number for number, name in places.items()}
    nearest = nearest_first(got, numbers)
    listed = ", ".join(f"{numbers[str(name)]} ({name})" for name in nearest[:MOST_NAMED])
    more = ", another one" if len(nearest) > MOST_NAMED else ""
    return f"{listed}{more} or, for {SOMEWHERE_ELSE}, {ELSEWHERE}"


def _is_person(got: str, context: Context | None) -> bool:
    names = [
        fold_text(name) for name in read_context_value(context, "people") or () if name.strip()
    ]
    return any(fold_text(got) in {name, name.split()[0]} for name in names if name)
