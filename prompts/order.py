"""Order of a prompt's variables: those that stay the same for longest must come first.

A server keeps the tokens of the last prompts and reads again only what follows the first
difference. So constant parts come first, and parts that are new in every call come last.
"""

from collections.abc import Iterator
from typing import NamedTuple

from jinja2 import Environment, meta, nodes

from smolville.prompts.contract import INSTRUCTIONS
from smolville.prompts.facts import read_facts

WHO = "me"
"""Name of the variable that holds the persona."""

STABILITY: tuple[frozenset[str], ...] = (
    frozenset({INSTRUCTIONS}),
    frozenset({WHO, "town", "title"}),
    frozenset({"date", "dates", "requirement", "usual", "wakes", "weather", "goal"}),
    frozenset(
        {"place", "places", "sectors", "others", "relationship", "feeling", "doing", "until"}
        | {"plan", "stands", "wants", "here", "deeds"}
    ),
)
"""Sets of variables by how long they stay the same: for ever, for one agent, for a day, for some
calls of one agent. All other variables are new in every call."""


class MisplacedVariable(NamedTuple):
    """A variable that comes after one that changes more often."""

    variable: str
    after: str
    """The variable before it, which changes more often."""
    file: str
    line: int

    @property
    def where(self) -> str:
        """Return the variable's place, `react.jinja, line 17`."""
        return f"{self.file}, line {self.line}"

    @property
    def what(self) -> str:
        """Return what is wrong, without the place."""
        return (
            f"`{self.variable}` stands behind `{self.after}`, which changes more often; put it "
            "first, so that a server's prefix cache serves it"
        )

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def find_misplaced(environment: Environment, file: str) -> list[MisplacedVariable]:
    """Return the variables shown too late. Raises PromptContractError if a file is unreadable."""
    facts = read_facts(environment, file)
    found: list[MisplacedVariable] = []
    latest, highest = "", 0
    seen: set[str] = set()
    for name, line in _uses(environment, file):
        if name in seen or name not in facts.variables:
            continue
        seen.add(name)
        rank = _rank(name)
        if rank < highest:
            found.append(MisplacedVariable(name, latest, file, line))
        elif rank > highest:
            latest, highest = name, rank
    return found


def _rank(name: str) -> int:
    """Return a rank for how often a variable changes: 0 for never, more for more often."""
    for rank, names in enumerate(STABILITY):
        if name in names:
            return rank
    return len(STABILITY)


def _uses(environment: Environment, file: str) -> Iterator[tuple[str, int]]:
    """Yield the variables in the order in which the template shows them, each with its line.

    The variables of a partial count at the place of its include.
    """
    for block in _tree(environment, file).find_all(nodes.Block):
        yield from _names(environment, block, {file})


def _names(environment: Environment, tree: nodes.Node, seen: set[str]) -> Iterator[tuple[str, int]]:
    """Yield the variables below a node; a file that includes itself is visited only once."""
    for node in tree.find_all((nodes.Name, nodes.Include)):
        if isinstance(node, nodes.Name):
            yield node.name, node.lineno
            continue
        for partial in meta.find_referenced_templates(nodes.Template([node])):
            if partial is not None and partial not in seen:
                inner = _names(environment, _tree(environment, partial), {*seen, partial})
                yield from ((name, node.lineno) for name, _ in inner)


def _tree(environment: Environment, file: str) -> nodes.Template:
    """Return a file's syntax tree."""
    assert environment.loader is not None
    return environment.parse(environment.loader.get_source(environment, file)[0], file)
