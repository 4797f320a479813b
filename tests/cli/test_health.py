"""`smolville health`: the honesty ledger, for people on narrow screens and for programs."""

import pytest

from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.reader import RunReader
from tests.cli.conftest import Command

KEYS = {
    *("attempts", "clean", "mended", "repaired", "escalated", "fallback", "transport_errors"),
    *("cut_prompts", "prompt_tokens", "completion_tokens", "cached_share", "tokens_per_second"),
    *("odd", "odd_kinds", "milliseconds"),
    *("steps_taken", "thinking_tokens", "repaired_after", "unfinished", "dropped", "from_cache"),
}


def calls_of(command: Command) -> int:
    """How many calls a history holds."""
    with RunReader(RunFolder.open(command.runs, "amber")) as reader:
        count: int = reader.connection.execute("SELECT COUNT(*) FROM calls").fetchone()[0]
    return count


def test_json_has_every_key_and_adds_up(clumsy: Command) -> None:
    told = clumsy("health", "amber", "--json").json
    assert set(told) == {
        *("total", "steps", "agents", "models", "servers"),
        *("sizes", "nowhere", "reused", "whispers_by_rule", "faults"),
    }
    assert told["faults"] == []
    for name in ("steps", "agents", "models", "servers"):
        lines = list(told[name].values())
        assert lines
        assert all(set(line) == KEYS for line in [*lines, told["total"]])
        for key in ("attempts", "steps_taken", "odd", "prompt_tokens", *OUTCOMES):
            assert sum(line[key] for line in lines) == told["total"][key]
    for line in [told["total"], *told["steps"].values()]:
        assert sum(line[outcome] for outcome in OUTCOMES) == line["steps_taken"]
        assert line["odd"] <= line["steps_taken"] - line["fallback"]
        assert sum(line["repaired_after"].values()) == line["repaired"]
    assert told["total"]["attempts"] == calls_of(clumsy)
    assert told["total"]["repaired"] > 0
    assert list(told["models"]) == ["standin:mistakes=0.6"]


@pytest.mark.parametrize("by", ["step", "agent", "model", "server"])
def test_a_line_stands_for_what_was_asked(clumsy: Command, by: str) -> None:
    said = clumsy("health", "amber", "--by", by)
    names = clumsy("health", "amber", "--json").json[f"{by}s"]
    assert all(name in said.out for name in names)
    assert said.out.splitlines()[2].split()[0] == by


def test_the_reasons_name_a_place_to_look(clumsy: Command) -> None:
    told = clumsy("health", "amber", "--by", "reason", "--json").json
    assert told["reasons"] and set(told) > {"total", "faults"}
    page = clumsy("health", "amber", "--by", "reason").out
    for reason in told["reasons"].values():
        assert sum(reason["by_agent"].values()) == reason["count"]
        assert f"{reason['title']}: {reason['count']}  " in page
        assert reason["example"]["look"] in page
        words = reason["example"]["look"].split("smolville ")[1].split(" --runs")[0].split()
        assert words[:2] == ["trace", "amber"]
        shown = clumsy(*words, "--json").json
        assert reason["example"]["agent"] in shown["metadata"]["agent"]
        assert shown["metadata"]["time"].startswith(reason["example"]["time"])


def test_a_run_with_nothing_in_it_is_told(smolville: Command) -> None:
    assert smolville.live("amber", "--for", "10m", "-q").code == 0
    folder = RunFolder.open(smolville.runs, "amber")
    folder.history_path.unlink()
    with History(folder):
        pass
    said = smolville("health", "amber")
    assert said.out.splitlines() == ["No step has ended yet.", "No call is recorded yet."]
    said = smolville("health", "amber", "--by", "reason")
    assert said.out.splitlines() == ["No step has ended yet."], "not that nothing went wrong"
    assert smolville("health", "amber", "--json").json["total"]["attempts"] == 0
    assert (
        smolville("export", "amber", "--format", "metrics", str(smolville.runs.parent / "m")).code
        == 0
    )
