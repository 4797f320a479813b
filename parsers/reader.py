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
    CUT_OFF,
    FAULTS,
    NOTHING,
    TWO_ANSWERS,
    nothing_found,
    problems_of,
)
from smolville.parsers.reading.fitting import (
    Choices,
    Fitting,
    choice_problems,
    in_form,
    join_objects,
    likeness,
)
from smolville.parsers.reading.keeping import kept_items, missing_keys, renamed_by_key
from smolville.parsers.reading.lines import (
    formats_of,
    instructions_without_json,
    read_lines,
    write_answer,
)
from smolville.parsers.reading.syntax import FoundJson, read_values
from smolville.parsers.reading.turns import own_words
from smolville.prompts.contract import Format

T = TypeVar("T", bound=Answer)

_MOST_MENDS = 12


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
        self,
        text: str,
        context: Mapping[str, Any] | None = None,
        *,
        cut: bool = False,
        form: Format = "json",
    ) -> ParseResult[T]:
        """Read any text and return the result; never raises.

        `context` holds the step's facts (its `choices`, and further values); `cut` says that the
        server ended the reply at its length limit. If another form than JSON was asked for, JSON is
        read too.
        """
        if form == "json" or _is_json(text):
            reading = self._best(text, context)
        else:
            reading = self._of_lines(text, context, form)
        if cut:
            return _in_part(self.answer, reading, CUT_OFF)
        return reading

    async def aread(
        self,
        text: str,
        context: Mapping[str, Any] | None = None,
        *,
        cut: bool = False,
        form: Format = "json",
        config: RunnableConfig | None = None,
    ) -> ParseResult[T]:
        """Do what `read` does, as a separate parser run in a trace."""

        async def reading(reply: str) -> ParseResult[T]:
            return self.read(reply, context, cut=cut, form=form)

        # The base class only allows the result T; a reading also contains the problems.
        traced = self._acall_with_config(cast(Any, reading), text, config, run_type="parser")
        return cast(ParseResult[T], await traced)

    def parse(self, text: str) -> T:
        """Return the answer in the reply. Raises `Unreadable` if there is none."""
        reading = self.read(text)
        if reading.value is None:
            raise Unreadable(reading.problems, text)
        return reading.value

    def get_format_instructions(self, form: Format = "json") -> str:
        """Return the format instructions, in words for a small model."""
        if form == "json":
            return format_instructions(self.answer)
        return instructions_without_json(self.answer, form)

    @property
    def formats(self) -> tuple[Format, ...]:
        """The forms in which the answer can be written."""
        return formats_of(shape_of(self.answer))

    def write(self, answer: str, form: Format) -> str:
        """Return an answer, given as its JSON, in one of its forms."""
        return write_answer(self.answer, answer, form)

    @property
    def _type(self) -> str:
        return f"smolville_{self.answer.__name__}"

    def _best(self, text: str, context: Context | None) -> ParseResult[T]:
        """Return the reading of a reply's answer.

        Values that have nothing of the answer's form do not count beside one that has. Of answers
        that differ, as drafts and invented turns do, none is taken.
        """
        shape, found = shape_of(self.answer), read_values(text)
        if not found:
            return ParseResult(None, problems=(nothing_found(text),))
        if (row := join_objects(shape, [each.value for each in found])) is not None:
            fault = next((each.fault for each in found if each.fault), found[-1].fault)
            return self._reading(shape, FoundJson(*row, fault), context)
        formed = [(each, *in_form(shape, each.value)) for each in found]
        whole = [
            (each, value)
            for each, value, notes in formed
            if each.fault or notes or likeness(shape, value)
        ] or [(found[-1], None)]
        last, meant = whole[-1]
        if not last.fault and any(value != meant for _, value in whole):
            return ParseResult(None, problems=(TWO_ANSWERS,))
        return self._reading(shape, last if last.fault else whole[0][0], context)

    def _of_lines(self, text: str, context: Context | None, form: Format) -> ParseResult[T]:
        shape = shape_of(self.answer)
        found = read_lines(shape, text, form)
        if found is None:
            return ParseResult(None, problems=(NOTHING,))
        return self._reading(shape, found, context)

    def _reading(self, shape: Shape, found: FoundJson, context: Context | None) -> ParseResult[T]:
        data, formed = in_form(shape, found.value)
        choices: Choices = (context or {}).get("choices") or {}
        fitting = Fitting(choices, self.answer.labels(context))
        data = fitting.fit(shape, data)
        mends = [*found.mends, *formed, *fitting.notes]
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


def _is_json(text: str) -> bool:
    """Return whether a reply is an object or a list of them, although lines were asked for."""
    spoken = own_words(text)[0].strip().removeprefix("```json").strip("` \n")
    return spoken.startswith("{") or re.match(r"\[\s*\{", spoken) is not None


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
    return [int(part[1]) for part in parts if part[0] == answer.items_field and len(part) > 1]
