"""Runs that are begun from a page: looked after while they live, and ended with the app."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from smolville.agents.errors import RunError
from smolville.history.folder import RunFolder, owner_of
from smolville.history.progress_file import read_pulse
from smolville.history.reader import RunReader
from smolville.viewer.config import AppConfig
from smolville.viewer.serving.children import StartedProcess, children_of, ended_with
from tests.fixtures.viewing import MAIN, surroundings
from tests.fixtures.waiting import HANGING, until

TOWN = ("--model", "standin", "--cast", "3")


def nobody(*_: Any) -> Any:
    raise AssertionError("no model is asked here")


def config(runs: Path, *command: str) -> AppConfig:
    words = command or (sys.executable, "-c", MAIN)
    return AppConfig(runs=runs, minds=nobody, command=words, env=surroundings())


def lives_on(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def pulse(runs: Path, name: str) -> dict[str, Any]:
    """The pulse of a run; empty where there is none yet."""
    try:
        return read_pulse(RunFolder.open(runs, name)) or {}
    except RunError:
        return {}


def until_it_lives(runs: Path, child: StartedProcess) -> None:
    """Wait until something has happened in a run."""
    until(lambda: pulse(runs, child.name).get("done") or not child.lives, "a thought")
    assert child.lives, child.said


def test_a_run_is_begun_interrupted_and_gone_on_with(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    place = config(runs)
    with ended_with(place):
        children = children_of(place)
        child = children.begin("first", *TOWN, "--for", "900d")
        until_it_lives(runs, child)
        assert children.of("first") is child
        assert owner_of(RunFolder.open(runs, "first")) == str(child.process.pid)
        child.process.send_signal(signal.SIGINT)
        assert child.wait(HANGING) == 130
        assert "Interrupted; everything up to the last commit is saved." in child.said[-1]
        assert children.of("first") is None
        again = children.begin("first", "--resume", "--for", "900d")
        until_it_lives(runs, again)
    assert not again.lives
    assert not lives_on(again.process.pid)
    with RunReader(RunFolder.open(runs, "first")) as reader:
        assert reader.watermark() is not None


def test_a_name_that_is_an_option_is_refused(tmp_path: Path) -> None:
    place = config(tmp_path)
    with ended_with(place), pytest.raises(RunError, match="cannot name a run"):
        children_of(place).begin("--overwrite")
