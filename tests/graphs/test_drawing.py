"""What LangGraph draws of the graphs: all that runs, with a name on every way that has a choice."""

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.graphs.entities import build_plot, build_world
from smolville.graphs.loop.graph import build_given_step, build_step
from smolville.graphs.mind import BUILDERS, build_mind, stations
from smolville.graphs.state import MindState
from smolville.graphs.talk import build_talk

LOOP = {"gather", "ask", "parse", "repair", "fall_back", "apply"}
PHASES = {name: build() for name, build in BUILDERS.items()}
OTHERS = {"talk": build_talk(), "world": build_world(), "plot": build_plot()}
GRAPHS = {
    "mind": build_mind(),
    **OTHERS,
    **PHASES,
    **{step.name: build_step(step) for step in STEPS},
}


def _within(graph):
    """The nodes of a graph, opened down to the last one, without its ends."""
    return {name for name in graph.get_graph(xray=True).nodes if "__" not in name}


def test_the_mind_opened_shows_every_step_of_a_thought_with_its_loop():
    inside = _within(GRAPHS["mind"])
    for step in STEPS:
        found = [name for name in inside if f":{step.name}:" in name]
        assert {name.rpartition(":")[2] for name in found} == (
            LOOP if step.seen is MindState else set()
        ), step.name
        assert len(found) in (0, len(LOOP)), "it stands in one phase"
    assert {"perception:perceive", "action:act", "reflection:keep_ratings"} <= inside


@pytest.mark.parametrize("build", [build_step, build_given_step])
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_step_has_the_same_shape(step, build):
    graph = build(step)
    assert graph.name == step.name
    assert {(edge.source, edge.target, edge.data) for edge in graph.get_graph().edges} == {
        ("__start__", "gather", None),
        ("gather", "ask", None),
        ("ask", "parse", None),
        ("parse", "apply", "read"),
        ("parse", "repair", "unreadable"),
        ("parse", "fall_back", "given up"),
        ("repair", "ask", None),
        ("fall_back", "apply", None),
        ("apply", "__end__", None),
    }


def test_a_thought_goes_through_its_phases_in_their_order():
    order = list(PHASES)
    ways = {(edge.source, edge.target) for edge in GRAPHS["mind"].get_graph().edges}
    for source, target in ways - {("__start__", order[0])}:
        assert target == "__end__" or order.index(source) < order.index(target)
    assert {("__start__", order[0]), (order[-1], "__end__")} <= ways


def test_the_stations_are_the_nodes_of_the_phases_with_when_they_run():
    found = stations()
    names = [station.name for station in found]
    assert names == [name for each in PHASES.values() for name in each.nodes if "__" not in name]
    assert len(names) == len(set(names))
    whens = {station.name: station.when for station in found}
    assert all(whens.values())
    assert whens["perceive"] == "always"
    assert whens["conclude_talk"] == "a talk has ended"
    assert whens["heed_inner_voice"] == "a whisper is in doubt"
    assert whens["dream"] == "asleep, and no dream yet"
