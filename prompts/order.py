"""How long each part of a prompt stays the same, and whether a template shows it in that order.

A server keeps the tokens of the last prompts and reads again only what follows the first
difference. So what never changes comes first, and what is new with every call comes last.
"""

from collections.abc import Iterator
from typing import NamedTuple

from jinja2 import Environment, nodes

from prompts.contract import INSTRUCTIONS, read_facts

WHO = "me"
"""The persona; its partial stands for it."""

STABILITY: tuple[frozenset[str], ...] = (
    frozenset({INSTRUCTIONS}),
    frozenset({WHO}),
    frozenset({"date", "requirement", "usual", "wake"}),
    frozenset(
        {"place", "places", "sectors", "others", "relationship", "feeling", "doing", "until"}
        | {"plan", "strokes"}
    ),
)
"""Variables by how long they stay as they are: for ever, for one agent, for a day, for some calls
of one agent. All others are new with every call."""


class Misplaced(NamedTuple):
    """A variable that stands behind one that changes more often."""

    variable: str
    after: str
    """The more volatile variable before it."""
    where: str
    """`react.jinja, line 17`."""

    def __str__(self) -> str:
        return (
            f"{self.where}: `{self.variable}` stands behind `{self.after}`, which changes more "
            "often; put it first, so that a server's prefix cache serves it"
        )


def misplaced(environment: Environment, file: str) -> list[Misplaced]:
    """Return what a template shows too late; raises PromptContractError when it cannot be read."""
    facts = read_facts(environment, file)
    found: list[Misplaced] = []
    latest, highest = "", 0
    seen: set[str] = set()
    for name, where in _uses(environment, file):
        if name in seen or name not in facts.variables:
            continue
        seen.add(name)
        rank = _rank(name)
        if rank < highest:
            found.append(Misplaced(name, latest, where))
        elif rank > highest:
            latest, highest = name, rank
    return found


def _rank(name: str) -> int:
    """Return how soon a variable changes, 0 for never."""
    for rank, names in enumerate(STABILITY):
        if name in names:
            return rank
    return len(STABILITY)


def _uses(environment: Environment, file: str) -> Iterator[tuple[str, str]]:
    """Yield the variables in the order in which the template shows them.

    The persona counts where its partial stands.
    """
    assert environment.loader is not None
    tree = environment.parse(environment.loader.get_source(environment, file)[0], file)
    for block in tree.find_all(nodes.Block):
        for node in block.find_all((nodes.Name, nodes.Include)):
            if isinstance(node, nodes.Include):
                yield WHO, f"{file}, line {node.lineno}"
            elif isinstance(node, nodes.Name):
                yield node.name, f"{file}, line {node.lineno}"
