"""The answer of the step `plan_hours`: short activities for the gaps of a day, by gap letter."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)

from smolville.agents.plan import is_sleep
from smolville.parsers.answer import Answer, Context, Mended, read_context_value
from smolville.parsers.clock import CLOCK_TEXT
from smolville.parsers.problem import missing_problem, reject
from smolville.parsers.prompt_inputs import (
    GapCard,
    PersonaInput,
    PlannedCard,
    PromptInput,
    RecalledMemory,
)

LETTERS = "ABCDE"
"""The letters of a day's gaps, in order."""
MOST = 4
"""Maximum number of activities for a gap."""

_LEADING = re.compile(
    rf"^[^\S\x1c-\x1f]*(?:\d[.)]\s+|[-*•]\s+)?(?:(?:{CLOCK_TEXT})(?:\s*(?:-|–|to|until)\s*(?:{CLOCK_TEXT}))?"
    r"\s*[:,–-]?\s+)?",
    re.IGNORECASE,
)
"""A number or times of day before an activity; they are removed, since code sets both."""

_WORD = re.compile(r"\w+")
_MEAL = re.compile(
    r"(?:(?:having|have|eating|eat|cooking and eating)\s+)?(?:(?:a|an|my|some|the)\s+)?(?:\w+\s+)?"
    r"(breakfast|lunch|dinner|supper)\b(?:\s+(?:at|in|with|alone|and)\b.*)?\W*$",
    re.IGNORECASE,
)

Activity = Annotated[str, Field(min_length=3, max_length=100)]
Activities = Annotated[list[Activity], Field(min_length=1, max_length=MOST)] | None


class PlanHoursInput(PromptInput):
    """The inputs that the prompt `plan_hours` shows."""

    me: PersonaInput
    date: str
    requirement: str
    wants: tuple[PlannedCard, ...]
    """My wishes for the day, in addition to its blocks."""
    stands: tuple[PlannedCard, ...]
    """The blocks already in the day, each with its time span."""
    gaps: tuple[GapCard, ...]
    """The gaps to fill, and work that may hold something else, at most five."""
    agreed: tuple[str, ...] = Field((), exclude_if=lambda agreed: not agreed)
    """What was agreed for today and tomorrow, one line each."""
    memories: tuple[RecalledMemory, ...] = Field((), exclude_if=lambda memories: not memories)
    """What is on my mind about it: at most three memories."""


def _gap(letter: str) -> Any:
    if letter == "A":
        meaning = "what you do in gap A, one thing after the other, in short texts"
    else:
        meaning = f"the same for gap {letter}"
    names = [letter.lower(), f"gap_{letter.lower()}"]
    return Field(default=None, description=meaning, json_schema_extra={"aliases": list(names)})


class HourlyPlan(Answer):
    """The activities in each gap of an agent's day, under the gap's letter; code sets the times.

    The letters are the same in every call; a call's schema has those that are asked.
    """

    keys_name = "letters"

    A: Activities = _gap("A")
    B: Activities = _gap("B")
    C: Activities = _gap("C")
    D: Activities = _gap("D")
    E: Activities = _gap("E")

    @field_validator(*LETTERS, mode="before")
    @classmethod
    def _empty_is_none(cls, value: Any) -> Any:
        return None if value == [] else value

    @model_validator(mode="after")
    def _are_all_filled(self, info: ValidationInfo) -> Self:
        """Check that every gap that was asked is filled; one at work may stay empty."""
        at_work = read_context_value(info.context, "work") or ()
        missing = [
            each
            for each in read_context_value(info.context, "letters") or ()
            if self.of(each) is None and each not in at_work
        ]
        rest = "Write a list of what you do then, in short texts."
        if not any(self.of(letter) for letter in LETTERS):
            missing = [LETTERS[0]]
        reject([missing_problem(letter, rest) for letter in missing])
        return self

    @model_serializer(mode="wrap")
    def _as_asked(self, dump: SerializerFunctionWrapHandler) -> dict[str, list[str]]:
        return {letter: texts for letter, texts in dump(self).items() if texts is not None}

    def of(self, letter: str) -> list[str] | None:
        """Return the activities of a gap; None if the call did not ask for this gap."""
        texts: list[str] | None = getattr(self, letter)
        return texts

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """Return the JSON schema for one call: the gaps asked, each with its number of texts.

        `choices` has `A.length` for gap A: the numbers of texts that are allowed. A gap at work
        may stay empty.
        """
        schema = super().call_schema({})
        lengths = {
            path.partition(".")[0]: allowed
            for path, allowed in choices.items()
            if path.endswith(".length")
        }
        asked = [letter for letter in LETTERS if letter in lengths or not lengths]
        properties = {}
        for letter in asked:
            texts = next(each for each in schema["properties"][letter]["anyOf"] if "items" in each)
            allowed = [int(number) for number in lengths.get(letter, (1, MOST))]
            properties[letter] = texts | {"minItems": min(allowed), "maxItems": max(allowed)}
        return schema | {"properties": properties, "required": asked}

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Return the plan with the texts of its gaps mended, and notes on what was changed.

        Times, sleep, fixed parts of the day, repeated texts, and texts above a gap's limit are left
        out.
        """
        asked = read_context_value(context, "letters")
        at_work: Collection[str] = read_context_value(context, "work") or ()
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
            is_work = letter in at_work
            texts, left_out = _without_given(texts, context, is_work=is_work)
            if texts == [] and not is_work:
                texts, left_out = left_out, []
            notes += [f"`{letter}`: left out {text[:40]!r}, which is given" for text in left_out]
            most = int((asked or {}).get(letter, MOST)) if isinstance(asked, Mapping) else MOST
            if isinstance(texts, list) and len(texts) > most:
                notes.append(f"`{letter}`: left out what comes after the first {most}")
                texts = texts[:most]
            mended[letter] = texts
        return mended, notes + _leave_out_repeats(mended, at_work)

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            A=["sweeping the yard behind the house"],
            B=["looking for mushrooms in the wood", "showing them to my neighbour"],
            C=["writing a letter to my aunt"],
        )


def _texts(value: Any) -> tuple[Any, str]:
    """Return the texts in a value, each without leading times, and a note on what was changed."""
    if not isinstance(value, list):
        return value, ""
    bare = [_LEADING.sub("", each, count=1) if isinstance(each, str) else each for each in value]
    kept = [
        new if isinstance(new, str) and len(new) >= 3 else old
        for new, old in zip(bare, value, strict=True)
    ]
    return kept, "" if kept == value else "left out times, which are given"


def _without_given(texts: Any, context: Context | None, *, is_work: bool) -> tuple[Any, list[str]]:
    """Return the texts without sleep and fixed parts of the day, and what was left out.

    What is done during work may name the work.
    """
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        return texts, []
    meals, stands = (
        read_context_value(context, "meals") or (),
        read_context_value(context, "stands") or (),
    )
    kept = [
        each
        for each in texts
        if not is_sleep(each)
        and not _eats(each, meals)
        and not says_again(each, () if is_work else stands)
        and each.casefold() not in {stand.casefold() for stand in stands}
        and each.casefold() != "free time"
    ]
    return kept, [each for each in texts if each not in kept]


def says_again(text: str, others: Iterable[str]) -> bool:
    """Return whether a text contains all words of one of the others."""
    words = set(_WORD.findall(text.casefold()))
    said = (set(_WORD.findall(each.casefold())) for each in others)
    return any(own and own <= words for own in said)


def _leave_out_repeats(plan: dict[str, Any], at_work: Collection[str]) -> list[str]:
    """Remove a gap's repeated texts from the plan if others remain, and return notes on them.

    A gap at work may stay empty.
    """
    said: set[str] = set()
    notes = []
    for letter in LETTERS:
        texts = plan.get(letter)
        if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
            continue
        fresh = [each for each in dict.fromkeys(texts) if each.casefold() not in said]
        if len(fresh) < len(texts) and (fresh or letter in at_work):
            notes.append(f"`{letter}`: left out what is said already")
            plan[letter] = fresh
        said |= {each.casefold() for each in texts}
    return notes


def _eats(text: str, meals: Sequence[str]) -> bool:
    """Return whether a text is about one of these meals and little else."""
    found = _MEAL.match(text.strip())
    return found is not None and found[1].lower().replace("supper", "dinner") in meals
