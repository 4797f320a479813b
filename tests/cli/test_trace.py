"""`smolville trace`: the thoughts of a run as a list, one of them as a tree, all as a file."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import smolville.cli.screen as cli_screen
import smolville.cli.trace_table as cli_trace_table
from tests.cli.conftest import Command
from tests.fixtures.loopback import free_port
from tests.fixtures.small_town import write_small_town

KEYS = {
    *("id", "kind", "time", "tick", "agents", "name", "steps", "outcome", "calls"),
    *("prompt_tokens", "completion_tokens", "cached_tokens", "milliseconds"),
}
SPAN_KEYS = {
    *("name", "kind", "id", "start", "end", "milliseconds", "inputs", "outputs", "metadata"),
    *("tags", "error", "children"),
}


@pytest.fixture(scope="module")
def clumsy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    """A command whose folder holds `amber`, lived by a model that makes mistakes."""
    folder = tmp_path_factory.mktemp("traced")
    command = Command(folder / "runs", write_small_town(folder / "town"))
    said = command.live(
        "amber", "--for", "13h", "--cast", "3", "-q", "--model", "standin:mistakes=0.3"
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


def test_on_80_columns_no_name_of_a_step_is_broken(
    clumsy: Command, rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (cli_screen, cli_trace_table):
        monkeypatch.setattr(module, "console", lambda **_: Console(width=80, markup=False))
    table = clumsy("trace", "amber").out.partition("One as a tree")[0]
    assert max(map(len, table.splitlines())) <= 80
    assert {row["steps"][0] for row in rows if row["kind"] == "thought" and row["steps"]} <= {
        word.rstrip(",") for word in table.split()
    }


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
    assert ada == [row for row in rows if "Ada Brook" in row["agents"]]
    wrong = clumsy("trace", "amber", "--outcome", "repaired", "--json").json
    assert wrong == [row for row in rows if row["outcome"] == "repaired"] != []
    assert clumsy("trace", "amber", "--outcome", "failed", "--json").json == []


def test_a_tree_says_what_was_asked_and_what_was_wrong(
    clumsy: Command, repaired: dict[str, Any]
) -> None:
    tree = clumsy("trace", "amber", repaired["id"], "--json").json
    assert set(tree) == SPAN_KEYS
    assert tree["name"] == repaired["name"]
    assert [step["name"] for step in tree["children"]] == repaired["steps"]
    step = next(each for each in tree["children"] if each["metadata"]["problems"])
    page = " ".join(clumsy("trace", "amber", repaired["id"]).out.replace("│", " ").split())
    assert repaired["name"] in page
    assert step["metadata"]["problems"][0] in page
    assert f"{step['name']} repaired" in page
    assert f"template {step['metadata']['template']}" in page
    assert step["metadata"]["moment"] in page
    assert "attempt 2" in page
    assert "tokens" in page


def test_messages_are_shown_when_wanted(clumsy: Command, repaired: dict[str, Any]) -> None:
    words = ("trace", "amber", repaired["id"])
    assert "system" not in clumsy(*words).out
    told = clumsy(*words, "--messages").out
    for role in ("system", "user", "reply"):
        assert re.search(f"── {role}\n", told)
    assert "You are a person in a small town" in told


def test_one_step_is_shown_alone(clumsy: Command, repaired: dict[str, Any]) -> None:
    step = repaired["steps"][-1]
    words = ("trace", "amber", repaired["id"], "--step")
    shown = clumsy(*words, step, "--json").json
    assert {each["name"] for each in shown["children"]} == {step}
    said = clumsy(*words, step[:-1])
    assert said.code == 2
    assert f"did you mean {step}?" in said.err


def test_a_thought_is_found_by_what_names_it(clumsy: Command, repaired: dict[str, Any]) -> None:
    tree = clumsy("trace", "amber", repaired["id"], "--json").json
    who, when = repaired["agents"][0], repaired["time"]
    moment = tree["children"][0]["metadata"]["moment"]
    digits = moment.split("/")[1]
    clock = when.split()[1]
    ways = [
        (repaired["id"][:7],),
        (moment,),
        (digits,),
        (f"{who} {when}",),
        (who, when),
        (who.split()[0].lower(), *when.split()),
        (f"{who} {clock}",),
    ]
    for words in ways:
        said = clumsy("trace", "amber", *words, "--json")
        assert said.code == 0, said.err
        assert said.json["id"] == tree["id"], words


def test_the_latest_thought_is_one_that_asked(clumsy: Command, rows: list[dict[str, Any]]) -> None:
    shown = clumsy("trace", "amber", "latest", "--json").json
    assert shown["metadata"]["thought"] == rows[-1]["id"]
    assert shown["children"]


def test_a_time_between_two_thoughts_means_the_earlier(clumsy: Command) -> None:
    ada = clumsy("trace", "amber", "--agent", "ada", "--all", "--json").json
    shown = clumsy("trace", "amber", "Ada 03:00", "--json").json["metadata"]
    assert shown["tick"] == max(row["tick"] for row in ada if row["tick"] < 3 * 360)


def test_a_talk_is_a_tree_too(clumsy: Command, rows: list[dict[str, Any]]) -> None:
    talk = next(row for row in rows if row["kind"] == "talk")
    page = clumsy("trace", "amber", talk["id"]).out
    told = clumsy("trace", "amber", talk["id"], "--json").json["metadata"]["talk"]
    assert clumsy("trace", "amber", told).out == page
    assert page.startswith(talk["name"])
    assert "ended by" in page
    for name in talk["agents"]:
        assert f"say  {name}" in page


def test_show_gives_the_ids_that_trace_takes(clumsy: Command, rows: list[dict[str, Any]]) -> None:
    ids = {row["id"] for row in clumsy("show", "amber", "ben", "--thoughts", "--json").json}
    assert {
        row["id"] for row in rows if row["agents"] == ["Ben Hollis"] and row["kind"] == "thought"
    } <= ids
    assert all(each in clumsy("show", "amber", "ben", "--thoughts").out for each in ids)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("yesterday",), "There is no thought 'yesterday' in the run 'amber'; write `latest`"),
        (("0000",), "There is no thought or moment '0000' in the run 'amber'."),
        (("other/12345678",), "is of another run: smolville trace other"),
        (("Dora 07:40",), "Did you mean Cora Vance"),
        (("Ada 9 07:99",), "is not a town time"),
        (("Ada 07:40", "--agent", "ben"), "--agent is of the list"),
        (("--step", "say"), "--step is of one thought"),
        (("--messages",), "--messages is of one thought"),
        (("--outcome", "repeared"), "did you mean repaired?"),
        (("--otlp", "."), "is a folder"),
    ],
)
def test_what_cannot_be_traced_is_said(clumsy: Command, words: tuple[str, ...], told: str) -> None:
    said = clumsy("trace", "amber", *words)
    assert said.code == 2
    assert told in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_an_id_that_is_nearly_right_gets_the_nearest(
    clumsy: Command, repaired: dict[str, Any]
) -> None:
    first, rest = repaired["id"][0], repaired["id"][1:]
    wrong = ("0" if first != "0" else "1") + rest
    said = clumsy("trace", "amber", wrong)
    assert (said.code, "The nearest: " in said.err) == (2, True)
    assert repaired["id"] in said.err


def test_a_run_that_was_not_lived_has_no_thoughts(smolville: Command) -> None:
    said = smolville("trace", "amber", "latest")
    assert said.code == 2
    assert "amber" in said.err


def test_a_thought_or_a_run_is_written_for_others(
    clumsy: Command, rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    one, everything = tmp_path / "one.json", tmp_path / "all.json"
    assert clumsy("trace", "amber", "latest", "--otlp", str(one)).out.startswith(
        f"Written to {one}: 1 trace, "
    )
    told = clumsy("trace", "amber", "--otlp", str(everything), "--json").json
    assert told["traces"] == len(rows)
    spans = json.loads(everything.read_text())["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert len(spans) == told["spans"]
    assert len({each["traceId"] for each in spans}) == len(rows)
    again = clumsy("trace", "amber", "latest", "--otlp", str(one))
    assert (again.code, "exists; add --overwrite" in again.err) == (2, True)
    assert clumsy("trace", "amber", "latest", "--otlp", str(one), "--overwrite").code == 0
    nowhere = clumsy("trace", "amber", "latest", "--otlp", str(one / "in a file.json"))
    assert (nowhere.code, "cannot be written" in nowhere.err) == (2, True)


@pytest.mark.parametrize("words", [("latest",), ("--agent", "Ada"), ("--otlp", "file.json")])
def test_langsmith_takes_whole_runs_only(clumsy: Command, words: tuple[str, ...]) -> None:
    said = clumsy("trace", "amber", *words, "--langsmith", "thoughts")
    assert said.code == 2
    assert said.err.startswith("--langsmith sends a whole run; leave ")


def test_langsmith_needs_a_key(clumsy: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LANGSMITH_API_KEY", raising=False)
    monkeypatch.delenv("LANGCHAIN_API_KEY", raising=False)
    said = clumsy("trace", "amber", "--langsmith", "thoughts")
    assert said.code == 2
    assert "LANGSMITH_API_KEY" in said.err
    monkeypatch.setenv("LANGSMITH_API_KEY", "lsv2_nowhere")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    said = clumsy("trace", "amber", "--langsmith", "failures")
    assert said.code == 1
    assert "not sent: no connection." in said.err
    assert "lsv2" not in said.err
