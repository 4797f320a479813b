"""Read a model's reply as an answer: tolerant of form, strict about meaning."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from langchain_core.output_parsers import BaseOutputParser
from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel, ValidationError

from smolville.parsers.answer import Answer, Context, Shape, shape_of
from smolville.parsers.instructions import format_instructions
from smolville.parsers.problem import Problem, Unreadable
from smolville.parsers.reading.faults import (
    ANOTHER_SPEAKER,
    CUT_OFF,
    FAULTS,
    ONLY_THOUGHTS,
    TWO_ANSWERS,
    nothing_found,
    problems_of,
)
from smolville.parsers.reading.fitting import Choices, Fitting, choice_problems
from smolville.parsers.reading.keeping import kept_items, missing_keys, renamed_by_key
from smolville.parsers.reading.syntax import FoundJson, read_values
from smolville.parsers.reading.wrapping import (
    in_form,
    in_order_asked,
    join_objects,
    likeness,
    read_plain_form,
)

T = TypeVar("T", bound=Answer)

_MOST_MENDS = 12
_REFUSED = re.compile(
    r"\b(?:not|never|or|instead of|rather than|alternative|alternatively|could|might)\b|n['’]t\b",
    re.IGNORECASE,
)
_RETHOUGHT = re.compile(
    rf"{_REFUSED.pattern}|\b(?:maybe|perhaps|example|format|wait|but|however|hmm?|again|better)\b",
    re.IGNORECASE,
)
"""Words near an answer among thoughts that leave open whether it is meant."""


@dataclass(frozen=True)
class ParseResult(Generic[T]):
    """The result of reading a reply: an answer, or the problems with it."""

    value: T | None
    """The answer; None if there are problems."""
    mends: tuple[str, ...] = ()
    """Short notes on what was mended."""
    problems: tuple[Problem, ...] = ()
    """What is wrong, the most important first; empty if there is a value."""
    kept: tuple[BaseModel, ...] = ()
    """The right items of the answer's list, if the answer as a whole is wrong."""
    rest: T | None = None
    """The answer without the wrong items of its list, if nothing else in it is wrong."""


class AnswerParser(BaseOutputParser[T]):
    """Reads replies as one type of answer; a LangChain output parser."""

    answer: type[T]
    """The type of answer to read."""

    def read(
        self, text: str, context: Mapping[str, Any] | None = None, *, cut: bool = False
    ) -> ParseResult[T]:
        """Read any text and return the result; never raises.

        `context` holds the step's facts (its `choices`, and further values); `cut` says that the
        server ended the reply at its length limit.
        """
        reading = self._best(text, context)
        if cut:
            return _in_part(self.answer, reading, CUT_OFF)
        return reading

    async def aread(
        self,
        text: str,
        context: Mapping[str, Any] | None = None,
        *,
        cut: bool = False,
        config: RunnableConfig | None = None,
    ) -> ParseResult[T]:
        """Do what `read` does, as a separate parser run in a trace."""

        async def reading(reply: str) -> ParseResult[T]:
            return self.read(reply, context, cut=cut)

        # The base class only allows the result T; a reading also contains the problems.
        traced = self._acall_with_config(cast(Any, reading), text, config, run_type="parser")
        return cast(ParseResult[T], await traced)

    def parse(self, text: str) -> T:
        """Return the answer in the reply. Raises `Unreadable` if there is none."""
        reading = self.read(text)
        if reading.value is None:
            raise Unreadable(reading.problems, text)
        return reading.value

    def get_format_instructions(self) -> str:
        """Return the format instructions, in words for a small model."""
        return format_instructions(self.answer)

    @property
    def _type(self) -> str:
        return f"smolville_{self.answer.__name__}"

    def _best(self, text: str, context: Context | None) -> ParseResult[T]:
        """Return the reading of a reply's answer; without one, of the value most similar to it."""
        shape, found = shape_of(self.answer), read_values(text)
        if found and found[0].is_thought:
            return self._thought(shape, found, context)
        if _goes_on_for_another(shape, found):
            return ParseResult(None, problems=(ANOTHER_SPEAKER,))
        if len(found) == 1 and likeness(shape, found[0].value):
            return self._reading(shape, found[0], context)
        other = read_plain_form(shape, text) if not _is_any(shape, found) else None
        if other is not None:
            return self._reading(shape, FoundJson(*other), context)
        if not found:
            return ParseResult(None, problems=(nothing_found(text),))
        if len(found) == 1:
            return self._reading(shape, found[0], context)
        row = join_objects(shape, [each.value for each in found])
        if row is not None:
            faulty = next((each for each in found if each.fault), found[-1])
            return self._reading(shape, FoundJson(*row, faulty.fault), context)
        return self._last(shape, found, context)

    def _thought(
        self, shape: Shape, found: list[FoundJson], context: Context | None
    ) -> ParseResult[T]:
        """Return the reading of the only answer among thoughts that are the whole reply.

        Thoughts with drafts that differ, or with words that leave the answer open, are no answer.
        """
        whole = [each for each in found if _is_any(shape, [each])]
        if any(
            in_form(shape, each.value)[0] != in_form(shape, whole[0].value)[0] for each in whole
        ):
            return ParseResult(None, problems=(TWO_ANSWERS,))
        if not whole or any(
            each.fault or _RETHOUGHT.search(f"{each.lead} {each.tail}") for each in whole
        ):
            return ParseResult(None, problems=(ONLY_THOUGHTS,))
        reading = self._reading(shape, whole[0], context)
        return reading if reading.value else ParseResult(None, problems=(ONLY_THOUGHTS,))

    def _last(
        self, shape: Shape, found: list[FoundJson], context: Context | None
    ) -> ParseResult[T]:
        """Return the reading of the last right value; without one, of the most similar value.

        Three kinds of values do not count as right: the prompt's own example, a value with a cut
        one after it, and one that the words before it call only possible or not meant.
        """
        shaped = [(likeness(shape, in_form(shape, each.value)[0]), each) for each in found]
        last: list[ParseResult[T]] = []
        example = self.answer.example()
        for each in reversed(found):
            reading = self._reading(shape, each, context, is_alone=False)
            last.append(reading)
            if each.fault:
                break
            if reading.value is None or (reading.value == example and _others(shaped, each)):
                continue
            if _REFUSED.search(each.lead):
                return _in_part(self.answer, reading, TWO_ANSWERS)
            note = f"chose one of {len(found)} values in the reply"
            return ParseResult(reading.value, (*reading.mends, note))
        best = max(range(len(last)), key=lambda at: (shaped[-1 - at][0], -at))
        if last[best].value is None:
            return last[best]
        return _in_part(self.answer, last[best], TWO_ANSWERS)

    def _reading(
        self, shape: Shape, found: FoundJson, context: Context | None, *, is_alone: bool = True
    ) -> ParseResult[T]:
        value, ordered = found.value, tuple[str, ...]()
        if is_alone:
            value, ordered = in_order_asked(self.answer, value, context)
        data, formed = in_form(shape, value, is_alone=is_alone)
        choices: Choices = (context or {}).get("choices") or {}
        fitting = Fitting(choices, self.answer.labels(context))
        data = fitting.fit(shape, data)
        mends = [*found.mends, *ordered, *formed, *fitting.notes]
        if isinstance(data, dict) and not found.fault:
            data, notes = self.answer.mend(data, context)
            mends += notes
        reading = self._validate_data(shape, data, context, choices)
        if found.fault:
            return _in_part(self.answer, reading, FAULTS[found.fault])
        return replace(reading, mends=tuple(mends[:_MOST_MENDS]))

    def _validate_data(
        self, shape: Shape, data: Any, context: Context | None, choices: Choices
    ) -> ParseResult[T]:
        """Return the answer made from the data; if this fails, the problems and valid items."""
        problems: tuple[Problem, ...] = ()
        value: T | None = None
        try:
            value = self.answer.model_validate(data, context=context)
        except ValidationError as error:
            problems = problems_of(error, shape)
        unchosen = choice_problems(data, choices) if choices else ()
        if value is not None and not unchosen:
            return ParseResult(value)
        if value is None:
            problems += missing_keys(self.answer, data, context)
        problems = _most_telling(problems, unchosen)
        problems = tuple(renamed_by_key(self.answer, data, problem) for problem in problems)
        wrong = _positions(self.answer, unchosen)
        kept = kept_items(self.answer, data, context, wrong)
        return ParseResult(None, (), problems, kept, self._rest(data, problems, kept, context))

    def _rest(
        self,
        data: Any,
        problems: tuple[Problem, ...],
        kept: tuple[BaseModel, ...],
        context: Context | None,
    ) -> T | None:
        """Return the answer with only the right items of its list, if nothing else is wrong."""
        field = self.answer.items_field
        is_of_items = all(each.field.startswith(f"{field}.") for each in problems)
        if field is None or len(self.answer.model_fields) == 1 or not is_of_items:
            return None
        right = data | {field: [item.model_dump() for item in kept]}
        try:
            return self.answer.model_validate(right, context=context)
        except ValidationError:
            return None


def _is_any(shape: Shape, found: list[FoundJson]) -> bool:
    """Return whether any value is faulty, similar to the answer, or convertible to its form."""
    return any(
        each.fault or likeness(shape, formed) or notes
        for each in found
        for formed, notes in [in_form(shape, each.value)]
    )


def _goes_on_for_another(shape: Shape, found: list[FoundJson]) -> bool:
    """Return whether another speaker's value differs from the reply's own answer.

    A name before a value marks another speaker. Objects in a row that together form a list do not
    count, since each may have a name before it.
    """
    first = next((at for at, each in enumerate(found) if each.is_by_another), None)
    if first is None or join_objects(shape, [each.value for each in found]) is not None:
        return False
    own = found[first - 1] if first else None
    return any(
        own is None or each.fault or each.value != own.value
        for each in found[first:]
        if _is_any(shape, [each])
    )


def _others(shaped: list[tuple[int, FoundJson]], one: FoundJson) -> bool:
    return any(like and each.value != one.value for like, each in shaped)


def _in_part(answer: type[T], reading: ParseResult[T], problem: Problem) -> ParseResult[T]:
    """Return a reading without an answer: with this problem, and with the valid items of a list."""
    kept = reading.kept
    if reading.value is not None and answer.items_field is not None:
        kept = tuple(getattr(reading.value, answer.items_field))
    return ParseResult(None, reading.mends, (problem,), kept)


def _most_telling(
    problems: tuple[Problem, ...], unchosen: tuple[Problem, ...]
) -> tuple[Problem, ...]:
    """Return one problem for each field; where possible, the one that lists its choices.

    Such a problem replaces another of the same field that is about type, range or repetition.
    """
    listed = {problem.field: problem for problem in unchosen}
    first: dict[str, Problem] = {}
    for each in (*problems, *unchosen):
        is_plain = each.kind in ("type", "range", "duplicate")
        first.setdefault(each.field, listed.get(each.field, each) if is_plain else each)
    return tuple(first.values())


def _positions(answer: type[Answer], problems: tuple[Problem, ...]) -> list[int]:
    parts = [problem.field.split(".") for problem in problems]
    return [
        int(part[1])
        for part in parts
        if part[0] == answer.items_field and part[1:2] and len(part) > 1
    ]
