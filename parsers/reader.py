"""Read a model's reply as an answer: tolerant of form, strict about meaning."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from langchain_core.output_parsers import BaseOutputParser
from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel, ValidationError

from parsers.answer import Answer, Context, shape_of
from parsers.instructions import format_instructions
from parsers.problem import Problem, Unreadable
from parsers.reading.faults import ANOTHER_SPEAKER, CUT_OFF, FAULTS, TWO_ANSWERS, nothing_found
from parsers.reading.fitting import Choices, Fitting, choice_problems
from parsers.reading.keeping import kept_items, missing_keys, renamed_by_key
from parsers.reading.syntax import Found, read_values
from parsers.reading.tabling import written
from parsers.reading.wrapping import in_form, in_order_asked, joined, likeness
from parsers.sentences import problems_of
from parsers.shape import Shape

T = TypeVar("T", bound=Answer)

_MOST_MENDS = 12
_REFUSED = re.compile(
    r"\b(?:not|never|or|instead of|rather than|alternative|alternatively|could|might)\b|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading(Generic[T]):
    """What came of reading a reply: an answer, or the problems with it."""

    value: T | None
    """The answer, or None when there are problems."""
    mends: tuple[str, ...] = ()
    """What was mended on the way, in short notes."""
    problems: tuple[Problem, ...] = ()
    """What is wrong, the most important first; empty when there is a value."""
    kept: tuple[BaseModel, ...] = ()
    """The items of the answer's list that are right although the answer is not."""


class AnswerParser(BaseOutputParser[T]):
    """Reads replies as one type of answer; LangChain sees an output parser."""

    answer: type[T]
    """The type of answer to read."""

    def read(
        self, text: str, context: Mapping[str, Any] | None = None, *, cut: bool = False
    ) -> Reading[T]:
        """What the reply says; never raises, whatever the text.

        `context` is what the step knows (its `choices`, and values of its own); `cut` says that
        the server ended the reply at its length limit.
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
    ) -> Reading[T]:
        """As `read`, and as a parser run of its own in a trace."""

        async def reading(reply: str) -> Reading[T]:
            return self.read(reply, context, cut=cut)

        # The base class knows one outcome only, T; a reading also carries what was wrong.
        traced = self._acall_with_config(cast(Any, reading), text, config, run_type="parser")
        return cast(Reading[T], await traced)

    def parse(self, text: str) -> T:
        """The answer in the reply; raises `Unreadable` when there is none."""
        reading = self.read(text)
        if reading.value is None:
            raise Unreadable(reading.problems, text)
        return reading.value

    def get_format_instructions(self) -> str:
        """How to write the answer, in words for a small model."""
        return format_instructions(self.answer)

    @property
    def _type(self) -> str:
        """The parser's name in traces."""
        return f"smolville_{self.answer.__name__}"

    def _best(self, text: str, context: Context | None) -> Reading[T]:
        """The reading of the value in a reply that is the answer, or most like it."""
        shape, found = shape_of(self.answer), read_values(text)
        if _goes_on_for_another(shape, found):
            return Reading(None, problems=(ANOTHER_SPEAKER,))
        if len(found) == 1 and likeness(shape, found[0].value):
            return self._reading(shape, found[0], context)
        other = written(shape, text) if not _is_any(shape, found) else None
        if other is not None:
            return self._reading(shape, Found(*other), context)
        if len(found) < 2:
            return self._reading(shape, found[0], context) if found else _nothing(text)
        row = joined(shape, [each.value for each in found])
        if row is not None:
            faulty = next((each for each in found if each.fault), found[-1])
            return self._reading(shape, Found(*row, faulty.fault), context)
        return self._last(shape, found, context)

    def _last(self, shape: Shape, found: list[Found], context: Context | None) -> Reading[T]:
        """The reading of the last value that is right; else of the one most like the answer.

        Neither the prompt's own example, nor a value with a cut one behind it, nor one that is only
        said to be possible or not to be meant is taken for right.
        """
        shaped = [(likeness(shape, in_form(shape, each.value)[0]), each) for each in found]
        last: list[Reading[T]] = []
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
            return Reading(reading.value, (*reading.mends, note))
        best = max(range(len(last)), key=lambda at: (shaped[-1 - at][0], -at))
        if last[best].value is None:
            return last[best]
        return _in_part(self.answer, last[best], TWO_ANSWERS)

    def _reading(
        self, shape: Shape, found: Found, context: Context | None, *, is_alone: bool = True
    ) -> Reading[T]:
        """The reading of one value found in a reply."""
        value, ordered = found.value, tuple[str, ...]()
        if is_alone:
            value, ordered = in_order_asked(self.answer, value, context)
        data, formed = in_form(shape, value, is_alone=is_alone)
        choices = _choices(context)
        fitting = Fitting(choices, self.answer.labels(context))
        data = fitting.fit(shape, data)
        mends = [*found.mends, *ordered, *formed, *fitting.notes]
        if isinstance(data, dict) and not found.fault:
            data, notes = self.answer.mend(data, context)
            mends += notes
        reading = self._validated(shape, data, context, choices)
        if found.fault:
            return _in_part(self.answer, reading, FAULTS[found.fault])
        return Reading(reading.value, tuple(mends[:_MOST_MENDS]), reading.problems, reading.kept)

    def _validated(
        self, shape: Shape, data: Any, context: Context | None, choices: Choices
    ) -> Reading[T]:
        """The answer the data makes, or its problems and the items that are right."""
        problems: tuple[Problem, ...] = ()
        value: T | None = None
        try:
            value = self.answer.model_validate(data, context=context)
        except ValidationError as error:
            problems = problems_of(error, shape)
        unchosen = choice_problems(data, choices) if choices else ()
        if value is not None and not unchosen:
            return Reading(value)
        if value is None:
            problems += missing_keys(self.answer, data, context)
        problems = _each_field_once(_most_telling(problems, unchosen))
        problems = tuple(renamed_by_key(self.answer, data, problem) for problem in problems)
        wrong = _positions(self.answer, unchosen)
        return Reading(None, (), problems, kept_items(self.answer, data, context, wrong))


def _nothing(text: str) -> Reading[Any]:
    """The reading of a reply with no answer in it."""
    return Reading(None, problems=(nothing_found(text),))


def _is_any(shape: Shape, found: list[Found]) -> bool:
    """Whether any value is like the answer, or could be once its faults are gone."""
    return any(
        each.fault or likeness(shape, formed) or notes
        for each in found
        for formed, notes in [in_form(shape, each.value)]
    )


def _goes_on_for_another(shape: Shape, found: list[Found]) -> bool:
    """Whether a value after a speaker's name is like the answer, and not the one before it again.

    Objects in a row that together make a list may each have a name before them.
    """
    first = next((at for at, each in enumerate(found) if each.is_by_another), None)
    if first is None or joined(shape, [each.value for each in found]) is not None:
        return False
    own = found[first - 1] if first else None
    return any(
        own is None or each.fault or each.value != own.value
        for each in found[first:]
        if _is_any(shape, [each])
    )


def _others(shaped: list[tuple[int, Found]], one: Found) -> bool:
    """Whether a value other than this one is like the answer."""
    return any(like and each.value != one.value for like, each in shaped)


def _choices(context: Context | None) -> Choices:
    """This call's choices, if the context has any."""
    choices: Choices = (context or {}).get("choices") or {}
    return choices


def _in_part(answer: type[T], reading: Reading[T], problem: Problem) -> Reading[T]:
    """The reading of a reply that is not whole: no answer, but the items that are."""
    kept = reading.kept
    if reading.value is not None and answer.items_field is not None:
        kept = tuple(getattr(reading.value, answer.items_field))
    return Reading(None, reading.mends, (problem,), kept)


def _most_telling(
    problems: tuple[Problem, ...], unchosen: tuple[Problem, ...]
) -> tuple[Problem, ...]:
    """All problems; where a value is of the wrong type, the one that lists the choices."""
    listed = {problem.field: problem for problem in unchosen}
    plain = ("type", "range", "duplicate")
    told = [listed.get(each.field, each) if each.kind in plain else each for each in problems]
    return (*told, *unchosen)


def _each_field_once(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The problems without a second one for the same field."""
    first: dict[str, Problem] = {}
    for problem in problems:
        first.setdefault(problem.field, problem)
    return tuple(first.values())


def _positions(answer: type[Answer], problems: tuple[Problem, ...]) -> list[int]:
    """The positions of the items, in the list that is kept in part, that have these problems."""
    parts = [problem.field.split(".") for problem in problems]
    return [
        int(part[1])
        for part in parts
        if part[0] == answer.items_field and part[1:2] and len(part) > 1
    ]
