"""A step's prompt as a Runnable: its input model in, a system and a human message out.

This file also defines template sets, and `TemplateBook`, which records the tick from which each set
is used.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from typing import Any, TypeVar

from jinja2 import Environment, Template
from jinja2.runtime import Context
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import BaseModel, PrivateAttr

from smolville.prompts.contract import (
    BLOCK,
    FORMATS,
    LINE,
    Format,
    HasTurns,
    bind,
    check_contract,
    format_names,
    format_of,
    write_block,
)
from smolville.prompts.environment import FixedText, clean_value, compiled, open_environment
from smolville.prompts.errors import PromptContractError
from smolville.prompts.examples import FILE as EXAMPLES
from smolville.prompts.examples import Cases, examples_template, examples_text
from smolville.prompts.facts import TemplateFacts, read_facts
from smolville.prompts.folder import Texts, language_of, shipped_texts
from smolville.prompts.repair import RepairPrompt

I = TypeVar("I", bound=BaseModel)  # noqa: E741


class Prompt(RunnableSerializable[I, list[BaseMessage]]):
    """The template `<name>.jinja`, bound to the input model whose fields are its variables.

    Each message comes from a block of its own, never from splitting rendered text, so nothing
    that a memory or a persona says can become another message.
    """

    name: str
    """The step's name."""
    input_type: type[I]
    answer_instructions: str
    """The format instructions, shown as `format`: how to write the answer, the same for every
    agent."""
    form: Format = "json"
    """How the model writes its answer, chosen by the template."""
    write: Callable[[str], str] = str
    """Returns an answer's JSON in this form."""

    _environment: Environment = PrivateAttr()
    _facts: TemplateFacts = PrivateAttr()
    _version: str = PrivateAttr()

    def __init__(
        self,
        name: str,
        input_type: type[I],
        answer_instructions: str,
        *,
        environment: Environment | None = None,
        form: Format = "json",
        write: Callable[[str], str] = str,
    ) -> None:
        """Read the template. Raises PromptContractError when it does not fit `input_type`.

        `environment` has the templates, by default the shipped ones.
        """
        super().__init__(
            name=name,
            input_type=input_type,
            answer_instructions=answer_instructions,
            form=form,
            write=write,
        )
        environment = environment or open_environment()
        facts = read_facts(environment, self.file)
        check_contract(bind(self.file, input_type), facts, environment.globals)
        self._environment = environment
        self._facts = facts
        self._version = facts.version

    @property
    def file(self) -> str:
        """The template's file name."""
        return f"{self.name}.jinja"

    @property
    def version(self) -> str:
        """First 8 hex digits of the SHA-256 hash of the template and its partials."""
        return self._version

    @cached_property
    def _template(self) -> Template:
        return compiled(self._environment, self.file)

    @property
    def facts(self) -> TemplateFacts:
        """The facts about the template and its partials."""
        return self._facts

    @cached_property
    def with_examples(self) -> TemplateFacts:
        """The facts of the template together with those of the template that shows examples.

        If a prompt shows no examples, its version depends on its own template only.
        """
        examples = read_facts(self._environment, EXAMPLES)
        return TemplateFacts(texts=self._facts.texts | examples.texts)

    @cached_property
    def examples_template(self) -> Template:
        """The template that shows examples, compiled and checked on first use."""
        return examples_template(self._environment)

    @property
    def InputType(self) -> type[I]:  # noqa: N802
        """The prompt's input model, as LangChain requires it."""
        return self.input_type

    @property
    def OutputType(self) -> type[list[BaseMessage]]:  # noqa: N802
        """The prompt's output type, as LangChain requires it: a list of messages."""
        return list[BaseMessage]

    def render(self, inputs: I, examples: Cases = ()) -> list[BaseMessage]:
        """Return the system and the human message for `inputs`, a talk's turns between them.

        Examples follow the format instructions: both are the same in every call, so they stand
        before everything that differs. Raises PromptContractError with file and line when the
        template asks for an attribute that a value does not have.
        """
        if not isinstance(inputs, self.input_type):
            wanted, got = self.input_type.__name__, type(inputs).__name__
            raise TypeError(f"the prompt {self.name!r} takes {wanted}, not {got}")
        values: dict[str, object] = dict.fromkeys(getattr(inputs, "former", ()), ())
        values |= dict(inputs)
        cases = [(case, self.write(answer)) for case, answer in examples]
        shown = examples_text(self.examples_template, cases) if cases else ""
        text = FixedText(f"{self.answer_instructions}\n\n{shown}".rstrip())
        values |= dict.fromkeys(FORMATS, text)
        context = self._template.new_context(values)
        asked = [*self._turns(inputs, values), HumanMessage(content=self._block("human", context))]
        return [SystemMessage(content=self._block("system", context)), *asked]

    def invoke(
        self, input: I, config: RunnableConfig | None = None, **kwargs: Any
    ) -> list[BaseMessage]:
        """Return the messages for `input`, as a separate run in a trace; accepts `examples` too."""
        return self._call_with_config(self.render, input, config, run_type="prompt", **kwargs)

    async def ainvoke(
        self, input: I, config: RunnableConfig | None = None, **kwargs: Any
    ) -> list[BaseMessage]:
        """Return what `invoke` does, but without a thread, since rendering never waits."""
        return await self._acall_with_config(
            self._arender, input, config, run_type="prompt", **kwargs
        )

    async def _arender(self, inputs: I, examples: Cases = ()) -> list[BaseMessage]:
        return self.render(inputs, examples)

    def _turns(self, inputs: I, values: Mapping[str, object]) -> Iterator[BaseMessage]:
        if BLOCK not in self._facts.blocks or not isinstance(inputs, HasTurns):
            return
        opening = inputs.opening()
        if opening is not None:
            context = self._template.new_context({**values, **dict(opening)})
            yield HumanMessage(content=self._block("human", context))
        for turn in inputs.turns():
            if turn.answer:
                written = (str(clean_value(line)) for line in self.write(turn.answer).split("\n"))
                yield AIMessage(content="\n".join(written))
            else:
                context = self._template.new_context({**values, LINE: turn.line})
                yield HumanMessage(content=self._block(BLOCK, context))

    def _block(self, name: str, context: Context) -> str:
        return write_block(self._template, name, context, self.file)


class TemplateSet:
    """The templates of all steps together: a prompt for each step, and the repair message."""

    def __init__(self, texts: Texts | None = None) -> None:
        """Store templates by file name, by default the shipped ones; compile them on first use."""
        self.texts: Texts = shipped_texts() if texts is None else texts
        self.environment = open_environment(texts)
        self._prompts: dict[tuple[str, type, type], Prompt[Any]] = {}

    @classmethod
    def of(cls, texts: Texts) -> "TemplateSet":
        """Return the set of these templates; a recently used set is already compiled."""
        if texts == shipped_texts():
            return shipped_templates()
        return _recent_templates(tuple(sorted(texts.items())))

    def prompt(self, step: Any) -> Prompt[Any]:
        """Return the prompt of a declared step. Raises PromptContractError if it does not fit."""
        asked = (step.name, step.inputs, step.answer)
        found = self._prompts.get(asked)
        if found is None:
            found = self._prompts[asked] = self._open(step)
        return found

    def _open(self, step: Any) -> Prompt[Any]:
        file = f"{step.name}.jinja"
        form = format_of(read_facts(self.environment, file), file)
        if form not in step.parser.formats:
            can = format_names(
                name for name, each in FORMATS.items() if each in step.parser.formats
            )
            text = f"the answer of `{step.name}` is not written in this format; it can show {can}"
            raise PromptContractError.at(file, None, text)
        return Prompt(
            step.name,
            step.inputs,
            step.parser.get_format_instructions(form),
            environment=self.environment,
            form=form,
            write=partial(step.parser.write, form=form),
        )

    @property
    def language(self) -> str:
        """The language of the prompts, `en` unless the templates name another one."""
        return language_of(self.texts)

    @cached_property
    def repair(self) -> RepairPrompt:
        """The message that sends an answer back. Raises PromptContractError for an invalid one."""
        return RepairPrompt(self.environment)

    @cached_property
    def examples(self) -> TemplateFacts:
        """The facts of the template that shows examples. Raises PromptContractError if invalid."""
        examples_template(self.environment)
        return read_facts(self.environment, EXAMPLES)


@cache
def shipped_templates() -> TemplateSet:
    """Return the shipped templates."""
    return TemplateSet()


@lru_cache(maxsize=8)
def _recent_templates(texts: tuple[tuple[str, str], ...]) -> TemplateSet:
    return TemplateSet(dict(texts))


class TemplateBook:
    """The template sets of a run, each with the tick from which it is used."""

    def __init__(self, first: TemplateSet | None = None) -> None:
        self._ticks = [0]
        self._sets = [first or shipped_templates()]

    @classmethod
    def of(cls, sets: Sequence[tuple[int, Texts]]) -> "TemplateBook":
        """Return a run's templates; each set has the tick from which it is used."""
        (_, first), *later = sets
        book = cls(TemplateSet.of(first))
        for tick, texts in later:
            book.turn(tick, TemplateSet.of(texts))
        return book

    def turn(self, tick: int, templates: TemplateSet) -> None:
        """Use a template set from a tick on, which must not be before the last set's tick."""
        if tick < self._ticks[-1]:
            raise ValueError(f"a template set from tick {tick} on comes too late")
        self._ticks.append(tick)
        self._sets.append(templates)

    def at(self, tick: int) -> TemplateSet:
        """Return the set that is used at a tick."""
        return self._sets[max(0, bisect_right(self._ticks, tick) - 1)]

    @property
    def since(self) -> int:
        """The tick from which the latest set is used."""
        return self._ticks[-1]

    @property
    def latest(self) -> TemplateSet:
        """The set that was added last."""
        return self._sets[-1]
