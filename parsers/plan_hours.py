"""What fills the gaps of a day: short activities, by the gap's letter."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    model_serializer,
    model_validator,
)

from parsers.answer import Answer, Context, known
from parsers.clock import CLOCK_TEXT
from parsers.problem import missing_problem, reject
from parsers.reading.sleeping import is_sleep

__all__ = ["LETTERS", "HourlyPlan"]

LETTERS = "ABCDE"
"""The gaps of a day, in their order."""
MOST = 4
"""Activities of one gap."""

_LEADING = re.compile(
    rf"^\s*(?:\d[.)]\s+|[-*•]\s+)?(?:(?:{CLOCK_TEXT})(?:\s*(?:-|–|to|until)\s*(?:{CLOCK_TEXT}))?"
    r"\s*[:,–-]?\s+)?",
    re.IGNORECASE,
)
"""A number or times of day in front of an activity, which code gives it."""

_MEAL = re.compile(
    r"(?:(?:having|have|eating|eat|cooking and eating)\s+)?(?:(?:a|an|my|some|the)\s+)?(?:\w+\s+)?"
    r"(breakfast|lunch|dinner|supper)\b(?:\s+(?:at|in|with|alone|and)\b.*)?\W*$",
    re.IGNORECASE,
)

Activity = Annotated[str, Field(min_length=3, max_length=100)]
Activities = Annotated[list[Activity], Field(min_length=1, max_length=MOST)] | None


def _gap(letter: str) -> Any:
    """Return the field of one gap."""
    if letter == "A":
        meaning = "what you do in gap A, one thing after the other, in short texts"
    else:
        meaning = f"the same for gap {letter}"
    names = [letter.lower(), f"gap_{letter.lower()}"]
    return Field(default=None, description=meaning, json_schema_extra={"aliases": list(names)})


class HourlyPlan(Answer):
    """What an agent does in each gap of its day, under the gap's letter; code gives the times.

    The letters are the same in every call; a call's schema has those that are asked.
    """

    keys_name = "letters"

    A: Activities = _gap("A")
    B: Activities = _gap("B")
    C: Activities = _gap("C")
    D: Activities = _gap("D")
    E: Activities = _gap("E")

    @model_validator(mode="after")
    def _are_all_filled(self, info: ValidationInfo) -> Self:
        """Every gap that was asked is filled."""
        missing = [each for each in known(info.context, "letters") or () if self.of(each) is None]
        rest = "Write a list of what you do then, in short texts."
        if not any(self.of(letter) for letter in LETTERS):
            missing = [LETTERS[0]]
        reject([missing_problem(letter, rest) for letter in missing])
        return self

    @model_serializer(mode="wrap")
    def _as_asked(self, dump: SerializerFunctionWrapHandler) -> dict[str, list[str]]:
        """The gaps that were asked, and no others."""
        return {letter: texts for letter, texts in dump(self).items() if texts is not None}

    def of(self, letter: str) -> list[str] | None:
        """Return what fills a gap, None for one that was not asked."""
        texts: list[str] | None = getattr(self, letter)
        return texts

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """The JSON schema for one call: the gaps asked, each with so many texts at most.

        `choices` has `A.length` for gap A: the numbers of texts that are allowed.
        """
        schema = super().call_schema({})
        lengths = {path.partition(".")[0]: allowed for path, allowed in choices.items()}
        asked = [letter for letter in LETTERS if letter in lengths or not lengths]
        properties = {}
        for letter in asked:
            texts = next(each for each in schema["properties"][letter]["anyOf"] if "items" in each)
            most = max(int(number) for number in lengths.get(letter, (MOST,)))
            properties[letter] = texts | {"maxItems": most}
        return schema | {"properties": properties, "required": asked}

    @classmethod
    def of_list(cls, values: Sequence[Any], context: Context | None) -> dict[str, Any] | None:
        """The texts of a bare list where one gap was asked; of lists, in the order asked."""
        asked = list(known(context, "letters") or ())
        if all(isinstance(each, str) for each in values) and len(asked) == 1:
            return {asked[0]: list(values)}
        if all(isinstance(each, list) for each in values) and len(values) == len(asked):
            return dict(zip(asked, values, strict=True))
        return None

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The texts without times, which code gives, and no more than a gap has room for."""
        asked = known(context, "letters")
        mended, notes = dict(data), list[str]()
        for letter in LETTERS:
            if letter not in data or data[letter] is None:
                continue
            if asked and letter not in asked:
                del mended[letter]
                notes.append(f"`{letter}`: left out, for it was not asked")
                continue
            texts, told = _texts(data[letter])
            if told:
                notes.append(f"`{letter}`: {told}")
            texts, left_out = _without_given(texts, known(context, "meals") or ())
            notes += [f"`{letter}`: left out {text[:40]!r}, which is given" for text in left_out]
            most = int((asked or {}).get(letter, MOST)) if isinstance(asked, Mapping) else MOST
            if isinstance(texts, list) and len(texts) > most:
                notes.append(f"`{letter}`: left out what comes after the first {most}")
                texts = texts[:most]
            mended[letter] = texts
        return mended, notes + _leave_out_repeats(mended)

    @classmethod
    def example(cls) -> Self:
        """A worked example."""
        return cls(
            A=["sweeping the yard behind the house"],
            B=["looking for mushrooms in the wood", "showing them to my neighbour"],
            C=["writing a letter to my aunt"],
        )


def _texts(value: Any) -> tuple[Any, str]:
    """The texts that a value gives, each without times in front, and what was done to it."""
    told = []
    if not isinstance(value, list):
        return value, ""
    if any(isinstance(each, dict) for each in value):
        value = [_only_text(each) for each in value]
        told.append("read the text of each item")
    bare = [_LEADING.sub("", each, count=1) if isinstance(each, str) else each for each in value]
    kept = [
        new if isinstance(new, str) and len(new) >= 3 else old
        for new, old in zip(bare, value, strict=True)
    ]
    if kept != value:
        told.append("left out times, which are given")
    return kept, " and ".join(told)


def _without_given(texts: Any, meals: Sequence[str]) -> tuple[Any, list[str]]:
    """The texts without sleep and without meals that stand, where others are left."""
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        return texts, []
    kept = [
        each
        for each in texts
        if not is_sleep(each) and not _eats(each, meals) and each.casefold() != "free time"
    ]
    return (kept, [each for each in texts if each not in kept]) if kept else (texts, [])


def _leave_out_repeats(plan: dict[str, Any]) -> list[str]:
    """Leave out what an earlier text says already, where others are left, and say so."""
    said: set[str] = set()
    notes = []
    for letter in LETTERS:
        texts = plan.get(letter)
        if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
            continue
        fresh = [each for each in dict.fromkeys(texts) if each.casefold() not in said]
        if fresh and len(fresh) < len(texts):
            notes.append(f"`{letter}`: left out what is said already")
            plan[letter] = fresh
        said |= {each.casefold() for each in texts}
    return notes


def _eats(text: str, meals: Sequence[str]) -> bool:
    """Whether a text is one of these meals and little else."""
    found = _MEAL.match(text.strip())
    return found is not None and found[1].lower().replace("supper", "dinner") in meals


def _only_text(item: Any) -> Any:
    """The longest text of an object, or the item itself."""
    texts = (
        [each for each in item.values() if isinstance(each, str)] if isinstance(item, dict) else []
    )
    return max(texts, key=len) if texts else item
