"""The answer of the step `ground_block`: the spot of each task, one number per task letter."""

import re
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

from parsers.answer import Answer, Context, read_context_value
from parsers.problem import Problem, by_number, field_problem, missing_problem, own_problem, reject
from parsers.reading.scalars import fold_text

LETTERS = "ABCDEF"
"""The letters of the tasks of one call, in order."""
ELSEWHERE = 0
"""The number that stands for none of the spots offered."""
SOMEWHERE_ELSE = "somewhere else"

Spots = Mapping[str, Mapping[int, str]]
"""The address of each spot offered, by the task's letter and the spot's number."""

_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset("the a an my your own of in at on with to s and room place spot".split())  # noqa: SIM905
_NOWHERE = frozenset(("elsewhere", "somewhere else", "none of them", "none of these"))

SpotNumber = Annotated[int | None, WithJsonSchema({"type": "integer", "minimum": ELSEWHERE})]
"""Number of a spot; None for a task that was not asked."""


def _spot(letter: str) -> Any:
    """Return the field of one task."""
    number = LETTERS.index(letter) + 1
    if number == 1:
        meaning = "the number of one of the spots of task A; 0 when none of them fits"
    else:
        meaning = f"the same for task {letter}, where there is one"
    names = [letter.lower(), f"task_{letter.lower()}", str(number), f"task_{number}"]
    return Field(default=None, description=meaning, json_schema_extra={"aliases": list(names)})


class Grounding(Answer):
    """The place of each task: the number of one of its spots, under the task's letter.

    The letters are the same in every call. A call's schema has the letters asked about, each with
    the numbers of its own spots.
    """

    keys_name = "tasks"

    A: SpotNumber = _spot("A")
    B: SpotNumber = _spot("B")
    C: SpotNumber = _spot("C")
    D: SpotNumber = _spot("D")
    E: SpotNumber = _spot("E")
    F: SpotNumber = _spot("F")

    @field_validator(*LETTERS, mode="before")
    @classmethod
    def _is_a_number(cls, value: Any, info: ValidationInfo) -> Any:
        """Reject a text that names no spot, with the list of the spots offered."""
        spots: Spots = read_context_value(info.context, "spots") or {}
        own = spots.get(info.field_name or "")
        if isinstance(value, str) and own is not None:
            reject(
                [own_problem(value, _format_allowed_numbers(value, own, info.context), "choice")]
            )
        return value

    @model_validator(mode="after")
    def _were_offered(self, info: ValidationInfo) -> Self:
        """Check that every task that was asked has the number of one of its spots."""
        spots: Spots = read_context_value(info.context, "spots") or {}
        reject(self._problems(spots))
        return self

    def _problems(self, spots: Spots) -> list[Problem]:
        """Return what is wrong with the numbers, given the spots of each task asked."""
        found = []
        for letter, own in spots.items():
            number = self.of(letter)
            if number is None:
                listed = _format_task_spots("", own)
                found.append(missing_problem(letter, f"Write the number of a spot: {listed}."))
            elif number != ELSEWHERE and number not in own:
                found.append(
                    field_problem(letter, number, _format_allowed_numbers("", own), "choice")
                )
        return found

    @model_serializer(mode="wrap")
    def _as_asked(self, dump: SerializerFunctionWrapHandler) -> dict[str, int]:
        """Serialise the tasks that were asked, and no others."""
        return {letter: number for letter, number in dump(self).items() if number is not None}

    def of(self, letter: str) -> int | None:
        """Return the number of a task's spot; None for a task that was not asked about."""
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
        """Return the spots' addresses, by the task's letter."""
        spots: Spots = read_context_value(context, "spots") or {}
        return {letter: {ELSEWHERE: SOMEWHERE_ELSE, **own} for letter, own in spots.items()}

    @classmethod
    def of_list(cls, values: Sequence[Any], context: Context | None) -> dict[str, Any] | None:
        """Return the numbers of a bare list by task letter; None if the list does not fit.

        The items are numbers in the order of the tasks, or objects that contain their task's
        letter.
        """
        asked = list(read_context_value(context, "spots") or ())
        if not asked or len(values) != len(asked):
            return None
        if all(isinstance(each, (int, str)) for each in values):
            return dict(zip(asked, values, strict=True))
        if not all(isinstance(each, dict) and each for each in values):
            return None
        pairs = [next(iter(each.items())) if len(each) == 1 else _pair(each) for each in values]
        keyed = dict(pair for pair in pairs if pair is not None)
        return keyed if sorted(keyed) == sorted(asked) else None

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """Return the data for the tasks asked about, with unambiguous values as numbers."""
        spots: Spots = read_context_value(context, "spots") or {}
        if not spots:
            return data, []
        mended, notes = dict(data), list[str]()
        lists = [each for each in data.values() if isinstance(each, list)]
        if not mended.keys() & spots.keys() and len(lists) == 1:
            mended.update(cls.of_list(lists[0], context) or {})
        for letter in LETTERS:
            if letter in data and letter not in spots:
                del mended[letter]
                notes.append(f"`{letter}`: left out, for it was not asked")
        for letter in spots:
            number = _guess_meant_number(mended.get(letter), letter, spots)
            if number is not None:
                notes.append(f"`{letter}`: read {str(mended[letter])[:40]!r} as {number}")
                mended[letter] = number
        return mended, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example: mostly number 1, the likeliest spot, and once another one.

        Small models copy an example. With a 0 (somewhere else) in it, they would send tasks
        elsewhere.
        """
        return cls(A=1, B=2, C=1)


def _guess_meant_number(value: Any, letter: str, spots: Spots) -> int | None:
    """Return the number unambiguously meant by a value that is no spot's number, or None."""
    own = spots[letter]
    if isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
        if isinstance(value, int) and (value in own or value == ELSEWHERE):
            return value
    if isinstance(value, str):
        return _meant_by_words(value, letter, own)
    if not isinstance(value, int) or isinstance(value, bool) or value in own or value <= ELSEWHERE:
        return None
    if len(own) == 1:
        return next(iter(own))
    before = sum(len(spots[each]) for each in spots if each < letter)
    return value - before if value - before in own else None


def _meant_by_words(text: str, letter: str, own: Mapping[int, str]) -> int | None:
    """Return the number of the only spot with all words of a text: `the kitchen`, `B2`."""
    plain = fold_text(text)
    if plain in _NOWHERE:
        return ELSEWHERE
    marked = re.fullmatch(rf"{letter}[ .:-]?(\d)", text.strip(), re.IGNORECASE)
    if marked and int(marked[1]) in {ELSEWHERE, *own}:
        return int(marked[1])
    words = {word for word in _WORD.findall(plain) if word not in _SMALL}
    having = [
        number for number, label in own.items() if words <= set(_WORD.findall(fold_text(label)))
    ]
    return having[0] if words and len(having) == 1 else None


def _pair(item: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Return the letter and the number of `{"task": "A", "spot": 2}`; None for anything else."""
    letters = [each for each in item.values() if isinstance(each, str) and each in set(LETTERS)]
    numbers = [each for each in item.values() if isinstance(each, int)]
    return (letters[0], numbers[0]) if len(letters) == len(numbers) == 1 else None


def _format_allowed_numbers(
    got: str, own: Mapping[int, str], context: Context | None = None
) -> str:
    """Return the end of a sentence that says that a reply's value is no spot of the task.

    It says if the value is a person, and lists the spots with their numbers.
    """
    person = ", which is a person" if got and _is_person(got, context) else ""
    return f"{person}. Write one of the numbers of its spots: {_format_task_spots(got, own)}."


def _format_task_spots(got: str, own: Mapping[int, str]) -> str:
    """Return a task's spots with their numbers."""
    listed, _ = by_number(got, own)
    return f"{listed} or, for {SOMEWHERE_ELSE}, {ELSEWHERE}"


def _is_person(got: str, context: Context | None) -> bool:
    """Return whether a text is the name or first name of a person in this call."""
    names = [
        fold_text(name) for name in read_context_value(context, "people") or () if name.strip()
    ]
    return any(fold_text(got) in {name, name.split()[0]} for name in names if name)
