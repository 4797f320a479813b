"""What every question of a run obeys: its rules, and the templates it is put with."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal

from prompts.contract import Facts, read_facts
from prompts.environment import open_environment
from prompts.examples import FILE as EXAMPLES
from prompts.examples import examples_template
from prompts.folder import Texts, shipped_texts
from prompts.prompt import Prompt, RepairPrompt

if TYPE_CHECKING:
    from graphs.loop.step import AnyStep


Tier = Literal["fast", "strong"]
History = Literal["last", "full", "none"]
"""What a repair shows of what went before: the last wrong answer, all of them, or nothing (the very
same question again, for comparison)."""


@dataclass(frozen=True, kw_only=True)
class StepRule:
    """What an operator changed about one step; None for what the step itself declares."""

    tier: Tier | None = None
    temperature: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How a run asks its models."""

    repairs: int = 3
    """Repairs before a step falls back."""
    strict: bool = False
    """Whether the run stops where a step would fall back."""
    history: History = "last"
    examples: int = 0
    """At most so many example cases are shown with a question."""
    examples_from_run: bool = False
    """Whether answers of this run may serve as examples, beside the shipped ones."""
    steps: Mapping[str, StepRule] = field(default_factory=dict)
    """Step to what is different for it."""

    def of(self, step: str) -> StepRule:
        """Return what is different for a step."""
        return self.steps.get(step) or StepRule()


class TemplateSet:
    """The templates of all steps together: each one's prompt, and the repair message."""

    def __init__(self, texts: Texts | None = None) -> None:
        """Take templates by file name, the shipped ones for None; each is compiled when wanted."""
        self.texts: Texts = shipped_texts() if texts is None else texts
        self.environment = open_environment(texts)
        self._prompts: dict[tuple[str, type, type], Prompt[Any]] = {}

    def prompt(self, step: "AnyStep") -> Prompt[Any]:
        """Return a step's prompt; PromptContractError when its template does not fit it."""
        asked = (step.name, step.inputs, step.answer)
        found = self._prompts.get(asked)
        if found is None:
            instructions = step.parser.get_format_instructions()
            found = Prompt(step.name, step.inputs, instructions, environment=self.environment)
            self._prompts[asked] = found
        return found

    @cached_property
    def repair(self) -> RepairPrompt:
        """The message that sends an answer back; PromptContractError when it does not fit."""
        return RepairPrompt(self.environment)

    @cached_property
    def examples(self) -> Facts:
        """What shows example cases; PromptContractError when it does not fit."""
        examples_template(self.environment)
        return read_facts(self.environment, EXAMPLES)


@cache
def shipped_templates() -> TemplateSet:
    """Return the shipped templates."""
    return TemplateSet()


class TemplateBook:
    """The template sets of a run, each with the tick from which it holds."""

    def __init__(self, first: TemplateSet | None = None) -> None:
        self._ticks = [0]
        self._sets = [first or shipped_templates()]

    def turn(self, tick: int, templates: TemplateSet) -> None:
        """Let a set hold from a tick on, no earlier one than the last set's."""
        if tick < self._ticks[-1]:
            raise ValueError(f"a template set from tick {tick} on comes too late")
        self._ticks.append(tick)
        self._sets.append(templates)

    def at(self, tick: int) -> TemplateSet:
        """Return the set that holds at a tick."""
        return self._sets[max(0, bisect_right(self._ticks, tick) - 1)]

    @property
    def since(self) -> int:
        """The tick from which the latest set holds."""
        return self._ticks[-1]

    @property
    def latest(self) -> TemplateSet:
        """The set that was turned to last."""
        return self._sets[-1]
