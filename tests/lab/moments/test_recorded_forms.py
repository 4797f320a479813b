"""A step's form in Studio, filled from a moment that a run recorded."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from smolville.graphs.studio import FormError
from smolville.lab.moments.moment import Moment
from smolville.lab.studio import GRAPHS, RUNS_VARIABLE

STANDIN = {"model": "standin"}


@pytest.fixture(autouse=True)
def recorded(clumsy: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The runs are where the variable says."""
    monkeypatch.setenv(RUNS_VARIABLE, str(clumsy))
    yield


def first_of_each_step(moments: list[Moment]) -> list[Moment]:
    """Return the first moment of every step that the run used."""
    return list({moment.step: moment for moment in reversed(moments)}.values())


async def test_a_recorded_moment_is_asked_with_its_own_inputs(moments: list[Moment]) -> None:
    asked = first_of_each_step(moments)
    assert len(asked) > 6
    for moment in asked:
        graph = GRAPHS[f"step: {moment.step}"]
        done = await graph.ainvoke(STANDIN | {"moment": moment.id})
        shown = done["steps"][0]["attempts"][0]["messages"]
        assert shown == json.loads(moment.attempts[0].call.messages)
        assert done["result"]["outcome"] == "clean"


async def test_its_inputs_take_the_place_of_those_of_the_form(moments: list[Moment]) -> None:
    moment = first_of_each_step(moments)[0]
    graph = GRAPHS[f"step: {moment.step}"]
    me = graph.get_input_jsonschema()["properties"]["me"]["default"]
    done = await graph.ainvoke(STANDIN | {"moment": moment.id, "me": me})
    system = done["steps"][0]["attempts"][0]["messages"][0]["content"]
    assert f"You are {moment.agent}" in system and me["name"] not in system


async def test_a_moments_template_is_changed_for_one_question_and_its_answer_repaired(
    moments: list[Moment],
) -> None:
    moment = next(each for each in moments if each.outcome == "repaired")
    graph = GRAPHS[f"step: {moment.step}"]
    opened = (await graph.ainvoke(STANDIN | {"moment": moment.id}))["result"]
    assert opened["inputs"] == moment.inputs
    assert opened["template"] == moment.templates[f"{moment.step}.jinja"]
    text = opened["template"].replace("{% block human %}", "{% block human %}\nMIND THIS.", 1)
    own = {"model": "standin:missing=1.0", "moment": moment.id, "template": text}
    done = await graph.ainvoke(own)
    first, second, *_ = done["steps"][0]["attempts"]
    assert first["messages"][1]["content"].startswith("MIND THIS.")
    assert not first["accepted"]
    assert first["problems"][0] in second["messages"][-1]["content"]


async def test_a_moment_of_another_step_is_refused_in_a_sentence(moments: list[Moment]) -> None:
    moment = next(each for each in moments if each.step != "answer_interview")
    with pytest.raises(FormError) as error:
        await GRAPHS["step: answer_interview"].ainvoke(STANDIN | {"moment": moment.id})
    assert str(error.value) == (
        f"The moment {moment.id} is of the step `{moment.step}`, not `answer_interview`."
    )


@pytest.mark.parametrize("moment", ["clumsy/00000000", "nowhere/6bfdcda4", "not an id"])
async def test_a_moment_that_is_not_there_is_told_in_a_sentence(moment: str) -> None:
    with pytest.raises(FormError) as error:
        await GRAPHS["step: say"].ainvoke(STANDIN | {"moment": moment})
    assert moment.split("/")[0] in str(error.value) and "\n" not in str(error.value)
