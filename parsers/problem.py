"""Problems of a reply, as sentences that tell the model what to change."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any, Literal, get_args

from langchain_core.exceptions import OutputParserException
from pydantic_core import PydanticCustomError

_LONGEST_GOT = 60
_FEW = 4
_MANY = 12

_RULE = re.compile(r', which breaks a rule: "([^"]*)"')

Kind = Literal[
    "no_json", "syntax", "cut", "missing", "type", "choice", "level", "range", "length", "sum",
    "duplicate", "text", "copied", "markup", "empty", "speaker", "repeat", "voice", "fact",
    "hours", "place", "rule",
]  # fmt: skip
"""The kind of fault. `level` means the wrong kind of thing, such as a place where a person was
asked for. The kinds from `copied` on are faults of sense in a reply that parses."""

KINDS: tuple[Kind, ...] = get_args(Kind)
"""All kinds of problems; `text` is any that does not fit another kind."""

SENSE_KINDS: Mapping[str, str] = {
    "copied": "copied from an example, a description or the persona",
    "markup": "template tokens, or letters of another script, in a text",
    "empty": "a placeholder, a bare name, or words without end: nothing is said",
    "speaker": "said by somebody else, or to oneself",
    "repeat": "said or done before",
    "voice": "not as the person it is",
    "fact": "a name, number, day or time lost or invented",
    "hours": "at an hour at which it is not done",
    "place": "where, or with what, it is not done",
    "rule": "broke a rule",
}
"""The kinds of faults of sense, each in a few words."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a reply; its message is the sentence for the model."""

    field: str
    """The dotted path of the field, such as `subtasks.2.minutes`; empty for the whole reply.

    Its sentence names it in words, counted from 1: see `place_of`."""
    got: str
    """The value found, shortened."""
    message: str
    """A full sentence that says what was found and what is allowed."""
    kind: Kind = "text"
    """One of `KINDS`, by which problems are counted."""

    def __str__(self) -> str:
        return self.message


class Unreadable(OutputParserException):
    """An error for a reply that cannot be read as the requested answer."""

    def __init__(self, problems: Sequence[Problem], text: str) -> None:
        """Store the problems, and the reply as LangChain expects it."""
        super().__init__("the reply is not the answer asked for", llm_output=text)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


@dataclass(frozen=True, slots=True)
class PlainWords:
    """Words to show in a problem's message in place of the value that was found."""

    text: str


@dataclass(frozen=True, slots=True)
class TwoValues:
    """Two different values that a reply gives for one field."""

    first: object
    second: object


def merge_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return these pairs as an object; a field with two different values becomes a `TwoValues`."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    first: dict[str, Any] = {}
    for name, value in pairs:
        if name not in first:
            first[name] = value
        elif first[name] != value and not isinstance(first[name], TwoValues):
            first[name] = TwoValues(first[name], value)
    return first


def field_problem(field: str, got: object, rest: str, kind: Kind = "text") -> Problem:
    """Return a problem of one field, with the sentence "<place of field>: got <value><rest>"."""
    own = own_problem(got, rest, kind)
    return replace(own, field=field, message=f"{place_of(field)}: {own.message}")


def own_problem(got: object, rest: str, kind: Kind = "text") -> Problem:
    """Return a problem of the value that a validator checks.

    Its field is empty: the validator's caller adds it.
    """
    text = got.text if isinstance(got, PlainWords) else quote_value(got)
    kind = "duplicate" if isinstance(got, TwoValues) else kind
    return Problem("", text, f"got {text}{rest}", kind)


def rule_problem(field: str, got: object, rule: str, advice: str) -> Problem:
    """Return a problem of a choice that breaks a rule of the town, with what to do instead."""
    return field_problem(field, got, f', which breaks a rule: "{rule}" {advice}', "rule")


def rule_in(sentence: str) -> str:
    """Return the rule that a sentence of `rule_problem` is about; empty for any other sentence."""
    found = _RULE.search(sentence)
    return found[1] if found else ""


def missing_problem(field: str, rest: str) -> Problem:
    """Return a problem of a missing field."""
    return Problem(field, "", f"{place_of(field)} is missing. {rest}", "missing")


def reject(problems: Iterable[Problem]) -> None:
    """Raise these problems, if any, from a validator; fields are relative to the checked value."""
    found = tuple(problems)
    if found:
        raise PydanticCustomError("problems", "see problems", {"problems": found})


def quote_value(value: object) -> str:
    """Return a value as a short text that is safe to print."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, TwoValues):
        return f"two values, {quote_value(value.first)} and {quote_value(value.second)}"
    text = repr(value) if isinstance(value, str) else str(value)[: _LONGEST_GOT * 2]
    if len(text) > _LONGEST_GOT:
        text = text[: _LONGEST_GOT - 2] + "…" + ("'" if isinstance(value, str) else "")
    return text.encode("utf-8", "replace").decode("utf-8")


_STANDS_THERE = 2.0
"""Rank of values that the text contains; it is above the similarity of equal texts."""


def nearest_first(got: object, allowed: Iterable[str | int]) -> list[str | int]:
    """Return the allowed values: first those that the value found contains, then similar ones."""
    values = list(allowed)
    if not isinstance(got, str):
        return values
    got_text = got[:_LONGEST_GOT].lower()

    def likeness(value: str | int) -> float:
        text = str(value).lower()
        if re.search(rf"(?<!\w){re.escape(text)}(?!\w)", got_text):
            return _STANDS_THERE
        return SequenceMatcher(None, text, got_text).ratio()

    scored = {value: likeness(value) for value in values}
    return sorted(values, key=lambda value: -scored[value] if scored[value] >= 0.5 else 0.0)


def one_of(got: object, allowed: Iterable[str | int]) -> str:
    """Return a sentence that lists the allowed values; if there are many, only the nearest."""
    values = nearest_first(got, allowed)
    if len(values) == 1:
        return f"Write {values[0]!r}."
    if len(values) > _FEW and values == [*range(len(values) + 1)][1:]:
        return f"Write a whole number from 1 to {len(values)}."
    listed = ", ".join(repr(value) for value in values[:_MANY])
    more = ", or another one that you were given" if len(values) > _MANY else ""
    return f"Write one of: {listed}{more}."


def place_of(field: str, names: Mapping[str, str] | None = None) -> str:
    """Return where a field is, counting from 1: "`place` of item 3 of `items`".

    `names` has other words for some paths, such as "the item with `task` 5" for `items.2`. For a
    list inside an item, the position in the inner list is left out: two positions in one sentence
    are confusing.
    """
    place, path = "", ""
    for part in field.split("."):
        path = f"{path}.{part}" if path else part
        if part.isdigit() and " of " in place:
            continue
        own = f"item {int(part) + 1}" if part.isdigit() else f"`{part}`"
        place = (names or {}).get(path) or (f"{own} of {place}" if place else own)
    return place[:1].upper() + place[1:]
