"""The contract between a template and its input model, checked when a step is built."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import TracebackType

from jinja2 import Environment, TemplateError, TemplateNotFound, TemplateSyntaxError, meta, nodes

from prompts.environment import MACROS, cannot_compile
from prompts.errors import PromptContractError

INSTRUCTIONS = "format"
"""The variable that holds the answer's format instructions."""


@dataclass(slots=True)
class Facts:
    """What a template and its partials say before anything is rendered."""

    texts: dict[str, str] = field(default_factory=dict)
    """File name to source: the template and its partials."""
    variables: dict[str, str] = field(default_factory=dict)
    """Variable to the place of its first use, `say.jinja, line 7`."""
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
    waiting = [file]
    while waiting:
        name = waiting.pop(0)
        if name in facts.texts:
            continue
        tree = _parse(environment, name, facts)
        if name == file:
            facts.blocks = tuple(block.name for block in tree.find_all(nodes.Block))
            facts.stray = _stray(tree)
        unknown = meta.find_undeclared_variables(tree)
        for node in tree.find_all(nodes.Name):
            if node.name in unknown:
                facts.variables.setdefault(node.name, f"{name}, line {node.lineno}")
            elif node.name in environment.globals:
                facts.formatters.add(node.name)
        waiting += _partials(tree, name)
        if facts.formatters:
            waiting.append(MACROS)
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
            f"{owner} has the field {_listed(clashes)}, a name that prompts use themselves; "
            "give the field another name"
        )
    if facts.blocks != tuple(blocks):
        raise PromptContractError(
            f"{file} has {_blocks(facts.blocks)}; it needs exactly {_blocks(blocks)}"
        )
    if facts.stray is not None:
        raise PromptContractError(
            f"{file}, line {facts.stray}: what stands outside of the blocks is never shown"
        )
    _check_names(file, facts, owner, known)


def _check_names(file: str, facts: Facts, owner: str, known: set[str]) -> None:
    """Raise PromptContractError unless the variables in use are the known ones."""
    unknown = sorted(set(facts.variables) - known - {INSTRUCTIONS})
    missing = sorted(known - set(facts.variables))
    faults = [f"{facts.variables[name]} uses `{name}`, which does not exist" for name in unknown]
    if missing:
        faults.append(f"nothing shows {_listed(missing)}")
    if faults:
        raise PromptContractError(
            f"{file} does not fit {owner}: {'; '.join(faults)}. "
            f"{owner} has: {_listed(sorted(known))}"
        )


def broken_at(error: TemplateError, file: str) -> PromptContractError:
    """Return the error of a template that failed while it was rendered, with its file and line."""
    where = file
    step: TracebackType | None = error.__traceback__
    while step is not None:
        template = step.tb_frame.f_globals.get("__jinja_template__")
        if template is not None and template.name != MACROS:
            where = f"{template.name}, line {template.get_corresponding_lineno(step.tb_lineno)}"
        step = step.tb_next
    return PromptContractError(f"{where}: {error.message or error}")


def _parse(environment: Environment, name: str, facts: Facts) -> nodes.Template:
    """Return a file's syntax tree and keep its text in the facts."""
    assert environment.loader is not None
    try:
        text = environment.loader.get_source(environment, name)[0]
    except TemplateNotFound as error:
        raise PromptContractError(f"there is no template {name}") from error
    try:
        environment.get_template(name)
    except TemplateSyntaxError as error:
        raise cannot_compile(error, name, text) from error
    facts.texts[name] = text
    return environment.parse(text, name)


def _partials(tree: nodes.Template, name: str) -> list[str]:
    """Return the files that a template includes, each of which it must name in plain text."""
    found = list(meta.find_referenced_templates(tree))
    if None in found:
        raise PromptContractError(f"{name} includes a file that it does not name in plain text")
    return [partial for partial in found if partial is not None]


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


def _blocks(names: Sequence[str]) -> str:
    """Return block names in words."""
    return f"the blocks {_listed(names)}" if names else "no blocks"


def _listed(names: Iterable[str]) -> str:
    """Return names in backticks, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)
