"""The state of the step loop, and what it needs of a step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from agents.recall import Recollection
from graphs.cards import Card
from graphs.loop.ledger import Call, CallReading
from graphs.loop.rules import Tier
from parsers.answer import Answer
from parsers.reader import AnswerParser


class Declared(Protocol):
    """What the loop needs of a step (`graphs.step.Step`)."""

    @property
    def name(self) -> str:
        """The step's name."""
        ...

    @property
    def prompt(self) -> Any:
        """A runnable from the inputs to messages, with a `version`."""
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


@dataclass(kw_only=True)
class Asking:
    """The loop's state: one use of one step."""

    step: Declared
    inputs: Card
    ordinal: int
    recalled: tuple[Recollection, ...] = ()
    first: list[BaseMessage] = field(default_factory=list)
    """The rendered prompt."""
    exchange: list[BaseMessage] = field(default_factory=list)
    """The last reply and what is wrong with it, behind the prompt."""
    attempt: int = 0
    warmth: float = 0.0
    call: Call | None = None
    kept: tuple[BaseModel, ...] = ()
    """Items of a list answer that are right already."""
    problems: tuple[str, ...] = ()
    readings: tuple[CallReading, ...] = ()
    answer: Answer | None = None
    outcome: str = ""
