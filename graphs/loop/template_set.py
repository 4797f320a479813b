"""The templates that questions are put with, and from which tick each set of them holds."""

from bisect import bisect_right
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from prompts.contract import Facts, read_facts
from prompts.environment import open_environment
from prompts.examples import FILE as EXAMPLES
from prompts.examples import examples_template
from prompts.folder import Texts, shipped_texts
from prompts.prompt import Prompt, RepairPrompt

if TYPE_CHECKING:
    from graphs.loop.step import AnyStep


class TemplateSet:
    """The templates of all steps together: each one's prompt, and the repair message."""

    def __init__(self, texts: Texts | None = None) -> None:
        """Take templates by file name, the shipped ones for None; each is compiled when wanted."""
        self.texts: Texts = shipped_texts() if texts is None else texts
        self.environment = open_environment(texts)
        self._prompts: dict[tuple[str, type, type], Prompt[Any]] = {}

    @classmethod
    def of(cls, texts: Texts) -> "TemplateSet":
        """Return the templates of these texts: the shipped ones, compiled already, where equal."""
        return shipped_templates() if texts == shipped_texts() else cls(texts)

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
