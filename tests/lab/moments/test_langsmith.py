"""A dataset in LangSmith, by the official client against a receiver on loopback."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from smolville.agents.errors import SettingError, SmolvilleError
from smolville.graphs.catalogue import STEPS
from smolville.lab.moments.langsmith import read_langsmith, write_langsmith
from smolville.lab.moments.moment import Moment
from smolville.prompts.prompt import Prompt, TemplateSet
from tests.fixtures.langsmith_server import Receiver, serve_langsmith


@pytest.fixture
def smith() -> Iterator[Receiver]:
    """What was posted."""
    with serve_langsmith() as smith:
        yield smith


@pytest.fixture
def env(smith: Receiver) -> Mapping[str, str]:
    """The surroundings of somebody who has a key."""
    return {"LANGSMITH_API_KEY": smith.key, "LANGSMITH_ENDPOINT": smith.url}


def bare(moments: list[Moment]) -> list[Moment]:
    """Moments without templates: a dataset has only those of the step."""
    return [replace(moment, templates={}) for moment in moments]


def test_moments_are_uploaded_and_read_back(
    smith: Receiver, env: Mapping[str, str], moments: list[Moment]
) -> None:
    assert write_langsmith("town", iter(moments), env) == len(moments)
    back = read_langsmith("town", env)
    assert sorted(bare(back), key=lambda m: m.id) == sorted(bare(moments), key=lambda m: m.id)
    assert [each.at for each in back] == sorted(each.at for each in moments)


def test_an_example_is_asked_compared_and_filtered_by(
    smith: Receiver, env: Mapping[str, str], moments: list[Moment]
) -> None:
    moment = next(each for each in moments if each.outcome == "repaired")
    write_langsmith("town", [moment], env)
    [example] = smith.examples("town")
    assert [each["role"] for each in example["inputs"]["messages"]] == ["system", "user"]
    assert example["outputs"] == {"answer": moment.answer}
    first = moment.attempts[0]
    assert first.reading is not None
    told = {key: value for key, value in example["metadata"].items() if key != "dataset_split"}
    assert told == {
        "moment": moment.id,
        "step": moment.step,
        "agent": moment.agent,
        "time": moment.time,
        "outcome": "repaired",
        "odd": [],
        "attempts": 2,
        "problems": list(first.reading.problems),
        "template": first.call.template,
        "model": "standin:mistakes=0.3",
    }


def test_the_templates_of_an_example_render_its_step(
    env: Mapping[str, str], moments: list[Moment]
) -> None:
    write_langsmith("town", {moment.step: moment for moment in moments}.values(), env)
    steps = {step.name: step for step in STEPS}
    for moment in read_langsmith("town", env):
        assert len(moment.templates) < 8
        templates = TemplateSet(moment.templates)
        prompt: Prompt[object] = templates.prompt(steps[moment.step])
        assert prompt.version == moment.attempts[0].call.template
        assert templates.repair.version


def test_a_dataset_that_is_there_is_replaced_only_when_asked(
    smith: Receiver, env: Mapping[str, str], moments: list[Moment]
) -> None:
    write_langsmith("town", moments[:3], env)
    with pytest.raises(SettingError, match=r"has a dataset 'town' already; .* --name.*--overwrite"):
        write_langsmith("town", moments[:1], env)
    assert len(smith.examples("town")) == 3
    write_langsmith("town", moments[:1], env, overwrite=True)
    assert len(smith.examples("town")) == 1


def test_no_key_is_one_sentence(moments: list[Moment]) -> None:
    for act in (lambda: write_langsmith("town", moments, {}), lambda: read_langsmith("town", {})):
        with pytest.raises(SettingError, match="set LANGSMITH_API_KEY"):
            act()


def test_a_wrong_key_is_one_sentence(env: Mapping[str, str], moments: list[Moment]) -> None:
    wrong = {**env, "LANGSMITH_API_KEY": "lsv2_pt_wrong"}
    with pytest.raises(SettingError, match="does not take the key in LANGSMITH_API_KEY") as error:
        write_langsmith("town", moments, wrong)
    assert "lsv2" not in str(error.value)


def test_a_server_that_is_not_there_is_one_sentence(moments: list[Moment]) -> None:
    env = {"LANGSMITH_API_KEY": "x", "LANGSMITH_ENDPOINT": "http://127.0.0.1:9"}
    with pytest.raises(SmolvilleError, match=r"http://127.0.0.1:9 cannot be reached"):
        write_langsmith("town", moments, env)


def test_an_unknown_dataset_and_one_of_something_else_are_told(
    smith: Receiver, env: Mapping[str, str]
) -> None:
    with pytest.raises(SettingError, match="has no dataset 'town'"):
        read_langsmith("town", env)
    from langsmith import Client

    client = Client(smith.url, api_key=smith.key, auto_batch_tracing=False)
    made = client.create_dataset("town")
    with pytest.raises(SettingError, match="'town' in LangSmith is empty"):
        read_langsmith("town", env)
    client.create_examples(dataset_id=made.id, examples=[{"inputs": {"question": "how?"}}])
    client.close()
    with pytest.raises(SettingError, match="'town' in LangSmith holds something else"):
        read_langsmith("town", env)
