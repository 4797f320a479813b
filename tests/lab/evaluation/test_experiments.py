"""The results of an evaluation go back to the LangSmith dataset whose moments were asked."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.fixtures.clumsy import CLUMSY, clumsy, moments
from tests.fixtures.langsmith_server import Receiver, serve_langsmith

__all__ = ["clumsy", "moments"]
EVAL = ("prompt", "eval", "--moments", "langsmith:town", "--model", CLUMSY, "--limit", "8")


@pytest.fixture
def smith(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A LangSmith that the environment names."""
    with serve_langsmith() as receiver:
        monkeypatch.setenv("LANGSMITH_API_KEY", receiver.key)
        monkeypatch.setenv("LANGSMITH_ENDPOINT", receiver.url)
        yield receiver


@pytest.fixture
def smolville(smith: Receiver, clumsy: Path, tmp_path: Path) -> Command:
    """The command on a run whose moments are the dataset `town`."""
    (tmp_path / "runs").mkdir()
    shutil.copytree(clumsy / "clumsy", tmp_path / "runs" / "clumsy")
    command = Command(tmp_path / "runs", tmp_path)
    assert command("export", "clumsy", "town", "--format", "langsmith").code == 0
    return command


def test_each_variant_is_an_experiment_whose_runs_answer_the_examples(
    smolville: Command, smith: Receiver
) -> None:
    german = ("--prompts", "shipped", "--prompts", "german")
    said = smolville(*EVAL[:2], *german, *EVAL[2:])
    assert said.code == 0, said.err
    names = [name for name in smith.projects if name.startswith("town · ")]
    assert [name.split(" · ")[1] for name in names] == ["shipped", "german"]
    assert all(f"In LangSmith as the experiment {name}" in said.err for name in names)
    dataset = smith.datasets["town"]["id"]
    assert {smith.projects[name]["reference_dataset_id"] for name in names} == {dataset}
    of_moment = {each["id"]: each["metadata"]["moment"] for each in smith.examples("town")}
    posted = smith.trees()
    assert len(posted) == 16
    for run in posted:
        assert of_moment[run.body["reference_example_id"]] == run.inputs["moment"]
        assert run.body["session_name"] in names
        assert run.feedback["outcome"]["value"] == run.metadata["outcome"]
        assert ("odd" in run.feedback) == bool(run.metadata["odd_kinds"])
        assert run.outputs["answer"] and run.tags == [run.name, run.metadata["outcome"]]
        assert run.metadata["command"] == f"smolville prompt render {run.inputs['moment']}"


def test_the_same_words_post_the_same_runs_and_trouble_is_one_sentence(
    smolville: Command, smith: Receiver
) -> None:
    smith.unknown = ("/sessions",)
    said = smolville(*EVAL)
    assert (said.code, smith.bodies) == (1, {})
    assert "objec-" in said.out
    (line,) = [each for each in said.err.splitlines() if smith.url in each]
    assert "refused" in line and smith.key[:6] not in said.err
    smith.unknown = ()
    for _ in range(2):
        assert smolville(*EVAL).code == 0
    assert len(smith.bodies) == 8
