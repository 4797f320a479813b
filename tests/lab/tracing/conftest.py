"""A morning of people who make mistakes, to be traced."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.tracing.listing import TraceRow, list_traces
from smolville.lab.tracing.tree import Span, tree_of
from smolville.world.run_request import RunRequest
from tests.fixtures.shared import made_once
from tests.fixtures.small_town import write_small_town
from tests.fixtures.viewing import copied
from tests.whole.lives import HOUR, begin, live, standin


@pytest.fixture(scope="session")
def clumsy(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """The run `clumsy`, lived until 13:00 by a model that makes mistakes; only to be read."""

    def make(made: Path) -> None:
        chat = standin(spec="standin:mistakes=0.3")
        asked = RunRequest(town=write_small_town(made / "town"), cast=3)
        live(begin(made / "runs", "clumsy", asked, chat), 13 * HOUR, chat)

    made = made_once(shared, "traced", make)
    return RunFolder.open(copied(made / "runs", tmp_path_factory.mktemp("traced")), "clumsy")


@pytest.fixture
def reader(clumsy: RunFolder) -> Iterator[RunReader]:
    """The run's history."""
    with RunReader(clumsy) as opened:
        yield opened


@pytest.fixture(scope="session")
def rows(clumsy: RunFolder) -> list[TraceRow]:
    """Every thought and talk of it, as listed."""
    with RunReader(clumsy) as opened:
        return list_traces(opened)


@pytest.fixture(scope="session")
def trees(clumsy: RunFolder, rows: list[TraceRow]) -> list[Span]:
    """Every thought and talk of it."""
    with RunReader(clumsy) as opened:
        found = [tree_of(opened, row.key) for row in rows]
    return [each for each in found if each is not None]


@pytest.fixture
def repaired(trees: list[Span]) -> Span:
    """A thought of several steps, one of them repaired."""

    def steps(tree: Span) -> int:
        return sum(each.kind == "step" for each in tree.children)

    wanted = (each for each in trees if each.metadata["outcome"] == "repaired")
    return next(each for each in wanted if each.kind == "thought" and steps(each) > 1)
