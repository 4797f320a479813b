"""The graphs as Mermaid, generated from what builds them."""

from itertools import pairwise

from graphs.loop.step import build_step
from graphs.mind import ORDER

_MODEL_STEPS = frozenset(ORDER) - {"perceive", "act"}


def mind_diagram() -> str:
    """Return the mind graph: every node in order, with the condition under which it runs.

    LangGraph's own drawing of the same graph has an arrow for every node that can be skipped; this
    one is made for readers, from the table that builds the graph.
    """
    lines = ["flowchart TD", "    start([a stimulus]) --> perceive"]
    names = list(ORDER)
    for before, name in pairwise(names):
        lines.append(f"    {before} -->|{ORDER[name].when}?| {name}")
    lines.append(f"    {names[-1]} --> done([an intent])")
    lines.append(f"    class {','.join(name for name in names if name in _MODEL_STEPS)} step")
    lines.append("    classDef step stroke-width:2px")
    return "\n".join(lines) + "\n"


def step_diagram() -> str:
    """Return the loop that every step runs, as LangGraph draws it."""
    return build_step().get_graph().draw_mermaid()
