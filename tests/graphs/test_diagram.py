"""The diagrams are what LangGraph draws; a thought's stations are its phases' nodes."""

from smolville.graphs.mind import (
    build_mind,
    build_phase,
    mind_diagram,
    phase_diagram,
    stations,
    step_diagram,
)
from smolville.graphs.phases import ACTION, PHASES
from smolville.graphs.react import STEP as REACT


def test_the_minds_diagram_shows_its_phases_and_when_each_is_entered():
    drawn = mind_diagram()
    for phase in PHASES:
        waits = any(each.joins == phase.way.to for each in PHASES)
        deferred = "<hr/><small><em>defer = True</em></small>" if waits else ""
        assert f"\t{phase.way.to}({phase.way.to}{deferred})\n" in drawn
        assert phase.way.when == "always" or f"&nbsp;{phase.way.when}&nbsp;" in drawn
    assert drawn == build_mind().get_graph().draw_mermaid()


def test_the_phases_diagram_shows_every_node_and_every_way_of_it():
    drawn, graph = phase_diagram(), build_phase(ACTION).get_graph()
    assert all(f"{node}(" in drawn for node in graph.nodes)
    assert all(f"&nbsp;{edge.data}&nbsp;" in drawn for edge in graph.edges if edge.data)


def test_the_steps_diagram_shows_its_loop():
    drawn = step_diagram()
    for node in ("gather", "ask", "parse", "repair", "fall_back", "apply"):
        assert f"\t{node}({node})\n" in drawn
    assert all(f"&nbsp;{way}&nbsp;" in drawn for way in ("read", "unreadable", "given up"))
    assert REACT.name not in drawn, "it is that of any step"


def test_the_stations_are_the_nodes_of_the_phases_with_when_they_run():
    found = stations()
    names = [station.name for station in found]
    assert names == [
        name for phase in PHASES for name in build_phase(phase).nodes if "__" not in name
    ]
    assert len(names) == len(set(names))
    whens = {station.name: station.when for station in found}
    assert all(whens.values())
    assert whens["perceive"] == "needs are left out, or after feel_needs"
    assert whens["conclude_talk"] == "a talk has ended"
    assert whens["hear_whispers"] == "a voice whispers"
    assert whens["heed_inner_voice"] == "a whisper is in doubt"
    assert whens["choose_place"] == "a task fits none of the places"
