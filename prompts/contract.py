"""The contract between a template and its input model, checked when a step is built.

A template with a `turn` block shows a talk as chat messages, if its input model has turns
(`HasTurns`): others' lines are human messages, the agent's own lines the model's. So the roles tell
the model who said what. In a transcript inside one message, small models lose track of the
speakers.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Literal, NamedTuple, Protocol, Self, runtime_checkable

from jinja2 import Template, TemplateError
from jinja2.runtime import Context

from smolville.prompts.bounded import start_count
from smolville.prompts.environment import MACROS
from smolville.prompts.errors import PromptContractError
from smolville.prompts.facts import TemplateFacts
from smolville.prompts.folder import nearest

BLOCK = "turn"
"""Name of the block that shows another person's line, between `system` and `human`."""
LINE = "line"
"""Name of the variable that holds that line."""
PROMPT = ("system", "human")
"""Names of the blocks of a step's template."""
Format = Literal["json", "lines", "text"]
"""How an answer is written: as a JSON object, in lines, or as plain text."""
FORMATS: dict[str, Format] = {"format": "json", "format_lines": "lines", "format_text": "text"}
"""Names of the variable that holds the answer's format instructions; the name that a template uses
chooses the format."""
FAULTS = (
    *(TemplateError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError),
    ValueError,
)
"""Errors that a compiled template can still raise when it is rendered."""

Severity = Literal["error", "warning"]
"""Templates with an error are refused; with a warning they work less well."""


@dataclass(frozen=True, kw_only=True)
class LintFinding:
    """One fault of a template."""

    severity: Severity
    kind: str
    """The kind of fault, in a word: `syntax`, `unknown`, `order`, `budget`."""
    file: str
    line: int | None = None
    """Line number from 1; None for the whole file."""
    text: str
    """The fault: a whole sentence, or words that continue after the place."""

    @property
    def where(self) -> str:
        """Return the fault's place: `say.jinja, line 7`."""
        return self.file if self.line is None else f"{self.file}, line {self.line}"

    def plain(self) -> dict[str, object]:
        """Return the fault as plain data with stable keys."""
        return asdict(self)


class BoundTemplate(NamedTuple):
    """A template, and the fields that it has to show."""

    file: str
    owner: str
    """Name of the owner of these fields: `SayInput`."""
    fields: frozenset[str]
    blocks: tuple[str, ...] = PROMPT
    may_turn: bool = False
    """Whether the template may show a talk as turns."""
    former: frozenset[str] = frozenset()
    """Fields that a template may name or not, such as those of earlier versions."""


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One earlier turn of a talk, that is, not the one to answer."""

    line: Any
    """The line, in the form that the template shows."""
    answer: str = ""
    """JSON of the answer, for the agent's own lines; empty for those of others."""


@runtime_checkable
class HasTurns(Protocol):
    """An input model whose prompt may show a talk as turns."""

    def turns(self) -> Sequence[ChatTurn]:
        """Return all turns except the one to answer, in order."""

    def opening(self) -> Self | None:
        """Return the inputs of the agent's opening line; None if somebody else began the talk."""


def bind(file: str, input_type: type[Any]) -> BoundTemplate:
    """Return the contract of a step's template with its input model."""
    may_turn = issubclass(input_type, HasTurns)
    fields = frozenset(input_type.model_fields)
    former = frozenset(getattr(input_type, "former", ()))
    return BoundTemplate(file, input_type.__name__, fields, may_turn=may_turn, former=former)


def check_contract(bound: BoundTemplate, facts: TemplateFacts, formatters: Iterable[str]) -> None:
    """Raise PromptContractError unless a template has its blocks and shows exactly its fields."""
    names = {*formatters}
    clashes = sorted(bound.fields & {*FORMATS, *names})
    if clashes:
        raise PromptContractError(
            f"{bound.owner} has the field {format_names(clashes)}, a name that prompts use "
            "themselves; give the field another name"
        )
    found = [*contract_faults(bound, facts, names)]
    if found:
        others = (each for each in found[1:] if each.kind == found[0].kind)
        more = (f"{each.where}: {each.text}" for each in others)
        text = "; ".join((found[0].text, *more))
        raise PromptContractError.at(found[0].file, found[0].line, text)


def contract_faults(
    bound: BoundTemplate, facts: TemplateFacts, formatters: Collection[str]
) -> Iterator[LintFinding]:
    """Yield all mismatches between a readable template and the fields that it has to show."""

    def fault(kind: str, text: str, line: int | None = None, file: str = "") -> LintFinding:
        where = file or bound.file
        return LintFinding(severity="error", kind=kind, file=where, line=line, text=text)

    first, *rest = bound.blocks
    wanted = [bound.blocks, (first, BLOCK, *rest)] if bound.may_turn else [bound.blocks]
    if facts.blocks not in wanted:
        exactly = ", or ".join(map(_blocks_in_words, wanted))
        text = f"it has {_blocks_in_words(facts.blocks)}; it needs exactly {exactly}"
        yield fault("blocks", text)
    if facts.stray is not None:
        yield fault("blocks", "what stands outside of the blocks is never shown", facts.stray)
    known = {*bound.fields, *FORMATS, *([LINE] if BLOCK in facts.blocks else [])}
    for use in facts.uses:
        if use.name not in known | bound.former:
            near = nearest(use.name, {*known, *formatters})
            has = near or f"; {bound.owner} has: {format_names(sorted(bound.fields))}"
            yield fault("unknown", f"`{use.name}` does not exist{has}", use.line, use.file)
    for name in sorted(bound.fields - facts.variables):
        line = _last_block(facts, bound.file)
        yield fault("unused", f"nothing shows `{name}`, which {bound.owner} has", line)


def _last_block(facts: TemplateFacts, file: str) -> int | None:
    lines = facts.texts[file].splitlines()
    found = [number for number, line in enumerate(lines, 1) if re.search(r"\{%-?\s*block\b", line)]
    return found[-1] if found else None


def format_of(facts: TemplateFacts, file: str) -> Format:
    """Return the format that a template chooses. Raises PromptContractError if there are two."""
    chosen = sorted(FORMATS.keys() & facts.variables)
    if len(chosen) > 1:
        text = f"it shows {format_names(chosen)}; a template chooses one format"
        raise PromptContractError.at(file, None, text)
    return FORMATS[chosen[0]] if chosen else "json"


def write_block(template: Template, block: str, context: Context, file: str) -> str:
    """Return the text of a block, without surrounding blanks.

    Raises PromptContractError, with file and line, when the template fails or would do too much.
    """
    start_count()
    try:
        return "".join(template.blocks[block](context)).strip()
    except FAULTS as error:
        raise _broken_at(error, file) from error


def _broken_at(error: Exception, file: str) -> PromptContractError:
    line: int | None = None
    step: TracebackType | None = error.__traceback__
    while step is not None:
        template = step.tb_frame.f_globals.get("__jinja_template__")
        if template is not None and template.name != MACROS:
            file, line = template.name, template.get_corresponding_lineno(step.tb_lineno)
        step = step.tb_next
    return PromptContractError.at(file, line, str(getattr(error, "message", None) or error))


def _blocks_in_words(names: Sequence[str]) -> str:
    return f"the blocks {format_names(names)}" if names else "no blocks"


def format_names(names: Iterable[str]) -> str:
    """Return names in backticks, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)
