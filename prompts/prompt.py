"""A step's prompt as a Runnable: its input model in, a system and a human message out.

Here is also the message that sends an unreadable answer back to the model.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeVar

from jinja2 import Environment, Template
from jinja2.runtime import Context
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import BaseModel, PrivateAttr

from prompts.contract import FAULTS, INSTRUCTIONS, Facts, broken_at, check_contract, read_facts
from prompts.environment import Passage, open_environment
from prompts.examples import FILE as EXAMPLES
from prompts.examples import examples_template, examples_text

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


REPAIR_FILE = "repair.jinja"
MOST_PROBLEMS = 5
"""A small model mends a few things at a time; the rest comes up again if it is still there."""
REPAIR_VARIABLES = ("problems", "cut", "missing", "shortened")


class RepairPrompt:
    """The repair template, compiled and checked."""

    def __init__(self, environment: Environment | None = None) -> None:
        """Compile the template; raises PromptContractError when it does not fit."""
        environment = environment or open_environment()
        self.facts: Facts = read_facts(environment, REPAIR_FILE)
        check_contract(
            REPAIR_FILE,
            self.facts,
            "repair",
            REPAIR_VARIABLES,
            environment.globals,
            blocks=("human",),
        )
        self._template: Template = environment.get_template(REPAIR_FILE)

    @property
    def version(self) -> str:
        """The version of the template, as `Prompt.version` gives a step's."""
        return self.facts.version

    def text(
        self,
        problems: Sequence[str],
        *,
        cut: bool,
        missing: str | None,
        shortened: bool = False,
    ) -> str:
        """Return the human message that lists what is wrong and asks for the answer again.

        `problems` are full sentences, the most important first, of which five are shown; `cut`
        says that the reply ended in the middle; `missing` has, for a list whose good items are
        kept, the numbers of the items still needed (`2, 4`), else None: the whole answer is asked
        for; `shortened` says that only the beginning of the wrong answer is shown again.
        """
        context = self._template.new_context(
            {
                "problems": tuple(problems[:MOST_PROBLEMS]),
                "cut": cut,
                "missing": missing or "",
                "shortened": shortened,
            }
        )
        try:
            return "".join(self._template.blocks["human"](context)).strip()
        except FAULTS as error:
            raise broken_at(error, REPAIR_FILE) from error
