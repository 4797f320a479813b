"""The diagrams are generated from what builds the graphs, and read as reviewed."""

import os
from pathlib import Path

import pytest

from graphs.diagram import mind_diagram, step_diagram
from graphs.mind import ORDER, build_mind

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(("name", "made"), [("mind", mind_diagram), ("step", step_diagram)])
def test_a_diagram_reads_as_its_golden_text(name, made):
    path = GOLDEN / f"{name}.mmd"
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1":
        path.write_text(made(), encoding="utf-8")
    assert made() == path.read_text(encoding="utf-8")


def test_the_drawn_nodes_are_those_of_the_compiled_graph():
    nodes = set(build_mind().get_graph().nodes) - {"__start__", "__end__"}
    assert nodes == set(ORDER)
    assert all(f"| {name}" in mind_diagram() or f"> {name}" in mind_diagram() for name in nodes)
