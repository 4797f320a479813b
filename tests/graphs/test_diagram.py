"""The diagrams are generated from what builds the graphs, and read as reviewed."""

import os
from pathlib import Path

from graphs.diagram import mind_diagram, step_diagram
from graphs.loop.step import build_step
from graphs.mind import ORDER, build_mind

GOLDEN = Path(__file__).parent / "golden"


def test_the_minds_diagram_reads_as_its_golden_text():
    path = GOLDEN / "mind.mmd"
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1":
        path.write_text(mind_diagram(), encoding="utf-8")
    assert mind_diagram() == path.read_text(encoding="utf-8")


def test_the_loops_diagram_shows_every_way_through_it():
    edges = {(edge.source, edge.target, edge.data) for edge in build_step().get_graph().edges}
    assert edges == {
        ("__start__", "ask", None),
        ("ask", "parse", None),
        ("parse", "__end__", "read"),
        ("parse", "repair", "again"),
        ("parse", "fall_back", "give up"),
        ("repair", "ask", None),
        ("fall_back", "__end__", None),
    }
    assert all(f"{source}(" in step_diagram() for source, *_ in edges)


def test_the_drawn_nodes_are_those_of_the_compiled_graph():
    nodes = set(build_mind().get_graph().nodes) - {"__start__", "__end__"}
    assert nodes == set(ORDER)
    assert all(f"| {name}" in mind_diagram() or f"> {name}" in mind_diagram() for name in nodes)
