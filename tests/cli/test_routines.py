"""What people do again is listed, brought along, marked wherever it shows, and can be left out."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.fixtures.small_town import write_small_town

SPAN = ("--cast", "3", "--for", "36h", "--headless", "--quiet")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """Three people who have lived a day and a half."""
    folder = tmp_path_factory.mktemp("two")
    command = Command(folder / "runs", write_small_town(folder / "small_town"))
    assert command.live("amber", *SPAN).code == 0
    return command


def _reused(command: Command, run: str) -> int:
    return int(sum(command("health", run, "--json").json["reused"].values()))


def test_what_was_learnt_is_listed_with_its_tasks_and_places(two: Command) -> None:
    found = two("show", "amber", "routines", "--json").json
    assert found["embedder"] == "wordllama" and 0.7 < found["similarity"] < 1
    people = found["people"]
    assert len(people) == 3 and all(each["tasks"] and each["spots"] for each in people.values())
    assert sum(each["reused"] for each in people.values()) == _reused(two, "amber") > 0
    one = two("show", "amber", "ada", "routines")
    assert "Ada Brook: " in one.out and "Ben Hollis: " not in one.out and "(day 1)" in one.out


def test_reuses_are_told_in_summary_health_timeline_metrics_and_trace(
    two: Command, tmp_path: Path
) -> None:
    assert "Reused from routines without a call: the tasks of" in two("health", "amber").out
    assert "(reused)" in two("timeline", "amber").out
    assert two("export", "amber", "--format", "metrics", str(tmp_path / "metrics")).code == 0
    logs = [json.loads((tmp_path / "metrics" / "Ada Brook.json").read_text(encoding="utf-8"))]
    assert {each["is_new"] for log in logs for each in log} == {True, False}
    thoughts = two("show", "amber", "ada", "thoughts", "--json").json
    digits = [
        each["id"]
        for each in thoughts
        if {"reuse_tasks", "reuse_spots"} & set(each["nodes"]) and not each["steps"]
    ]
    assert "came from a routine, learnt on day 1" in two("trace", "amber", digits[0]).out
    said = two("run", "amber", "--resume", "--for", "10m", "--quiet")
    assert "Routines learnt, to be done again without asking the model: " in said.out


def test_another_run_begins_with_what_was_learnt(two: Command) -> None:
    said = two.live("birch", "--cast", "3", "--for", "10h", "--headless", "--routines", "amber")
    assert said.code == 0
    assert "of 3 of 3 people, learnt in amber." in said.err
    assert "another run" in two("show", "birch", "routines").out
    assert _reused(two, "birch") > 0
    again = two("run", "birch", "--resume", "--routines", "amber")
    assert (again.code, again.out) == (2, "")
    assert "--resume and --routines exclude each other" in again.err


def test_what_cannot_be_brought_is_refused_in_one_sentence(two: Command) -> None:
    for words, sentence in (
        (("--routines", "nobody"), "there is no run 'nobody'"),
        (("--routines", "amber", "--embedder", "words"), "learnt with the embedder wordllama"),
        (("--set", "routine_similarity=1.5"), "write a number above 0, at most 1"),
    ):
        said = two.live("cedar", "--headless", *words)
        assert (said.code, said.out) == (2, "") and sentence.lower() in said.err.lower()
        assert said.err.count("\n") == 1
        assert not (two.runs / "cedar").exists()
