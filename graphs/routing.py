"""The form of a phase: its nodes, and the named conditional edges between them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from langgraph.constants import END, START

from smolville.agents.errors import InternalError
from smolville.graphs.context import Thinker
from smolville.graphs.loop.step import AnyStep, Step
from smolville.graphs.state import MindSeen

Condition = Callable[[MindSeen, Thinker], bool]
Code = tuple[str, Callable[..., Awaitable[dict[str, Any]]]]
"""A node of plain code: its name and its function."""


def always(state: MindSeen, me: Thinker) -> bool:
    """Return True: the condition of an edge that is always open."""
    return True


class ConditionalEdge(NamedTuple):
    """A named edge, taken if its condition is the first that holds."""

    when: str
    """The condition in words, as the diagram shows it for a node with several edges."""
    to: str
    condition: Condition = always
    """The condition: a function of the state left by the node before, and of the thinker."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Phase:
    """One node of the mind graph; it is itself a graph, of cognitive steps and of code nodes."""

    way: ConditionalEdge
    """The edge that leads to the phase; it also gives the phase's name."""
    nodes: tuple[AnyStep | Code, ...]
    """Its nodes in order."""
    ways: Mapping[str, tuple[ConditionalEdge, ...]] = field(default_factory=dict)
    """Edges that leave a node, unless they simply lead to the next one; the last of them is always
    open."""
    joins: str = ""
    """The later phase that waits for this one. Until then, this phase runs in parallel to those in
    between, which do not need it. Only its reports are kept, and the later phase reads them. Empty
    for a phase that runs alone."""

    def __post_init__(self) -> None:
        """Raise InternalError for an edge with an unknown node, or for a wrong order of edges.

        Of the edges that leave a node, the last one, and no other, must always be open.
        """
        names = [START, *(node.name if isinstance(node, Step) else node[0] for node in self.nodes)]
        for after, ways in self.ways.items():
            where = f"in graphs/phases.py the phase `{self.way.to}` has ways from `{after}`"
            if after not in names:
                raise InternalError(f"{where}, which is none of its nodes: {', '.join(names)}")
            for way in ways:
                if way.to not in (*names, END):
                    raise InternalError(
                        f"{where} to `{way.to}`, which is none of its nodes: {', '.join(names)}"
                    )
            if [way.condition is always for way in ways] != [False] * (len(ways) - 1) + [True]:
                raise InternalError(
                    f"{where} of which the last, and no other, must have no condition: where "
                    "nothing else is wanted, put "
                    '`ConditionalEdge("nothing is wanted", END)` behind them'
                )

    @property
    def steps(self) -> tuple[AnyStep, ...]:
        """The cognitive steps of the phase."""
        return tuple(node for node in self.nodes if isinstance(node, Step))
