"""A step's prompt as a Runnable: its input model in, a system and a human message out.

Here are also the sets of templates that prompts are made from, and from which tick each holds.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, Protocol, TypeVar

from jinja2 import Environment, Template
from jinja2.runtime import Context
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import BaseModel, PrivateAttr

from prompts.contract import FAULTS, INSTRUCTIONS, Facts, broken_at, check_contract, read_facts
from prompts.environment import Passage, open_environment
from prompts.examples import FILE as EXAMPLES
from prompts.examples import examples_template, examples_text
from prompts.folder import LANGUAGE, SENSE, Texts, shipped_texts
from prompts.repair import RepairPrompt

I = TypeVar("I", bound=BaseModel)  # noqa: E741

Cases = Sequence[tuple[str, str]]
"""Example cases: the text of each, and its answer's JSON."""


class Prompt(RunnableSerializable[I, list[BaseMessage]]):
    """The template `<name>.jinja`, bound to the input model whose fields are its variables.

    Each message comes from a block of its own, never from splitting rendered text, so nothing
    that a memory or a persona says can become another message.
    """

    name: str
    """The step."""
    input_type: type[I]
    answer_instructions: str
    """What the template shows as `format`: how to write the answer, the same for every agent."""

    _environment: Environment = PrivateAttr()
    _template: Template = PrivateAttr()
    _facts: Facts = PrivateAttr()
    _version: str = PrivateAttr()

    def __init__(
        self,
        name: str,
        input_type: type[I],
        answer_instructions: str,
        *,
        environment: Environment | None = None,
    ) -> None:
        """Compile the template; raises PromptContractError when it does not fit `input_type`.

        `environment` has the templates, the shipped ones where none is given.
        """
        super().__init__(name=name, input_type=input_type, answer_instructions=answer_instructions)
        environment = environment or open_environment()
        facts = read_facts(environment, self.file)
        fields = self.input_type.model_fields
        check_contract(self.file, facts, self.input_type.__name__, fields, environment.globals)
        self._environment = environment
        self._template = environment.get_template(self.file)
        self._facts = facts
        self._version = facts.version

    @property
    def file(self) -> str:
        """The template's file name."""
        return f"{self.name}.jinja"

    @property
    def version(self) -> str:
        """First 8 hex digits of SHA-256 over the template and its partials."""
        return self._version

    @property
    def facts(self) -> Facts:
        """The template's text and its partials'."""
        return self._facts

    @cached_property
    def with_examples(self) -> Facts:
        """The template and the one that shows examples: its texts and version where any are shown.

        A prompt without examples keeps its own version, so that it is the same prompt as before
        there were any.
        """
        examples = read_facts(self._environment, EXAMPLES)
        return Facts(texts=self._facts.texts | examples.texts)

    @cached_property
    def examples_template(self) -> Template:
        """What shows examples, compiled and checked once it is wanted."""
        return examples_template(self._environment)

    @property
    def InputType(self) -> type[I]:  # noqa: N802
        """The input model, as LangChain asks for it."""
        return self.input_type

    @property
    def OutputType(self) -> type[list[BaseMessage]]:  # noqa: N802
        """A list of messages, as LangChain asks for it."""
        return list[BaseMessage]

    def render(self, inputs: I, examples: Cases = ()) -> list[BaseMessage]:
        """Return the system and the human message for `inputs`.

        Examples stand at the beginning of the human message: behind all that stays the same from
        call to call, and before the case itself, which has the last word. Raises
        PromptContractError with file and line when the template asks for an attribute that a
        value does not have.
        """
        if not isinstance(inputs, self.input_type):
            wanted, got = self.input_type.__name__, type(inputs).__name__
            raise TypeError(f"the prompt {self.name!r} takes {wanted}, not {got}")
        values: dict[str, object] = dict(inputs)
        values[INSTRUCTIONS] = Passage(self.answer_instructions)
        context = self._template.new_context(values)
        human = self._block("human", context)
        if examples:
            human = f"{examples_text(self.examples_template, examples)}\n\n{human}"
        return [
            SystemMessage(content=self._block("system", context)),
            HumanMessage(content=human),
        ]

    def invoke(
        self, input: I, config: RunnableConfig | None = None, **kwargs: Any
    ) -> list[BaseMessage]:
        """Return the messages for `input`, as a run of its own in a trace; takes `examples`."""
        return self._call_with_config(self.render, input, config, run_type="prompt", **kwargs)

    async def ainvoke(
        self, input: I, config: RunnableConfig | None = None, **kwargs: Any
    ) -> list[BaseMessage]:
        """Return the messages for `input` without a thread: rendering waits for nothing.

        Takes `examples`, as `render` does.
        """
        return await self._acall_with_config(
            self._arender, input, config, run_type="prompt", **kwargs
        )

    @staticmethod
    def text_of(messages: Sequence[BaseMessage]) -> str:
        """Return messages as one text for people to read; never taken apart again."""
        return "\n".join(f"[{message.type}]\n{message.text}\n" for message in messages)

    async def _arender(self, inputs: I, examples: Cases = ()) -> list[BaseMessage]:
        """Return the messages for `inputs`."""
        return self.render(inputs, examples)

    def _block(self, name: str, context: Context) -> str:
        """Return the text of one block, without blanks at its ends."""
        try:
            return "".join(self._template.blocks[name](context)).strip()
        except FAULTS as error:
            raise broken_at(error, self.file) from error


class Asking(Protocol):
    """What a prompt is for, as a step declares it."""

    @property
    def name(self) -> str:
        """The template's stem."""

    @property
    def inputs(self) -> type[Any]:
        """The input model, whose fields are the template's variables."""

    @property
    def answer(self) -> type[Any]:
        """What the model is to answer."""

    @property
    def parser(self) -> Any:
        """What says how to write the answer."""


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

    def prompt(self, step: Asking) -> Prompt[Any]:
        """Return a step's prompt; PromptContractError when its template does not fit it."""
        asked = (step.name, step.inputs, step.answer)
        found = self._prompts.get(asked)
        if found is None:
            instructions = step.parser.get_format_instructions()
            found = Prompt(step.name, step.inputs, instructions, environment=self.environment)
            self._prompts[asked] = found
        return found

    @property
    def language(self) -> str:
        """The language that the templates ask in, `en` unless they say another."""
        return self.texts.get(LANGUAGE, "").strip() or "en"

    @property
    def phrases(self) -> str:
        """The text of `sense.toml`: phrases that make an answer odd; empty where there is none."""
        return self.texts.get(SENSE, "")

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
