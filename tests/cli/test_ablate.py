"""`smolville ablate`: whole minds beside minds that lack components, each cell a run of its own."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, Said
from tests.cli.test_interrupt import HOUSE, MAIN
from tests.fixtures.waiting import until
from tests.fixtures.warm import warm

SHORT = ("--casts", "2", "--seeds", "0", "--for", "7h", "--study", "reflection;planning,reflection")
NAMES = ["full", "no-reflection", "no-planning-reflection"]


def ablate(command: Command, *words: str) -> Said:
    """Run `smolville ablate WORDS` in the small town, with the stand-in."""
    return command("ablate", *words, "--town", str(command.town), "--model", "standin")


@pytest.fixture(scope="module")
def studied(morning: Command, tmp_path_factory: pytest.TempPathFactory) -> tuple[Command, Any]:
    """A command whose folder holds a short study, and what the study came to; only to be read."""
    command = Command(tmp_path_factory.mktemp("studied"), morning.town)
    said = ablate(command, *SHORT, "--json")
    assert said.code == 0, said.err
    return command, said.json


def cells_in(command: Command, study: str = "ablation") -> list[dict[str, Any]]:
    """The runs of a study, as `smolville runs` lists them."""
    found: list[dict[str, Any]] = Command(command.runs / study, command.town)("runs", "--json").json
    return found


def test_every_cell_is_an_ordinary_run_in_the_studys_folder(studied: tuple[Command, Any]) -> None:
    command, study = studied
    names = [f"{name}-cast2-seed0" for name in NAMES]
    assert [run["run"] for run in study["runs"]] == names and study["finished"]
    rows = cells_in(command)
    assert sorted(row["name"] for row in rows) == sorted(names)
    assert {(row["state"], row["cast"], row["reached"]) for row in rows} == {
        ("finished", 2, "1 07:00")
    }
    assert command("runs", "--json").json == []
    inside = Command(command.runs / "ablation", command.town)
    assert "## Monday 6 May" in inside("timeline", names[0]).out


def test_the_figures_are_those_of_the_run_and_show_what_is_left_out(
    studied: tuple[Command, Any],
) -> None:
    command, study = studied
    whole, _, unplanned = (run["figures"] for run in study["runs"])
    inside = Command(command.runs / "ablation", command.town)
    total = inside("health", study["runs"][0]["run"], "--json").json["total"]
    assert whole["calls"] == total["attempts"] > 0
    assert whole["prompt_tokens"] == total["prompt_tokens"]
    assert whole["reply_tokens"] == total["completion_tokens"]
    assert unplanned["calls"] < whole["calls"]
    assert 0 < whole["activities"] <= whole["actions"]
    (row, *_) = study["per_person"]
    assert row["figures"]["calls"]["mean"] == whole["calls"] / 2
    assert row["figures"]["odd"]["mean"] == whole["odd"]


def test_the_table_names_every_kind_of_mind_and_nothing_is_lived_twice(
    studied: tuple[Command, Any],
) -> None:
    command, study = studied
    before = {path: path.read_bytes() for path in command.runs.glob("*/*/run.log")}
    said = ablate(command, *SHORT)
    assert "3 runs in" in said.err and "3 complete already" in said.err
    assert "Run 1 of 3" not in said.err
    for text in ("2 people", "whole mind", "no planning", "activities", "told apart"):
        assert text in said.out
    assert "…" not in said.out
    assert {path: path.read_bytes() for path in before} == before
    assert ablate(command, *SHORT, "--json").json == study


def test_an_interrupted_study_says_how_to_go_on_and_its_broken_run_goes_on(
    smolville: Command,
) -> None:
    words = ("--casts", "2", "--seeds", "0", "--study", "reflection", "--town", str(smolville.town))
    line = ["ablate", "tried", *words, "--for", "300d", "--model", "standin", "--runs"]
    environment = {**os.environ, "PYTHONPATH": str(HOUSE / "src")}
    with warm(["-c", MAIN, *line, str(smolville.runs)], HOUSE, environment) as process:
        log = smolville.runs / "tried" / "full-cast2-seed0" / "run.log"
        until(lambda: process.returncode or _has_lived(log), "some hours")
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        err = process.stderr
    last = err.strip().splitlines()[-1]
    assert "Traceback" not in err
    assert last.startswith("Interrupted. 0 of 2 runs are complete, and everything up to the last ")
    assert "Go on with: smolville ablate tried --study reflection" in last
    assert "--for 300d" in last and f"--runs {smolville.runs}" in last
    (row,) = cells_in(smolville, "tried")
    assert row["state"] == "paused"
    day = int(row["reached"].split()[0])
    said = ablate(smolville, "tried", *words[:6], "--for", f"{day}d", "--json")
    assert said.code == 0, said.err


def _has_lived(log: Path) -> bool:
    """Return whether a run's log tells of a second hour."""
    return log.exists() and "Mon 6 May 0" in log.read_text()


def test_runs_of_another_model_or_length_are_refused_before_anything_is_lived(
    studied: tuple[Command, Any],
) -> None:
    command, _ = studied
    place = ("--town", str(command.town))
    other = command("ablate", *SHORT, *place, "--model", "standin:mistakes=0.4")
    assert other.code == 2 and other.out == ""
    assert "begun with model standin, not standin:mistakes=0.4" in other.err
    assert "smolville ablate ablation-2" in other.err
    shorter = ablate(command, *SHORT[:4], "--for", "6h", "--study", "reflection")
    assert shorter.code == 2 and "beyond 1 06:00" in shorter.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--study", "wings"), "--study cannot be 'wings'"),
        (("--casts", "17"), "has no cast of 17"),
        (("--seeds", "a"), "--seeds cannot be 'a'"),
        (("--for", "soon"), "--for cannot be 'soon'"),
        (("../x",), "cannot name a run"),
    ],
)
def test_a_wrong_order_is_told_in_one_line_and_leaves_nothing(
    smolville: Command, words: tuple[str, ...], told: str
) -> None:
    said = ablate(smolville, *words)
    assert said.code == 2 and told in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert not smolville.runs.exists()
