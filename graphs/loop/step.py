"""The declaration of a cognitive step: a prompt, an answer, and how both connect to the state."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from smolville.agents.stream import Recollection
from smolville.graphs.context import MindContext
from smolville.graphs.loop.ledger import StepOutcome
from smolville.graphs.loop.rules import Tier
from smolville.graphs.recall import RecallResult
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import AnyCheck
from smolville.graphs.state import MindState, State
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.answer import Answer
from smolville.parsers.prompt_inputs import PromptInput
from smolville.parsers.reader import AnswerParser
from smolville.prompts.prompt import Prompt, TemplateSet, shipped_templates

S = TypeVar("S", bound=State)
I = TypeVar("I", bound=PromptInput)  # noqa: E741 - the inputs
A = TypeVar("A", bound=Answer)

Choices = Mapping[str, Sequence[str | int]]
"""Allowed values in one call, by field path."""
Changes = dict[str, Any]
"""Fields of a state with their new values, as a LangGraph node returns them."""


@dataclass(frozen=True, kw_only=True)
class StepInputs(Generic[I]):
    """The inputs of a step, and the recall of memories that was made for them."""

    inputs: I
    recall: RecallResult | None = None
    """The recall made for the inputs, if there was one."""


@dataclass(frozen=True, kw_only=True)
class StepResult(Generic[I, A]):
    """The result of one use of a step."""

    inputs: I
    answer: A
    outcome: StepOutcome
    ordinal: int
    recalled: tuple[Recollection, ...] = ()
    """The memories recalled for it, oldest first."""
    is_odd: bool = False
    """True when a check objects to the answer."""

    @property
    def is_fallback(self) -> bool:
        """True when no model's answer was used."""
        return self.outcome == "fallback"

    @property
    def is_sound(self) -> bool:
        """True when the whole answer comes from a model and passes every check."""
        return not self.is_fallback and not self.is_odd


_A_THOUGHT: Any = MindState


@dataclass(frozen=True, kw_only=True)
class Step(Generic[S, I, A]):
    """One cognitive step, declared once: `graphs.loop.graph.build_step` makes its graph.

    Raises PromptContractError if the template and the input model differ.
    """

    name: str
    """The stem of its three files, and the name of its node."""
    about: str
    """What the step decides, in a few words."""
    inputs: type[I]
    """Its input model, whose fields are exactly the prompt's variables."""
    answer: type[A]
    gather: Callable[[S, MindContext], Awaitable[StepInputs[I]]]
    """Collects the inputs from the state and the surroundings, without changing anything."""
    apply: Callable[[S, MindContext, StepResult[I, A]], Changes]
    """Returns what the answer (or the fallback) changes in the state."""
    fallback: Callable[[I], A]
    """Returns a deterministic answer, which is used and marked only if every repair has failed."""
    sample: Callable[[Scene], I]
    """Makes believable inputs from a scene: for golden texts, forms and first tries."""
    standin: Callable[[I, Dice], RuleAnswer]
    """The stand-in's rule for answering, so that a town can run without any model."""
    seen: type[S] = _A_THOUGHT
    """The state of the graph of which the step is a node."""
    context: Callable[[I], dict[str, Any]] = lambda inputs: {}
    """Returns the facts about this call that the answer's validators need."""
    choices: Callable[[I], Choices] = lambda inputs: {}
    sense: tuple[AnyCheck, ...] = ()
    """Additional checks whether an answer makes sense in its case. The answers of every step are
    also checked by `graphs.sense.EVERYWHERE`."""
    sheds: tuple[str, ...] = ()
    """List fields of the inputs whose entries may be left out of a prompt that is too long, in the
    order in which the lists are shortened."""
    tier: Tier = "fast"
    temperature: float = 0.7
    max_tokens: int = 512
    templates: Callable[[], TemplateSet] = shipped_templates
    """Returns the set of shipped templates that contains the step's own."""

    def __post_init__(self) -> None:
        """Check that the template fits the input model."""
        _ = self.prompt

    @cached_property
    def parser(self) -> AnswerParser[A]:
        """The parser of the step's answers."""
        return AnswerParser(answer=self.answer)

    @cached_property
    def prompt(self) -> Prompt[I]:
        """The prompt, with the shipped template."""
        return cast(Prompt[I], self.templates().prompt(self))


AnyStep = Step[Any, Any, Any]
"""A step with any state, inputs and answer."""


def load_step(name: str) -> AnyStep:
    """Return the step of this name from its file, `graphs/<name>.py`, importing no other step."""
    step: AnyStep = import_module(f"smolville.graphs.{name}").STEP
    return step
