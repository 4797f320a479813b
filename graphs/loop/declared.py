"""What the step loop needs of a step."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from graphs.loop.rules import Tier
from parsers.answer import Answer
from parsers.reader import AnswerParser


class Declared(Protocol):
    """A step as the loop sees it (`graphs.loop.step.Step`)."""

    @property
    def name(self) -> str:
        """The step's name."""
        ...

    @property
    def inputs(self) -> type[Any]:
        """The input model, whose fields are the prompt's variables."""
        ...

    @property
    def parser(self) -> AnswerParser[Any]:
        """What reads the answer."""
        ...

    @property
    def answer(self) -> type[Answer]:
        """The answer's type."""
        ...

    @property
    def fallback(self) -> Callable[[Any], Answer]:
        """What is answered when nobody does."""
        ...

    @property
    def context(self) -> Callable[[Any], dict[str, Any]]:
        """What the validators know of a call."""
        ...

    @property
    def choices(self) -> Callable[[Any], Mapping[str, Sequence[str | int]]]:
        """Field path to the values allowed in a call."""
        ...

    @property
    def case(self) -> Callable[[Any], str]:
        """A call's case in a few short lines."""
        ...

    @property
    def sheds(self) -> tuple[str, ...]:
        """List fields of the inputs from which entries may be left out."""
        ...

    @property
    def tier(self) -> Tier:
        """Which model is asked first."""
        ...

    @property
    def temperature(self) -> float:
        """Of the first attempt."""
        ...

    @property
    def max_tokens(self) -> int:
        """The reply's allowance."""
        ...
