"""The graphs that Studio opens: their forms, what they refuse, and what comes of a form."""

import importlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from smolville.graphs.catalogue import SAMPLES, STEPS
from smolville.graphs.studio import Form, FormError, StudioGraph
from smolville.lab.studio import GRAPHS
from smolville.prompts.folder import shipped_texts

FILE = Path(__file__).parents[2] / "langgraph.json"
STANDIN = {"model": "standin"}
EACH = pytest.mark.parametrize("name", GRAPHS)
STEP = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
ENVIRONMENT = {"LOG_LEVEL": "WARNING"}
"""The server logs each change in its folder: two lines a second while a town lives in `runs`."""


def properties(name: str) -> dict[str, Any]:
    """Return the fields of a graph's form, as Studio reads them."""
    found: dict[str, Any] = GRAPHS[name].get_input_jsonschema()["properties"]
    return found


async def submitted(name: str, **fields: Any) -> dict[str, Any]:
    """Return what a graph gives for its form, in which these fields are changed."""
    done: dict[str, Any] = await GRAPHS[name].ainvoke(STANDIN | fields)
    return done


def test_the_file_that_names_them_is_made_from_what_there_is():
    names = {name: f"smolville.lab.studio:{name.replace(': ', '_')}" for name in GRAPHS}
    told = {"dependencies": ["."], "env": ENVIRONMENT, "graphs": names}
    made = json.dumps(told, indent=2) + "\n"
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1":
        FILE.write_text(made, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == made, "set SMOLVILLE_UPDATE_GOLDEN=1 to write it"
    for name, path in names.items():
        module, variable = path.split(":")
        graph: StudioGraph = getattr(importlib.import_module(module), variable)
        assert graph is GRAPHS[name] and graph.name == name


@EACH
def test_a_form_is_small_and_each_field_has_a_value(name):
    found = properties(name)
    assert set(found) > set(Form.model_fields) and len(found) <= 24
    assert all("default" in told for told in found.values())
    assert not set(GRAPHS[name].get_output_jsonschema()["properties"]) & set(found)


@STEP
def test_a_steps_form_has_its_inputs_filled_in_as_its_sample(step):
    found = properties(f"step: {step.name}")
    sample = SAMPLES[step.name].model_dump(mode="json")
    assert set(found) - set(Form.model_fields) == {"moment", "template", *step.inputs.model_fields}
    assert {field: found[field]["default"] for field in sample} == sample


@STEP
async def test_a_step_submitted_as_it_is_is_answered(step):
    done = await submitted(f"step: {step.name}")
    assert done["result"]["outcome"] == "clean"
    assert done["answered_by"] == "standin: chosen by you."
    inputs = SAMPLES[step.name]
    known = {**step.context(inputs), "choices": dict(step.choices(inputs))}
    step.answer.model_validate(done["result"]["answer"], context=known)
    ((attempt,),) = [each["attempts"] for each in done["steps"]]
    talk = ["assistant", "user"] if step.name == "say" else []
    assert [each["role"] for each in attempt["messages"]] == ["system", "user", *talk]
    assert attempt["accepted"] and json.loads(attempt["reply"])


@EACH
async def test_a_platforms_checkpoints_hold_plain_values_of_the_outermost_graph_alone(name):
    # Nothing is allowed but plain data: anything else would come back changed.
    saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=[]))
    graph = GRAPHS[name].copy(update={"checkpointer": saver})
    await graph.ainvoke(STANDIN, {"configurable": {"thread_id": "somebody"}})
    kept = list(saver.list(None))
    assert {each.config["configurable"]["checkpoint_ns"] for each in kept} == {""}
    values = kept[0].checkpoint["channel_values"]
    assert json.loads(json.dumps(values)) == values and "answered_by" in values


@pytest.mark.parametrize(
    ("name", "within"),
    [
        ("mind", [(1, "reaction"), (2, "react"), (3, "ask")]),
        ("talk", [(1, "say"), (2, "ask")]),
        ("step: plan_day", [(1, "ask"), (1, "parse")]),
    ],
)
async def test_the_graphs_within_are_seen_while_they_run(name, within):
    seen = [
        (len(place), node)
        async for place, told in GRAPHS[name].astream(
            STANDIN, subgraphs=True, stream_mode="updates"
        )
        for node in told
    ]
    assert set(within) < set(seen) and seen[-1] == (0, name.split()[-1])


async def _asked(**fields):
    """Return the messages that `heed_inner_voice` is asked with, as one text."""
    done = await submitted("step: heed_inner_voice", **fields)
    return "\n".join(each["content"] for each in done["steps"][0]["attempts"][0]["messages"])


async def test_a_folder_of_templates_is_laid_over_the_shipped_ones_and_read_anew(tmp_path):
    file = tmp_path / "heed_inner_voice.jinja"
    text = shipped_texts()[file.name]
    for word in ("WHISPERED", "MURMURED"):
        file.write_text(text.replace("{{ whisper }}", f"{word}: {{{{ whisper }}}}"))
        assert f"{word}: You want to hold a dance" in await _asked(prompts=str(tmp_path))
    assert "MURMURED" not in await _asked(prompts="shipped")


async def test_a_template_is_changed_for_one_question_and_checked_like_any() -> None:
    shown = (await submitted("step: heed_inner_voice"))["result"]
    text = shown["template"].replace("{{ whisper }}", "BREATHED: {{ whisper }}")
    assert "BREATHED: You are afraid of geese." in await _asked(
        template=text, **{**shown["inputs"], "whisper": "You are afraid of geese."}
    )
    assert "BREATHED" not in await _asked()
    with pytest.raises(FormError, match=r"heed_inner_voice.*murmur"):
        await _asked(template=text.replace("{{ whisper }}", "{{ murmur }}"))


async def test_every_attempt_is_told_with_what_was_wrong():
    done = await submitted("step: say", model="standin:missing=1.0")
    first, second, *_ = done["steps"][0]["attempts"]
    assert not first["accepted"] and first["problems"]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert first["problems"][0] in second["messages"][-1]["content"]


async def test_two_people_talk_in_turn_until_one_ends_it():
    told = (await submitted("talk"))["result"]
    speakers = [line["speaker"] for line in told["lines"]]
    assert speakers == ["Rosa Marin", "Milo Varga"] * (len(speakers) // 2) and len(speakers) > 1
    assert told["ended_by"] in {"Rosa Marin", "Milo Varga", "the cap"}


ROSA = properties("talk")["me"]["default"]


@pytest.mark.parametrize(
    ("graph", "given", "told"),
    [
        ("step: plan_day", {"model": "olama:mistral"}, "Did you mean ollama:mistral?"),
        ("step: plan_day", {"model": "standin:mistakes=many"}, "does not open"),
        ("step: plan_day", {"prompts": "no/such/folder"}, "there is no folder of templates"),
        ("step: plan_day", {"seed": -1}, "`seed`: got -1; Input should be greater than"),
        ("step: plan_day", {"me": {**ROSA, "age": "old"}}, "`me.age`: got 'old'; Input should be"),
        ("step: plan_day", {"me": {"name": "Rosa Marin"}}, "more."),
        ("mind", {"time": "soon"}, "'soon' is not a town time"),
        ("mind", {"until": "noon"}, "'1 noon' is not a town time"),
        ("mind", {"planned": [{"time": "25:00", "activity": "x"}]}, "'1 25:00' is not a town time"),
        ("talk", {"most_lines": 99}, "`most_lines`: got 99; Input should be less than"),
        ("talk", {"other": ROSA}, "Rosa Marin cannot talk to themselves"),
    ],
)
async def test_what_cannot_be_used_is_told_in_a_sentence(graph, given, told):
    with pytest.raises(FormError) as error:
        await submitted(graph, **given)
    assert told in str(error.value) and "\n" not in str(error.value)


async def test_a_server_that_is_not_there_is_named(unused_tcp_port):
    address = f"127.0.0.1:{unused_tcp_port}"
    with pytest.raises(FormError, match=address):
        await submitted("step: say", model=f"llamacpp:http://{address}")
