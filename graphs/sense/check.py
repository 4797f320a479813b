"""A sense check: a pure function of an answer, its inputs, and the rest of the prompt.

A reply is read in two steps. First, the answer type's validators check its form. Then sense checks
compare the answer with the case: it must copy no example, repeat no line, and keep the given facts.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from smolville.parsers.answer import Answer
from smolville.parsers.problem import Problem
from smolville.parsers.prompt_inputs import PromptInput

I = TypeVar("I", bound=PromptInput)  # noqa: E741 - the inputs
A = TypeVar("A", bound=Answer)

Action = Literal["refuse", "ask", "mark"]
"""What happens to an answer that fails a check. `refuse`: it is never accepted. `ask`: the question
is asked again once, and then the answer is accepted as odd. `mark`: the answer is accepted as odd
at once, because measurements showed that asking again does not help."""

ANY: tuple[str, ...] = ()
"""Value of `languages` for a check that works in every language."""
ENGLISH = ("en",)


@dataclass(frozen=True, kw_only=True)
class CheckContext:
    """What the prompt showed besides the inputs, and known facts about the call."""

    examples: tuple[str, ...] = ()
    """Free texts of the example answers: the format's own example, and those of example cases."""
    descriptions: tuple[str, ...] = ()
    """The descriptions of the fields in the format instructions."""
    headings: frozenset[str] = frozenset()
    """The headings in capitals in the prompt."""
    given: str = ""
    """All texts of the inputs, joined."""
    language: str = "en"
    """Language of the templates."""
    choices: frozenset[str] = frozenset()
    """Paths, without positions, of the answer's fields whose values are chosen from a list."""


@dataclass(frozen=True, kw_only=True)
class SenseCheck(Generic[I, A]):
    """A check for one kind of fault that makes an answer senseless."""

    look: Callable[[A, I, CheckContext], Iterable[Problem]]
    """Yields the problems found; each problem's kind is one of `parsers.problem.SENSE_KINDS`."""
    action: Action
    languages: Sequence[str] = ANY
    """Languages in which the check works; with templates in any other language it finds nothing."""

    def find_problems(self, answer: A, inputs: I, shown: CheckContext) -> list[Problem]:
        """Return the problems that this check finds in an answer."""
        if self.languages and shown.language not in self.languages:
            return []
        return list(self.look(answer, inputs, shown))


AnyCheck = SenseCheck[Any, Any]


@dataclass(frozen=True, kw_only=True)
class SenseVerdict:
    """The verdict of a step's checks on an answer."""

    refused: tuple[Problem, ...] = ()
    doubted: tuple[Problem, ...] = ()
    """Problems because of which the question is asked again, once."""
    marked: tuple[Problem, ...] = ()

    @property
    def odd(self) -> tuple[Problem, ...]:
        """The oddities with which an answer is marked if it is accepted anyway."""
        return (*self.doubted, *self.marked)


def judge(
    checks: Iterable[AnyCheck], answer: Any, inputs: Any, shown: CheckContext
) -> SenseVerdict:
    """Return the verdict of a step's checks, with the first fault of each kind in each field."""
    found: dict[Action, dict[tuple[str, str], Problem]] = {"refuse": {}, "ask": {}, "mark": {}}
    for check in checks:
        for problem in check.find_problems(answer, inputs, shown):
            found[check.action].setdefault((problem.field, problem.kind), problem)
    return SenseVerdict(
        refused=tuple(found["refuse"].values()),
        doubted=tuple(found["ask"].values()),
        marked=tuple(found["mark"].values()),
    )
