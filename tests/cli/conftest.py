"""A small town that has lived a morning, and the command to look at it with."""

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from smolville.cli.app import command
from tests.fixtures.shared import made_once
from tests.fixtures.small_town import small_town, write_small_town
from tests.fixtures.viewing import copied

__all__ = ["small_town"]

SEED = "3"
"""With which Ada talks with Cora and with Ben in the morning, and nobody comes or closes."""
HOURS = "13h"
"""Everybody is up by then, and has met somebody."""


@dataclass(frozen=True)
class Said:
    """What a call of the command said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, read as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Command:
    """The command, on one folder of runs and one town."""

    runs: Path
    town: Path

    def __call__(self, *words: str, stdin: str = "") -> Said:
        """Run `smolville WORDS --runs ...`."""
        with CliRunner().isolation(input=stdin) as (out, err, _):
            with pytest.raises(SystemExit) as end:
                command().main([*words, "--runs", str(self.runs)], prog_name="smolville")
            sys.stdout.flush()
            sys.stderr.flush()
            return Said(int(end.value.code or 0), out.getvalue().decode(), err.getvalue().decode())

    def digest(self, name: str) -> str:
        """Return the hash of a run's history."""
        said = self("compare", name, "--digest")
        assert said.code == 0, said.err
        return said.out.strip()

    def live(self, name: str, *words: str) -> Said:
        """Begin a run of two people in the small town."""
        who = () if "--cast" in words or "--agents" in words else ("--cast", "2")
        model = () if "--model" in words else ("--model", "standin")
        return self("run", name, "--town", str(self.town), *model, *who, *words)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Away from the settings that whoever runs the tests may have for runs of their own."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("SMOLVILLE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("SMOLVILLE_HEADLESS", "true")


@pytest.fixture(scope="session")
def morning(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A command whose folder holds the run `amber`; only to be read."""

    def make(made: Path) -> None:
        command = Command(made / "runs", write_small_town(made / "town"))
        said = command.live("amber", "--for", HOURS, "--cast", "3", "--seed", SEED, "--quiet")
        assert said.code == 0, said.err

    made = made_once(shared, "command", make)
    return Command(copied(made / "runs", tmp_path_factory.mktemp("lived")), made / "town")


@pytest.fixture
def smolville(tmp_path: Path, small_town: Path) -> Command:
    """A command with a town and no run yet."""
    return Command(tmp_path / "runs", small_town)


@pytest.fixture
def lived(morning: Command, tmp_path: Path) -> Command:
    """A command whose folder holds its own copy of the run `amber`."""
    shutil.copytree(morning.runs, tmp_path / "runs")
    return Command(tmp_path / "runs", morning.town)


@pytest.fixture(scope="module")
def clumsy(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A command whose folder holds `amber`, lived by a model that makes mistakes."""

    def make(made: Path) -> None:
        command = Command(made / "runs", write_small_town(made / "town"))
        words = ("--town", str(command.town), "--model", "standin:mistakes=0.6")
        said = command("run", "amber", *words, "--for", "11h", "--quiet")
        assert said.code == 0, said.err

    made = made_once(shared, "clumsy-command", make)
    return Command(copied(made / "runs", tmp_path_factory.mktemp("clumsy")), made / "town")
