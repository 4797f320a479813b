"""Draw the graphs with LangGraph, and list the nodes of a thought."""

from functools import cache
from typing import NamedTuple

from graphs.loop.graph import build_step
from graphs.mind import build_mind, build_phase
from graphs.phases import ACTION, PHASES
from graphs.react import STEP as REACT


class DiagramNode(NamedTuple):
    """One node of a phase in the list of a thought's path."""

    name: str
    when: str
    """The condition under which it runs; empty if it always follows the node before it."""


@cache
def stations() -> tuple[DiagramNode, ...]:
    """Return every node of every phase, in order."""
    found = []
    for phase in PHASES:
        drawn = build_phase(phase).get_graph()
        whens = {edge.target: str(edge.data) for edge in reversed(drawn.edges) if edge.data}
        names = [name for name in drawn.nodes if not name.startswith("__")]
        found += [DiagramNode(name, whens.get(name, phase.way.when)) for name in names]
    return tuple(found)


def mind_diagram() -> str:
    """Return the diagram of the mind graph: its phases, and the named edges between them."""
    return build_mind().get_graph().draw_mermaid()


def phase_diagram() -> str:
    """Return the diagram of one phase: from a block of the plan to an action at a place."""
    return build_phase(ACTION).get_graph().draw_mermaid()


def step_diagram() -> str:
    """Return the diagram of a step's graph; all steps have the same shape."""
    return build_step(REACT).get_graph().draw_mermaid()
