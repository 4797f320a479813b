"""A template edited while a run lives."""

import os
import signal
from pathlib import Path

import pytest

from smolville.agents.errors import RunError
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from tests.cli.conftest import Command
from tests.cli.own_templates import FILE, STEP, edits, log, shown, text
from tests.cli.test_interrupt import HOUSE, MAIN
from tests.fixtures.waiting import until
from tests.fixtures.warm import warm


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / FILE).write_text(text())
    return folder


def test_a_real_run_takes_in_an_edit_while_it_lives(smolville: Command, mine: Path) -> None:
    words = ("--town", str(smolville.town), "--model", "standin", "--agents", "Ada,Ben,Cora")
    line = ["-c", MAIN, "run", "amber", *words, "--for", "900d", "--runs", smolville.runs]
    around = {**os.environ, "PYTHONPATH": str(HOUSE / "src")}
    with warm([*line, "--prompts", mine], HOUSE, around) as process:
        until(lambda: _has_lived(smolville.runs), "a morning")
        _put(mine, text("Think of the {{ moon }}."))
        until(lambda: "Edit not taken" in log(smolville, "amber"), "the refusal")
        _put(mine, text("Think of the moon."))
        until(lambda: edits(smolville.runs, "amber"), "the edit")
        ((tick, _),) = edits(smolville.runs, "amber")
        until(lambda: _templates_from(smolville.runs, tick), "a call by the new template")
        process.send_signal(signal.SIGTERM)
        process.wait()
        err = process.stderr
    (version,) = _templates_from(smolville.runs, tick)
    assert f" on: {FILE}." in err
    refused = [each for each in err.splitlines() if each.startswith("Edit not taken: ")]
    assert len(refused) == 1
    assert f"{FILE}, line " in refused[0]
    assert "`moon`" in refused[0]
    assert {mark for template, mark in shown(smolville.runs, "amber") if template == version} == {
        False
    }
    assert (version, True) in shown(smolville.runs, "amber", "Think of the moon.")


def _put(folder: Path, words: str) -> None:
    """Write the file in one go: however busy the machine is, nobody reads half of it."""
    fresh = folder / "fresh"
    fresh.write_text(words)
    fresh.replace(folder / FILE)


def _has_lived(runs: Path) -> bool:
    """Whether a whole morning of the run is there."""
    if not (runs / "amber" / "town.sqlite").exists():
        return False
    try:
        with RunReader(RunFolder.open(runs, "amber")) as reader:
            return (reader.watermark() or 0) > 10 * 360
    except RunError:
        # The file is there a moment before its tables are.
        return False


def _templates_from(runs: Path, tick: int) -> set[str]:
    """The templates of the step's calls that were put from a tick on."""
    with RunReader(RunFolder.open(runs, "amber")) as reader:
        query = "SELECT DISTINCT template FROM committed_calls WHERE step = ? AND tick >= ?"
        return {row[0] for row in reader.connection.execute(query, (STEP, tick))}
