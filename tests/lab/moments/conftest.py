"""A small town that has lived a morning with a model that makes mistakes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from history.folder import RunFolder
from history.reader import RunReader
from lab.moments.finding import moments_of
from lab.moments.moment import Moment
from tests.cli.conftest import Command
from tests.fixtures.small_town import write_small_town


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the run `clumsy`; only to be read."""
    folder = tmp_path_factory.mktemp("moments")
    command = Command(folder / "runs", write_small_town(folder / "town"))
    words = ("--model", "standin:mistakes=0.6", "--cast", "3", "--for", "12h", "--quiet")
    said = command("run", "clumsy", "--town", str(command.town), *words)
    assert said.code == 0, said.err
    return command.runs


@pytest.fixture(scope="session")
def reader(runs: Path) -> Iterator[RunReader]:
    """The run's reader."""
    with RunReader(RunFolder.open(runs, "clumsy")) as reader:
        yield reader


@pytest.fixture(scope="session")
def moments(reader: RunReader) -> list[Moment]:
    """All moments of the run."""
    return list(moments_of(reader))
