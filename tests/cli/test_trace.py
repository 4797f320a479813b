"""`smolville trace`: the thoughts of a run as a list, one of them as a tree, all as a file."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.fixtures.langsmith_server import serve_langsmith
from tests.fixtures.small_town import write_small_town

KEYS = {
    *("id", "kind", "owner", "time", "tick", "people", "name", "steps", "outcome", "calls"),
    *("prompt_tokens", "completion_tokens", "milliseconds"),
}


@pytest.fixture(scope="module")
def clumsy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    """A command whose folder holds `amber`, lived by a model that makes mistakes."""
    folder = tmp_path_factory.mktemp("traced")
    command = Command(folder / "runs", write_small_town(folder / "town"))
    said = command.live(
        "amber", "--for", "11h", "--cast", "3", "-q", "--model", "standin:mistakes=0.3"
    )
    assert said.code == 0, said.err
    yield command


@pytest.fixture
def rows(clumsy: Command) -> list[dict[str, Any]]:
    """The list, as a program reads it."""
    told: list[dict[str, Any]] = clumsy("trace", "amber", "--json").json
    return told


@pytest.fixture
def repaired(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A thought with a repaired step."""
    return next(row for row in rows if row["outcome"] == "repaired" and row["kind"] == "thought")


def test_thoughts_and_talks_are_listed_in_their_order(
    clumsy: Command, rows: list[dict[str, Any]]
) -> None:
    assert all(set(row) == KEYS for row in rows)
    assert [row["tick"] for row in rows] == sorted(row["tick"] for row in rows)
    assert {row["kind"] for row in rows} == {"thought", "talk"}
    page = clumsy("trace", "amber").out
    assert all(row["id"] in page for row in rows)
    assert page.startswith("amber · ")
    (look,) = re.findall("smolville (trace amber [0-9a-f]{8}) --runs", page)
    assert clumsy(*look.split()).code == 0


def test_thoughts_that_asked_nothing_are_listed_when_wanted(
    clumsy: Command, rows: list[dict[str, Any]]
) -> None:
    more = clumsy("trace", "amber", "--all", "--json").json
    silent = [row for row in more if row not in rows]
    assert silent
    assert {(row["outcome"], row["calls"]) for row in silent} == {("", 0)}
    assert f"{len(silent)} thoughts asked nothing" in clumsy("trace", "amber").out


def test_a_list_is_narrowed(clumsy: Command, rows: list[dict[str, Any]]) -> None:
    ada = clumsy("trace", "amber", "--agent", "ada", "--json").json
    assert ada == [row for row in rows if "Ada Brook" in row["people"]]
    wrong = clumsy("trace", "amber", "--outcome", "repaired", "--json").json
    assert wrong == [row for row in rows if row["outcome"] == "repaired"] != []
    assert clumsy("trace", "amber", "--outcome", "failed", "--json").json == []


def test_a_tree_says_what_was_asked_and_what_was_wrong(
    clumsy: Command, repaired: dict[str, Any]
) -> None:
    tree = clumsy("trace", "amber", repaired["id"], "--json").json
    assert tree["name"] == repaired["name"]
    steps = [each for each in tree["children"] if each["kind"] == "step"]
    assert [step["name"] for step in steps] == repaired["steps"]
    step = next(each for each in steps if each["metadata"]["problems"])
    page = " ".join(clumsy("trace", "amber", repaired["id"]).out.replace("│", " ").split())
    assert repaired["name"] in page
    assert step["metadata"]["problems"][0] in page
    assert step["metadata"]["moment"] in page
    assert "tokens" in page


def test_messages_are_shown_when_wanted(clumsy: Command, repaired: dict[str, Any]) -> None:
    words = ("trace", "amber", repaired["id"])
    assert "system" not in clumsy(*words).out
    told = clumsy(*words, "--messages").out
    for role in ("system", "user", "assistant"):
        assert re.search(f"── {role}\n", told)
    assert "You are a person in a small town" in told


def test_a_thought_is_found_by_what_names_it(clumsy: Command, repaired: dict[str, Any]) -> None:
    tree = clumsy("trace", "amber", repaired["id"], "--json").json
    steps = [each for each in tree["children"] if each["kind"] == "step"]
    moment = steps[0]["metadata"]["moment"]
    digits = moment.split("/")[1]
    for word in (repaired["id"][:7], moment, digits):
        said = clumsy("trace", "amber", word, "--json")
        assert said.code == 0, said.err
        assert said.json["id"] == tree["id"], word


def test_a_talk_is_a_tree_too(clumsy: Command, rows: list[dict[str, Any]]) -> None:
    talk = next(row for row in rows if row["kind"] == "talk")
    page = clumsy("trace", "amber", talk["id"]).out
    assert page.startswith(talk["name"])
    assert "ended by" in page
    for n, (one, other) in enumerate((talk["people"], reversed(talk["people"])), 1):
        assert f"say · line {n}  {one.split()[0]} to {other.split()[0]}  " in page


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("yesterday",), "There is no thought 'yesterday' in the run 'amber'; write `latest`"),
        (("0000",), "There is no thought or moment '0000' in the run 'amber'."),
        (("--otlp", "."), "is a folder"),
    ],
)
def test_what_cannot_be_traced_is_said(clumsy: Command, words: tuple[str, ...], told: str) -> None:
    said = clumsy("trace", "amber", *words)
    assert said.code == 2
    assert told in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_a_thought_or_a_run_is_written_for_others(
    clumsy: Command, rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    one, everything = tmp_path / "one.pb", tmp_path / "all.pb"
    assert clumsy("trace", "amber", "latest", "--otlp", str(one)).out.startswith(
        f"Written to {one}: 1 trace, "
    )
    told = clumsy("trace", "amber", "--otlp", str(everything), "--json").json
    assert told["traces"] == len(rows)
    again = clumsy("trace", "amber", "latest", "--otlp", str(one))
    assert (again.code, "exists; add --overwrite" in again.err) == (2, True)
    assert clumsy("trace", "amber", "latest", "--otlp", str(one), "--overwrite").code == 0
    nowhere = clumsy("trace", "amber", "latest", "--otlp", str(one / "in a file.pb"))
    assert (nowhere.code, "cannot be written" in nowhere.err) == (2, True)


def test_langsmith_gets_what_would_be_shown_if_there_is_a_key(
    clumsy: Command, repaired: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LANGSMITH_API_KEY", raising=False)
    monkeypatch.delenv("LANGCHAIN_API_KEY", raising=False)
    said = clumsy("trace", "amber", "--langsmith")
    assert (said.code, "LANGSMITH_API_KEY" in said.err) == (2, True)
    with serve_langsmith() as smith:
        monkeypatch.setenv("LANGSMITH_API_KEY", smith.key)
        monkeypatch.setenv("LANGSMITH_ENDPOINT", smith.url)
        said = clumsy("trace", "amber", repaired["id"], "--langsmith")
        assert said.out == "1 trace sent to LangSmith, project smolville.\n"
        assert [tree.name for tree in smith.trees()] == [repaired["name"]]
    said = clumsy("trace", "amber", "--langsmith", "--outcome", "repaired")
    assert (said.code, "arrived in LangSmith: no connection." in said.err) == (1, True)
    assert smith.key[:6] not in said.err
