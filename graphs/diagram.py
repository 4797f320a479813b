"""The graphs as LangGraph draws them, and a thought's nodes as a list."""

from functools import cache
from typing import NamedTuple

from graphs.loop.graph import build_step
from graphs.mind import build_mind, build_phase
from graphs.phases import ACTION, PHASES
from graphs.react import STEP as REACT


class Station(NamedTuple):
    """One node of a phase, as a list of a thought's path shows it."""

    name: str
    when: str
    """The condition under which it runs; empty where it follows from the node before."""


@cache
def stations() -> tuple[Station, ...]:
    """Return every node of every phase, in their order."""
    found = []
    for phase in PHASES:
        drawn = build_phase(phase).get_graph()
        whens = {edge.target: str(edge.data) for edge in reversed(drawn.edges) if edge.data}
        names = [name for name in drawn.nodes if not name.startswith("__")]
        found += [Station(name, whens.get(name, phase.way.when)) for name in names]
    return tuple(found)


def mind_diagram() -> str:
    """Return the mind graph: its phases, and the named ways between them."""
    return build_mind().get_graph().draw_mermaid()


def phase_diagram() -> str:
    """Return one phase opened: from a block of the plan to something done at a place."""
    return build_phase(ACTION).get_graph().draw_mermaid()


def step_diagram() -> str:
    """Return the graph of a step; that of every other one has the same shape."""
    return build_step(REACT).get_graph().draw_mermaid()
