"""What is wrong with a reply, as sentences the model can act on."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal, get_args

from langchain_core.exceptions import OutputParserException
from pydantic_core import PydanticCustomError

_LONGEST_GOT = 60
_FEW = 4
_MANY = 12

MOST_NAMED = 6
"""So many numbers are named with what they stand for; the prompt has the others."""

Kind = Literal[
    "no_json",
    "syntax",
    "cut",
    "missing",
    "type",
    "choice",
    "level",
    "range",
    "length",
    "sum",
    "duplicate",
    "text",
    "copied",
    "markup",
    "empty",
    "speaker",
    "repeat",
    "voice",
    "fact",
    "hours",
    "place",
]
"""What sort of thing is wrong; `level` is a place, object or person where another was asked. From
`copied` on: what parses and makes no sense."""

KINDS: tuple[Kind, ...] = get_args(Kind)
"""Every kind of problem; `text` is any that is none of the others."""

SENSE_KINDS: Mapping[str, str] = {
    "copied": "copied from an example, a description or the persona",
    "markup": "template tokens in a text",
    "empty": "a placeholder, a bare name, or words without end: nothing is said",
    "speaker": "said by somebody else, or to oneself",
    "repeat": "said or done before",
    "voice": "not as the person it is",
    "fact": "a name, number, day or time lost or invented",
    "hours": "at an hour at which it is not done",
    "place": "where, or with what, it is not done",
}
"""The kinds of what parses and makes no sense, each in a few words."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a reply; its text is the sentence for the model."""

    field: str
    """The dotted path of the field, such as `subtasks.2.minutes`; empty for the whole reply.

    Its sentence names it in words, counted from 1: see `place_of`."""
    got: str
    """What stood there, shortened."""
    message: str
    """A full sentence that says what was got and what is allowed."""
    kind: Kind = "text"
    """One of `KINDS`: what a count of problems sorts them by."""

    def __str__(self) -> str:
        return self.message


class Unreadable(OutputParserException):
    """A reply that cannot be read as the answer asked for."""

    def __init__(self, problems: Sequence[Problem], text: str) -> None:
        """Keep the problems, and the reply as LangChain expects it."""
        super().__init__("the reply is not the answer asked for", llm_output=text)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


@dataclass(frozen=True, slots=True)
class Words:
    """What was got, in words of its own rather than as a value."""

    text: str


@dataclass(frozen=True, slots=True)
class Twice:
    """Two different values that a reply gives for one field."""

    first: object
    second: object


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs; a field that stands there with two values has both of them."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    first: dict[str, Any] = {}
    for name, value in pairs:
        if name not in first:
            first[name] = value
        elif first[name] != value and not isinstance(first[name], Twice):
            first[name] = Twice(first[name], value)
    return first


def field_problem(field: str, got: object, rest: str, kind: Kind = "text") -> Problem:
    """A problem of one field: where it is, "got X", and the rest of the sentence."""
    text = got.text if isinstance(got, Words) else shown(got)
    kind = "duplicate" if isinstance(got, Twice) else kind
    return Problem(field, text, f"{place_of(field)}: got {text}{rest}", kind)


def own_problem(got: object, rest: str, kind: Kind = "text") -> Problem:
    """A problem of the very value a validator looks at; its field is known further out."""
    text = got.text if isinstance(got, Words) else shown(got)
    kind = "duplicate" if isinstance(got, Twice) else kind
    return Problem("", text, f"got {text}{rest}", kind)


def missing_problem(field: str, rest: str) -> Problem:
    """A problem of a field that is not there."""
    return Problem(field, "", f"{place_of(field)} is missing. {rest}", "missing")


def reject(problems: Iterable[Problem]) -> None:
    """End a validator with these problems, if there are any; their fields count from its value."""
    found = tuple(problems)
    if found:
        raise PydanticCustomError("problems", "see problems", {"problems": found})


def shown(value: object) -> str:
    """A value as a short text that is safe to print."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, Twice):
        return f"two values, {shown(value.first)} and {shown(value.second)}"
    text = repr(value) if isinstance(value, str) else str(value)[: _LONGEST_GOT * 2]
    if len(text) > _LONGEST_GOT:
        text = text[: _LONGEST_GOT - 2] + "…" + ("'" if isinstance(value, str) else "")
    return text.encode("utf-8", "replace").decode("utf-8")


_STANDS_THERE = 2.0
"""More than the likeness of equal texts."""


def nearest_first(got: object, allowed: Iterable[str | int]) -> list[str | int]:
    """The allowed values: first those that stand in what was got, then those most like it."""
    values = list(allowed)
    if not isinstance(got, str):
        return values
    wanted = got[:_LONGEST_GOT].lower()

    def likeness(value: str | int) -> float:
        text = str(value).lower()
        if re.search(rf"(?<!\w){re.escape(text)}(?!\w)", wanted):
            return _STANDS_THERE
        return SequenceMatcher(None, text, wanted).ratio()

    scored = {value: likeness(value) for value in values}
    return sorted(values, key=lambda value: -scored[value] if scored[value] >= 0.5 else 0.0)


def one_of(got: object, allowed: Iterable[str | int]) -> str:
    """The sentence that lists what is allowed, nearest first; of many the nearest only."""
    values = nearest_first(got, allowed)
    if len(values) == 1:
        return f"Write {values[0]!r}."
    if len(values) > _FEW and values == [*range(len(values) + 1)][1:]:
        return f"Write a whole number from 1 to {len(values)}."
    told = ", ".join(repr(value) for value in values[:_MANY])
    more = ", or another one that you were given" if len(values) > _MANY else ""
    return f"Write one of: {told}{more}."


def place_of(field: str, names: Mapping[str, str] | None = None) -> str:
    """Where a field is, in words that count from 1: "`place` of item 3 of `items`".

    `names` has other words for some paths, such as "the item with `task` 5" for `items.2`. A list
    within an item is named without the position in it: two counts in one sentence confuse.
    """
    told, path = "", ""
    for part in field.split("."):
        path = f"{path}.{part}" if path else part
        if part.isdigit() and " of " in told:
            continue
        own = f"item {int(part) + 1}" if part.isdigit() else f"`{part}`"
        told = (names or {}).get(path) or (f"{own} of {told}" if told else own)
    return told[:1].upper() + told[1:]


def by_number(got: object, names: Mapping[int, str], first: Sequence[int] = ()) -> tuple[str, bool]:
    """The names with their numbers, and whether some are left out: nobody reads long lists.

    `first` stand before those most like what was got.
    """
    numbers = {name: number for number, name in names.items()}
    nearest = [numbers[str(name)] for name in nearest_first(got, numbers)]
    order = [*first, *(number for number in nearest if number not in first)]
    listed = ", ".join(f"{number} ({names[number]})" for number in order[:MOST_NAMED])
    return listed, len(order) > MOST_NAMED
