"""The contract between a template and its input model, checked when a step is built.

A template with a `turn` block shows a talk as chat messages, if its input model has turns
(`HasTurns`): others' lines are human messages, the agent's own lines the model's. So the roles tell
the model who said what; in a transcript inside one message, small models lose track of that.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable
from weakref import WeakKeyDictionary

from jinja2 import Environment, TemplateError, TemplateNotFound, TemplateSyntaxError, meta, nodes

from prompts.environment import MACROS, cannot_compile
from prompts.errors import PromptContractError, TemplateMissing
from prompts.folder import SUFFIX, nearest

BLOCK = "turn"
"""The block that shows a line of somebody else, between `system` and `human`."""
LINE = "line"
"""The variable with that line."""

PROMPT = ("system", "human")
"""The blocks of a step's template."""
INSTRUCTIONS = "format"
"""The variable with the answer's format instructions."""
FAULTS = (
    *(TemplateError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError),
    ValueError,
)
"""Errors that a compiled template can still raise when it is rendered."""
_INCLUDING = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)
STRAY = "what stands outside of the blocks is never shown"


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One turn of a talk, except the last."""

    line: Any
    """The line, in the form that the template shows."""
    answer: str = ""
    """The answer's JSON for the agent's own lines; empty for those of others."""


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


class VariableUse(NamedTuple):
    """A use of a variable in a template."""

    name: str
    file: str
    line: int


class Include(NamedTuple):
    """An include statement of a template."""

    file: str
    by: str
    """The file that contains the include; empty for the template itself."""
    line: int | None


@dataclass(slots=True)
class TemplateFacts:
    """What can be found out about a template and its partials without rendering them."""

    texts: dict[str, str] = field(default_factory=dict)
    """File name to source: the template and its partials."""
    variables: dict[str, str] = field(default_factory=dict)
    """Variable to its first use, `say.jinja, line 7`."""
    uses: list[VariableUse] = field(default_factory=list)
    """Every use of a variable, ordered by file and line."""
    formatters: set[str] = field(default_factory=set)
    """Macros of `_macros.jinja` that are called."""
    blocks: tuple[str, ...] = ()
    """Names of the template's own blocks, in order."""
    stray: int | None = None
    """Line of the first text outside of the blocks."""

    @property
    def version(self) -> str:
        """First 8 hex digits of the SHA-256 hash of the file and its partials."""
        digest = sha256()
        for name in sorted(self.texts):
            digest.update(f"{name}\0{self.texts[name]}\0".encode())
        return digest.hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class _FileFacts:
    """What a single file says, whichever template includes it."""

    text: str
    blocks: tuple[str, ...]
    stray: int | None
    uses: tuple[VariableUse, ...]
    formatters: frozenset[str]
    partials: tuple[Include, ...]


_READ: WeakKeyDictionary[Environment, dict[str, _FileFacts]] = WeakKeyDictionary()
"""What was read of each environment's files: the steps share their partials."""


def read_facts(environment: Environment, file: str) -> TemplateFacts:
    """Return the facts of a template. Raises PromptContractError when it cannot be compiled."""
    facts = TemplateFacts()
    waiting = [Include(file, "", None)]
    while waiting:
        included = waiting.pop(0)
        name = included.file
        if name in facts.texts:
            continue
        own = _read_file(environment, included)
        facts.texts[name] = own.text
        if name == file:
            facts.blocks, facts.stray = own.blocks, own.stray
        facts.uses += own.uses
        for use in own.uses:
            facts.variables.setdefault(use.name, f"{name}, line {use.line}")
        facts.formatters |= own.formatters
        waiting += own.partials
        if facts.formatters:
            waiting.append(Include(MACROS, "", None))
    return facts


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

    `owner` is the name of the input model, for the message; `taken` are the names that formatters
    already have; `may_turn` also allows the block `turn`.
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
    """Return which blocks a template needs, in words; empty if it has exactly these."""
    wanted = [tuple(blocks), (blocks[0], BLOCK, *blocks[1:])] if may_turn else [tuple(blocks)]
    if facts.blocks in wanted:
        return ""
    return f"it needs exactly {', or '.join(map(blocks_in_words, wanted))}"


def unknown_names(facts: TemplateFacts, known: Iterable[str]) -> list[str]:
    """Return the variables that are no known field."""
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


def broken_at(error: Exception, file: str) -> PromptContractError:
    """Return the error of a template that failed while rendering, with its file and line."""
    line: int | None = None
    step: TracebackType | None = error.__traceback__
    while step is not None:
        template = step.tb_frame.f_globals.get("__jinja_template__")
        if template is not None and template.name != MACROS:
            file, line = template.name, template.get_corresponding_lineno(step.tb_lineno)
        step = step.tb_next
    return PromptContractError.at(file, line, str(getattr(error, "message", None) or error))


def _read_file(environment: Environment, included: Include) -> _FileFacts:
    """Return the facts of one file, read once per environment."""
    assert environment.loader is not None
    read, name = _READ.setdefault(environment, {}), included.file
    if name in read:
        return read[name]
    try:
        text = environment.loader.get_source(environment, name)[0]
    except TemplateNotFound as error:
        raise _missing(included, environment) from error
    try:
        environment.get_template(name)
    except TemplateSyntaxError as error:
        raise cannot_compile(error, name, text) from error
    tree = environment.parse(text, name)
    unknown = meta.find_undeclared_variables(tree)
    named = sorted(tree.find_all(nodes.Name), key=lambda node: node.lineno)
    read[name] = _FileFacts(
        text=text,
        blocks=tuple(block.name for block in tree.find_all(nodes.Block)),
        stray=_stray(tree),
        uses=tuple(VariableUse(n.name, name, n.lineno) for n in named if n.name in unknown),
        formatters=frozenset(
            n.name for n in named if n.name not in unknown and n.name in environment.globals
        ),
        partials=tuple(_partials(tree, name)),
    )
    return read[name]


def _missing(included: Include, environment: Environment) -> PromptContractError:
    """Return the error of a missing file, with the place of its include."""
    what = f"there is no template {included.file}"
    if not included.by:
        return TemplateMissing(what, included.file)
    stem = included.file.removesuffix(SUFFIX)
    partials = [
        each.removesuffix(SUFFIX) for each in environment.list_templates() if each[0] == "_"
    ]
    what = f"{what}{nearest(stem, partials)}"
    return TemplateMissing(what, included.file, by=included.by, line=included.line)


def _partials(tree: nodes.Template, name: str) -> list[Include]:
    """Return the files that a template includes, each of which must be named by a literal."""
    found: list[Include] = []
    for node in tree.find_all(_INCLUDING):
        for partial in meta.find_referenced_templates(nodes.Template([node])):
            if partial is None:
                what = "it includes a file that it does not name in plain text"
                raise PromptContractError.at(name, node.lineno, what)
            found.append(Include(partial, name, node.lineno))
    return found


def _stray(tree: nodes.Template) -> int | None:
    """Return the line of the first thing at top level that is neither a block nor blank."""
    for node in tree.body:
        if isinstance(node, nodes.Block):
            continue
        parts = node.nodes if isinstance(node, nodes.Output) else [node]
        for part in parts:
            if not (isinstance(part, nodes.TemplateData) and not part.data.strip()):
                return part.lineno
    return None


def blocks_in_words(names: Sequence[str]) -> str:
    """Return a list of block names in words."""
    return f"the blocks {format_names(names)}" if names else "no blocks"


def format_names(names: Iterable[str]) -> str:
    """Return names in backticks, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)
