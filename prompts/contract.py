"""The contract between a template and its input model, checked when a step is built.

A template with a `turn` block shows a talk as chat messages, if its input model has turns
(`HasTurns`): others' lines are human messages, the agent's own lines the model's. So the roles tell
the model who said what. In a transcript inside one message, small models lose track of the
speakers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self, runtime_checkable

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
INSTRUCTIONS = "format"
"""Name of the variable that holds the answer's format instructions."""
FAULTS = (
    *(TemplateError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError),
    ValueError,
)
"""Errors that a compiled template can still raise when it is rendered."""
STRAY = "what stands outside of the blocks is never shown"


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


def has_turns(input_type: type) -> bool:
    """Return whether the prompt of an input model may have the block `turn`."""
    return issubclass(input_type, HasTurns)


def check_contract(
    file: str,
    facts: TemplateFacts,
    owner: str,
    fields: Iterable[str],
    taken: Iterable[str],
    blocks: Sequence[str] = PROMPT,
    *,
    may_turn: bool = False,
) -> None:
    """Raise PromptContractError unless the template has `blocks` and shows exactly `fields`.

    `owner` is the name of the input model, for the message; `taken` are the names of formatters;
    `may_turn` also allows the block `turn`.
    """
    known = set(fields)
    clashes = sorted(known & {INSTRUCTIONS, *taken})
    if clashes:
        raise PromptContractError(
            f"{owner} has the field {format_names(clashes)}, a name that prompts use themselves; "
            "give the field another name"
        )
    if wanted := wrong_blocks(facts, blocks, may_turn=may_turn):
        raise PromptContractError(f"{file} has {blocks_in_words(facts.blocks)}; {wanted}")
    if facts.stray is not None:
        raise PromptContractError.at(file, facts.stray, STRAY)
    _check_names(file, facts, owner, known, taken)


def wrong_blocks(facts: TemplateFacts, blocks: Sequence[str], *, may_turn: bool) -> str:
    """Return in words which blocks a template must have; empty if it has exactly these."""
    wanted = [tuple(blocks), (blocks[0], BLOCK, *blocks[1:])] if may_turn else [tuple(blocks)]
    if facts.blocks in wanted:
        return ""
    return f"it needs exactly {', or '.join(map(blocks_in_words, wanted))}"


def unknown_names(facts: TemplateFacts, known: Iterable[str]) -> list[str]:
    """Return the variables that are not known fields."""
    own = {LINE} if BLOCK in facts.blocks else set()
    return sorted(set(facts.variables) - set(known) - {INSTRUCTIONS} - own)


def unshown_names(facts: TemplateFacts, known: Iterable[str]) -> list[str]:
    """Return the known fields that a template does not show."""
    return sorted(set(known) - set(facts.variables))


def _check_names(
    file: str, facts: TemplateFacts, owner: str, known: set[str], taken: Iterable[str]
) -> None:
    """Raise PromptContractError unless the variables used are exactly the known fields."""
    missing = unshown_names(facts, known)
    meant = known | set(taken) | {INSTRUCTIONS}
    faults = [
        f"{facts.variables[name]} uses `{name}`, which does not exist{nearest(name, meant)}"
        for name in unknown_names(facts, known)
    ]
    if missing:
        faults.append(f"nothing shows {format_names(missing)}")
    if faults:
        raise PromptContractError(
            f"{file} does not fit {owner}: {'; '.join(faults)}. "
            f"{owner} has: {format_names(sorted(known))}"
        )


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
    """Return the error of a template that failed while rendering, with its file and line."""
    line: int | None = None
    step: TracebackType | None = error.__traceback__
    while step is not None:
        template = step.tb_frame.f_globals.get("__jinja_template__")
        if template is not None and template.name != MACROS:
            file, line = template.name, template.get_corresponding_lineno(step.tb_lineno)
        step = step.tb_next
    return PromptContractError.at(file, line, str(getattr(error, "message", None) or error))


def blocks_in_words(names: Sequence[str]) -> str:
    """Return a list of block names in words."""
    return f"the blocks {format_names(names)}" if names else "no blocks"


def format_names(names: Iterable[str]) -> str:
    """Return names in backticks, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)
