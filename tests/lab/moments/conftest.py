"""A small town that has lived a morning with a model that makes mistakes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.moments.finding import moments_of
from smolville.lab.moments.moment import Moment
from tests.cli.conftest import Command
from tests.fixtures.shared import made_once
from tests.fixtures.small_town import write_small_town
from tests.fixtures.viewing import copied


@pytest.fixture(scope="session")
def runs(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the run `clumsy`; only to be read."""

    def make(made: Path) -> None:
        command = Command(made / "runs", write_small_town(made / "town"))
        words = ("--model", "standin:mistakes=0.6", "--cast", "3", "--for", "12h", "--quiet")
        said = command("run", "clumsy", "--town", str(command.town), *words)
        assert said.code == 0, said.err

    made = made_once(shared, "moments", make)
    return copied(made / "runs", tmp_path_factory.mktemp("moments"))


@pytest.fixture(scope="session")
def reader(runs: Path) -> Iterator[RunReader]:
    """The run's reader."""
    with RunReader(RunFolder.open(runs, "clumsy")) as reader:
        yield reader


@pytest.fixture(scope="session")
def moments(reader: RunReader) -> list[Moment]:
    """All moments of the run."""
    return list(moments_of(reader))
