"""What LangGraph draws of the graphs: all that runs, with a name on every way that has a choice."""

from collections import Counter
from dataclasses import replace

import pytest
from langgraph.graph import END

from smolville.agents.errors import InternalError
from smolville.graphs.catalogue import STEPS
from smolville.graphs.interview import build_interview
from smolville.graphs.loop.graph import build_given_step, build_step
from smolville.graphs.mind import build_mind, build_phase
from smolville.graphs.phases import PHASES, REACTION, is_new_day
from smolville.graphs.routing import ConditionalEdge
from smolville.graphs.state import MindSeen
from smolville.graphs.talk import build_talk

LOOP = {"gather", "ask", "parse", "repair", "fall_back", "apply"}
GRAPHS = {
    "mind": build_mind(),
    "talk": build_talk(),
    "interview": build_interview(),
    **{phase.way.to: build_phase(phase) for phase in PHASES},
    **{step.name: build_step(step) for step in STEPS},
}
EACH = pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)


def _within(graph):
    """The nodes of a graph, opened down to the last one, without its ends."""
    return {name for name in graph.get_graph(xray=True).nodes if "__" not in name}


def test_the_mind_opened_shows_every_step_with_its_loop():
    homes = {step: phase for phase in PHASES for step in build_phase(phase).nodes}
    steps = [step.name for step in STEPS if step.seen is MindSeen]
    plain = (
        *("feel_needs", "perceive", "hear_whispers", "lay_usual_day"),
        *("draw_for_dream", "draw_for_wander"),
        *("split_habits", "reuse_tasks", "leave_forbidden", "reuse_places"),
        *("place_named", "reuse_spots", "act"),
        *("choose_unrated", "keep_ratings"),
    )
    code = {f"{homes[name].way.to}:{name}" for name in plain}
    assert _within(GRAPHS["mind"]) == code | {
        f"{homes[step].way.to}:{step}:{node}" for step in steps for node in LOOP
    }


def test_each_step_of_the_mind_stands_in_one_phase():
    found = Counter(name for phase in PHASES for name in build_phase(phase).nodes)
    steps = {step.name for step in STEPS if step.seen is MindSeen}
    assert {name for name, count in found.items() if count == 1} >= steps


def test_a_talk_opened_shows_the_step_of_a_line_beside_the_visitors_turn():
    assert set(GRAPHS["talk"].get_graph().nodes) - {"__start__", "__end__"} == {
        "say",
        "visitor_turn",
    }
    assert _within(GRAPHS["talk"]) == {"visitor_turn", *(f"say:{node}" for node in LOOP)}


def test_an_interview_opened_shows_its_step():
    assert set(GRAPHS["interview"].get_graph().nodes) == {
        "__start__",
        "answer_interview",
        "__end__",
    }
    assert _within(GRAPHS["interview"]) == {f"answer_interview:{node}" for node in LOOP}


@EACH
def test_no_node_has_more_than_six_ways_on_but_a_phase_that_leads_to_any_later_one(graph):
    ways = Counter(edge.source for edge in graph.get_graph().edges)
    for node, most in ways.items():
        later = [phase.way.to for phase in PHASES]
        is_phase = graph is GRAPHS["mind"] and node in later
        assert most <= (len(later) - later.index(node) if is_phase else 6), node


@EACH
@pytest.mark.parametrize("opened", [False, True])
def test_every_way_that_is_chosen_has_a_name(graph, opened):
    edges = graph.get_graph(xray=opened).edges
    assert [edge for edge in edges if edge.conditional and not edge.data] == []
    from_one_node = Counter((edge.source, edge.data) for edge in edges if edge.conditional)
    assert set(from_one_node.values()) <= {1}, "one name leads to one node"


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
    order = [phase.way.to for phase in PHASES]
    ways = {(edge.source, edge.target) for edge in GRAPHS["mind"].get_graph().edges}
    for source, target in ways - {("__start__", order[0])}:
        assert target == "__end__" or order.index(source) < order.index(target)
    assert {("__start__", order[0]), (order[-1], "__end__")} <= ways


@pytest.mark.parametrize(
    ("after", "ways", "told"),
    [
        (
            "percieve",
            (ConditionalEdge("a", "react"),),
            "ways from `percieve`, which is none of its nodes",
        ),
        (
            "react",
            (ConditionalEdge("a", "replann"),),
            "ways from `react` to `replann`, which is none of its",
        ),
        (
            "react",
            (ConditionalEdge("a", "replan", is_new_day),),
            "the last, and no other, must have no",
        ),
        (
            "react",
            (ConditionalEdge("a", "replan"), ConditionalEdge("b", END)),
            "the last, and no other, must have no",
        ),
    ],
)
def test_ways_that_lead_nowhere_or_may_all_be_closed_are_refused(after, ways, told):
    with pytest.raises(InternalError, match=told):
        replace(REACTION, ways={after: ways})
