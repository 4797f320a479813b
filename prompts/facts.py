"""Facts about a template and its partials, found without rendering them."""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from jinja2 import Environment, TemplateNotFound, TemplateSyntaxError, meta, nodes

from smolville.prompts.environment import MACROS, cannot_compile
from smolville.prompts.errors import PromptContractError
from smolville.prompts.folder import SUFFIX, nearest

_INCLUDING = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)


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
    """Facts about a template and its partials, found without rendering them."""

    texts: dict[str, str] = field(default_factory=dict)
    """Texts of the template and its partials, by file name."""
    uses: list[VariableUse] = field(default_factory=list)
    """Every use of a variable, ordered by file and line."""
    formatters: set[str] = field(default_factory=set)
    """Macros of `_macros.jinja` that are called."""
    blocks: tuple[str, ...] = ()
    """Names of the template's own blocks, in order."""
    stray: int | None = None
    """Line of the first text outside of the blocks."""
    partials: list[Include] = field(default_factory=list)

    @property
    def variables(self) -> set[str]:
        """Names of all variables."""
        return {use.name for use in self.uses}

    @property
    def version(self) -> str:
        """First 8 hex digits of the SHA-256 hash of the file and its partials."""
        digest = sha256()
        for name in sorted(self.texts):
            digest.update(f"{name}\0{self.texts[name]}\0".encode())
        return digest.hexdigest()[:8]


_READ: dict[tuple[str, str, frozenset[str]], TemplateFacts] = {}
"""Facts of single files by name, text and formatters; sets of templates have most files in common.
"""
_MOST_READ = 500


def read_facts(environment: Environment, file: str) -> TemplateFacts:
    """Return the facts of a template. Raises PromptContractError when it cannot be compiled."""
    facts = TemplateFacts()
    waiting = [Include(file, "", None)]
    while waiting:
        included = waiting.pop(0)
        if included.file in facts.texts:
            continue
        own = _read_file(environment, included)
        if included.file == file:
            facts.blocks, facts.stray = own.blocks, own.stray
        facts.texts |= own.texts
        facts.uses += own.uses
        facts.formatters |= own.formatters
        waiting += own.partials
        if facts.formatters:
            waiting.append(Include(MACROS, "", None))
    return facts


def _read_file(environment: Environment, included: Include) -> TemplateFacts:
    """Return the facts of one file; a file with the same text is read only once.

    Environments share these facts if they have the same formatters, because a formatter does not
    count as a variable.
    """
    assert environment.loader is not None
    name = included.file
    try:
        text = environment.loader.get_source(environment, name)[0]
    except TemplateNotFound as error:
        raise _missing(included, environment) from error
    key = name, text, frozenset(environment.globals)
    if key not in _READ:
        if len(_READ) >= _MOST_READ:
            _READ.clear()
        _READ[key] = _facts_of(environment, name, text)
    return _READ[key]


def _facts_of(environment: Environment, name: str, text: str) -> TemplateFacts:
    """Return the facts of a file. Raises PromptContractError when it is no valid Jinja.

    Variables are found in the syntax tree, so the template is only compiled when it is first
    rendered.
    """
    try:
        tree = environment.parse(text, name)
        unknown = meta.find_undeclared_variables(tree)
    except TemplateSyntaxError as error:
        raise cannot_compile(error, name, text) from error
    named = sorted(tree.find_all(nodes.Name), key=lambda node: node.lineno)
    return TemplateFacts(
        texts={name: text},
        uses=[VariableUse(n.name, name, n.lineno) for n in named if n.name in unknown],
        formatters={n.name for n in named} & environment.globals.keys() - unknown,
        blocks=tuple(block.name for block in tree.find_all(nodes.Block)),
        stray=_stray(tree),
        partials=_partials(tree, name),
    )


def _missing(included: Include, environment: Environment) -> PromptContractError:
    what = f"there is no template {included.file}"
    if not included.by:
        return PromptContractError(what)
    partials = [
        each.removesuffix(SUFFIX) for each in environment.list_templates() if each[0] == "_"
    ]
    near = nearest(included.file.removesuffix(SUFFIX), partials)
    return PromptContractError.at(included.by, included.line, what + near)


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
