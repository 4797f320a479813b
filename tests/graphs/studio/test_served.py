"""Every graph that `langgraph.json` names opens, asks for little, and answers as it stands."""

import importlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from smolville.graphs.catalogue import SAMPLES, STEPS
from smolville.graphs.phases import PHASES
from smolville.graphs.studio.graph import StudioGraph
from smolville.lab.studio import configuration

FILE = Path(__file__).parents[3] / "langgraph.json"
CONFIG = json.loads(configuration())
NAMES = sorted(CONFIG["graphs"])
STANDIN = {"model": "standin"}
BEFORE = {"model", "prompts", "seed"}
"""What every form begins with."""


def served(name: str) -> StudioGraph:
    """Return the graph of a name as LangGraph's server opens it."""
    module, variable = CONFIG["graphs"][name]["path"].split(":")
    graph: StudioGraph = importlib.import_module(module).__dict__[variable]
    return graph


def properties(name: str) -> dict[str, Any]:
    """Return the fields of a graph's form, as Studio reads them."""
    found: dict[str, Any] = served(name).get_input_jsonschema()["properties"]
    return found


def test_there_is_a_graph_for_a_thought_its_phases_a_talk_an_interview_and_each_step():
    phases = {phase.way.to for phase in PHASES}
    assert set(NAMES) == {"mind", "talk", "interview", *phases, *(step.name for step in STEPS)}


def test_the_file_that_names_them_is_made_from_what_there_is():
    made = configuration()
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1":
        FILE.write_text(made, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == made, "set SMOLVILLE_UPDATE_GOLDEN=1 to write it"


@pytest.mark.parametrize("name", NAMES)
def test_a_graph_bears_its_name(name):
    assert served(name).name == name
    assert name in served(name).get_graph().nodes


@pytest.mark.parametrize("name", NAMES)
def test_a_form_is_small_and_each_field_has_a_description_and_a_value(name):
    found = properties(name)
    assert set(found) > BEFORE and len(found) <= 24
    for field, told in found.items():
        assert told["description"].endswith("."), field
        assert "default" in told, field
    assert "required" not in served(name).get_input_jsonschema()


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_steps_form_has_its_inputs_filled_in_as_its_sample_and_a_recorded_moment(step):
    found = properties(step.name)
    assert set(found) - BEFORE == {"moment", *step.inputs.model_fields}
    assert found["moment"]["default"] == ""
    sample = SAMPLES[step.name].model_dump(mode="json")
    assert {field: found[field]["default"] for field in sample} == sample


@pytest.mark.parametrize("name", NAMES)
def test_what_goes_in_and_what_comes_out_share_no_field(name):
    told = served(name).get_output_jsonschema()["properties"]
    assert "answered_by" in told and not set(told) & set(properties(name))


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
async def test_a_step_submitted_as_it_is_is_answered(step):
    done = await served(step.name).ainvoke(STANDIN)
    assert done["outcome"] == "clean" and done["answered_by"] == "standin: chosen by you."
    step.answer.model_validate(done["answer"], context=_context(step))
    (attempt,) = done["attempts"]
    talk = ["assistant", "user"] if step.name == "say" else []
    assert [each["role"] for each in attempt["messages"]] == ["system", "user", *talk]
    assert (attempt["accepted"], attempt["problems"]) == (True, [])
    assert json.loads(attempt["reply"])


def _context(step: Any) -> dict[str, Any]:
    """Return what a step's validators know of its sample."""
    inputs = SAMPLES[step.name]
    return {**step.context(inputs), "choices": dict(step.choices(inputs))}


@pytest.mark.parametrize("name", NAMES)
async def test_a_platforms_checkpoints_hold_plain_values_of_the_outermost_graph_alone(name):
    # Nothing is allowed but plain data: anything else would come back changed.
    saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=[]))
    graph = served(name).copy(update={"checkpointer": saver})
    await graph.ainvoke(STANDIN, {"configurable": {"thread_id": "somebody"}})
    kept = list(saver.list(None))
    assert {each.config["configurable"]["checkpoint_ns"] for each in kept} == {""}
    assert {each.config["configurable"]["thread_id"] for each in kept} == {"somebody"}
    values = kept[0].checkpoint["channel_values"]
    assert json.loads(json.dumps(values)) == values and "answered_by" in values


@pytest.mark.parametrize("name", NAMES)
def test_what_runs_within_is_drawn(name):
    drawn = served(name).get_graph(xray=True).nodes
    assert all(each.startswith((f"{name}:", "__")) for each in drawn)
    assert {"ask", "parse", "repair"} <= {each.split(":")[-1] for each in drawn}


@pytest.mark.parametrize(
    ("name", "within"),
    [
        ("mind", [(1, "reaction"), (2, "react"), (3, "ask")]),
        ("reaction", [(1, "react"), (2, "parse")]),
        ("talk", [(1, "say"), (2, "ask")]),
        ("plan_day", [(1, "ask"), (1, "parse")]),
    ],
)
async def test_the_graphs_within_are_seen_while_they_run(name, within):
    seen = [
        (len(place), node)
        async for place, told in served(name).astream(
            STANDIN, subgraphs=True, stream_mode="updates"
        )
        for node in told
    ]
    assert set(within) < set(seen) and seen[-1] == (0, name)
