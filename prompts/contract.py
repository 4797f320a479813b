"""The contract between a template and its input model, checked when a step is built."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import TracebackType
from typing import NamedTuple

from jinja2 import Environment, TemplateError, TemplateNotFound, TemplateSyntaxError, meta, nodes

from prompts.environment import MACROS, cannot_compile
from prompts.errors import PromptContractError, TemplateMissing
from prompts.folder import SUFFIX
from prompts.nearest import nearest

INSTRUCTIONS = "format"
"""The variable that holds the answer's format instructions."""
FAULTS = (
    *(TemplateError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError),
    ValueError,
)
"""What a template that was compiled can still raise while it is rendered."""
_INCLUDING = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)
STRAY = "what stands outside of the blocks is never shown"


class Use(NamedTuple):
    """A variable where a template uses it."""

    name: str
    file: str
    line: int


class Include(NamedTuple):
    """A file that a template includes."""

    file: str
    by: str
    """The file that includes it; empty where nobody does."""
    line: int | None


@dataclass(slots=True)
class Facts:
    """What a template and its partials say before anything is rendered."""

    texts: dict[str, str] = field(default_factory=dict)
    """File name to source: the template and its partials."""
    variables: dict[str, str] = field(default_factory=dict)
    """Variable to the place of its first use, `say.jinja, line 7`."""
    uses: list[Use] = field(default_factory=list)
    """Every use of a variable, file by file, from the first line of each on."""
    formatters: set[str] = field(default_factory=set)
    """Macros of `_macros.jinja` that it calls."""
    blocks: tuple[str, ...] = ()
    """Of the template itself, in their order."""
    stray: int | None = None
    """Line of the first text that stands outside of the blocks."""

    @property
    def version(self) -> str:
        """First 8 hex digits of SHA-256 over the file and its partials."""
        digest = sha256()
        for name in sorted(self.texts):
            digest.update(f"{name}\0{self.texts[name]}\0".encode())
        return digest.hexdigest()[:8]


def read_facts(environment: Environment, file: str) -> Facts:
    """Return the facts of a template; raises PromptContractError when it cannot be compiled."""
    facts = Facts()
    waiting = [Include(file, "", None)]
    while waiting:
        included = waiting.pop(0)
        name = included.file
        if name in facts.texts:
            continue
        tree = _parse(environment, included, facts)
        if name == file:
            facts.blocks = tuple(block.name for block in tree.find_all(nodes.Block))
            facts.stray = _stray(tree)
        unknown = meta.find_undeclared_variables(tree)
        for node in sorted(tree.find_all(nodes.Name), key=lambda node: node.lineno):
            if node.name in unknown:
                facts.uses.append(Use(node.name, name, node.lineno))
                facts.variables.setdefault(node.name, f"{name}, line {node.lineno}")
            elif node.name in environment.globals:
                facts.formatters.add(node.name)
        waiting += _partials(tree, name)
        if facts.formatters:
            waiting.append(Include(MACROS, "", None))
    return facts


def check_contract(
    file: str,
    facts: Facts,
    owner: str,
    fields: Iterable[str],
    taken: Iterable[str],
    blocks: Sequence[str] = ("system", "human"),
) -> None:
    """Raise PromptContractError unless the template has `blocks` and shows exactly `fields`.

    `owner` names what has the fields; `taken` are the names that formatters already have.
    """
    known = set(fields)
    clashes = sorted(known & {INSTRUCTIONS, *taken})
    if clashes:
        raise PromptContractError(
            f"{owner} has the field {listed(clashes)}, a name that prompts use themselves; "
            "give the field another name"
        )
    if facts.blocks != tuple(blocks):
        raise PromptContractError(
            f"{file} has {blocks_in_words(facts.blocks)}; "
            f"it needs exactly {blocks_in_words(blocks)}"
        )
    if facts.stray is not None:
        raise PromptContractError.at(file, facts.stray, STRAY)
    _check_names(file, facts, owner, known, taken)


def unknown_names(facts: Facts, known: Iterable[str]) -> list[str]:
    """Return the variables that nothing gives a value."""
    return sorted(set(facts.variables) - set(known) - {INSTRUCTIONS})


def unshown_names(facts: Facts, known: Iterable[str]) -> list[str]:
    """Return the fields that a template does not show."""
    return sorted(set(known) - set(facts.variables))


def _check_names(
    file: str, facts: Facts, owner: str, known: set[str], taken: Iterable[str]
) -> None:
    """Raise PromptContractError unless the variables in use are the known ones."""
    missing = unshown_names(facts, known)
    meant = known | set(taken) | {INSTRUCTIONS}
    faults = [
        f"{facts.variables[name]} uses `{name}`, which does not exist{nearest(name, meant)}"
        for name in unknown_names(facts, known)
    ]
    if missing:
        faults.append(f"nothing shows {listed(missing)}")
    if faults:
        raise PromptContractError(
            f"{file} does not fit {owner}: {'; '.join(faults)}. "
            f"{owner} has: {listed(sorted(known))}"
        )


def broken_at(error: Exception, file: str) -> PromptContractError:
    """Return the error of a template that failed while it was rendered, with its file and line."""
    line: int | None = None
    step: TracebackType | None = error.__traceback__
    while step is not None:
        template = step.tb_frame.f_globals.get("__jinja_template__")
        if template is not None and template.name != MACROS:
            file, line = template.name, template.get_corresponding_lineno(step.tb_lineno)
        step = step.tb_next
    return PromptContractError.at(file, line, str(getattr(error, "message", None) or error))


def _parse(environment: Environment, included: Include, facts: Facts) -> nodes.Template:
    """Return a file's syntax tree and keep its text in the facts."""
    assert environment.loader is not None
    name = included.file
    try:
        text = environment.loader.get_source(environment, name)[0]
    except TemplateNotFound as error:
        raise _missing(included, environment) from error
    try:
        environment.get_template(name)
    except TemplateSyntaxError as error:
        raise cannot_compile(error, name, text) from error
    facts.texts[name] = text
    return environment.parse(text, name)


def _missing(included: Include, environment: Environment) -> PromptContractError:
    """Return the error of a file that is not there, with where it is included."""
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
    """Return the files that a template includes, each of which it must name in plain text."""
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
    """Return block names in words."""
    return f"the blocks {listed(names)}" if names else "no blocks"


def listed(names: Iterable[str]) -> str:
    """Return names in backticks, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)
