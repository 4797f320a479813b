"""A sense check: a pure function of an answer, the inputs it answers, and what was shown with them.

A reply is read in two halves. The answer type's validators hold it to its shape; sense checks hold
the answer to the case: that it copies no example, repeats no line, keeps what it was told.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from graphs.cards import Card
from parsers.answer import Answer
from parsers.problem import Problem

I = TypeVar("I", bound=Card)  # noqa: E741 - the inputs
A = TypeVar("A", bound=Answer)

Action = Literal["refuse", "ask", "mark"]
"""What an answer that fails a check comes to. `refuse`: it is never accepted. `ask`: it is asked
again once, and then accepted as odd. `mark`: it is accepted as odd at once, for where asking again
was measured not to help."""

ANY: tuple[str, ...] = ()
"""A check that understands every language."""
ENGLISH = ("en",)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What stood in the prompt beside the inputs, and what is known of the call."""

    examples: tuple[str, ...] = ()
    """Free texts of the worked answers: the format's own, and those of example cases."""
    descriptions: tuple[str, ...] = ()
    """What the format says of each field."""
    headings: frozenset[str] = frozenset()
    """What stands in capitals above the parts of the prompt."""
    instructions: tuple[str, ...] = ()
    """The prompt's rules, and its question."""
    given: str = ""
    """Every text of the inputs, one after another."""
    language: str = "en"
    """Of the templates."""
    choices: frozenset[str] = frozenset()
    """Paths of the answer's fields that hold one of a list of choices, without positions."""


@dataclass(frozen=True, kw_only=True)
class SenseCheck(Generic[I, A]):
    """One thing that can make an answer senseless."""

    look: Callable[[A, I, Shown], Iterable[Problem]]
    """Gives what is wrong; each problem's kind is one of `parsers.problem.SENSE_KINDS`."""
    action: Action
    languages: Sequence[str] = ANY
    """Those it understands; with templates of another one it is silent."""

    def found(self, answer: A, inputs: I, shown: Shown) -> list[Problem]:
        """Return what this check has against an answer."""
        if self.languages and shown.language not in self.languages:
            return []
        return list(self.look(answer, inputs, shown))


AnyCheck = SenseCheck[Any, Any]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the checks of a step say of an answer."""

    refused: tuple[Problem, ...] = ()
    doubted: tuple[Problem, ...] = ()
    """Worth asking again, once."""
    marked: tuple[Problem, ...] = ()

    @property
    def odd(self) -> tuple[Problem, ...]:
        """What an answer that is accepted all the same is marked with."""
        return (*self.doubted, *self.marked)


def judge(checks: Iterable[AnyCheck], answer: Any, inputs: Any, shown: Shown) -> Verdict:
    """Return what all checks of a step say of an answer, each field's first fault of a kind."""
    found: dict[Action, dict[tuple[str, str], Problem]] = {"refuse": {}, "ask": {}, "mark": {}}
    for check in checks:
        for problem in check.found(answer, inputs, shown):
            found[check.action].setdefault((problem.field, problem.kind), problem)
    return Verdict(
        refused=tuple(found["refuse"].values()),
        doubted=tuple(found["ask"].values()),
        marked=tuple(found["mark"].values()),
    )
