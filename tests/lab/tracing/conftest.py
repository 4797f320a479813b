"""A morning of people who make mistakes, to be traced."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.tracing.langsmith import tree_sender as lines
from smolville.lab.tracing.span import Span
from smolville.lab.tracing.tree import talk_span, thought_span
from smolville.world.run_request import RunRequest
from tests.fixtures.shared import made_once
from tests.fixtures.small_town import write_small_town
from tests.fixtures.viewing import copied
from tests.fixtures.waiting import HANGING
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
def trees(clumsy: RunFolder) -> list[Span]:
    """Every thought and talk of it."""
    with RunReader(clumsy) as opened:
        found = [thought_span(opened, row.agent, row.tick) for row in opened.thoughts()]
        found += [talk_span(opened, talk.id) for talk in opened.talks()]
    return [each for each in found if each is not None]


@pytest.fixture
def repaired(trees: list[Span]) -> Span:
    """A thought of several steps, one of them repaired."""
    return next(
        each
        for each in trees
        if each.kind == "thought" and each.metadata["outcome"] == "repaired" and each.children[1:]
    )


def everything(root: Span) -> Iterator[Span]:
    """Give a span and all beneath it, parents first."""
    yield root
    for child in root.children:
        yield from everything(child)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a server of these tests answer as late as the machine makes it."""
    for name in ("CONNECT", "ANSWER", "ARRIVED"):
        monkeypatch.setattr(lines, name, HANGING)
