"""A small town, a run of it, and a folder of templates."""

from pathlib import Path

import pytest

from smolville.graphs.components import ROUTINES
from smolville.graphs.loop.rules import Rules
from smolville.history.folder import RunFolder
from smolville.prompts.folder import shipped_texts
from smolville.world.run_request import RunRequest
from tests.fixtures.small_town import write_small_town
from tests.whole.lives import begin
from tests.world.editing.editor import Mine


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> RunRequest:
    """Without routines, its people ask how to split their hours again and again."""
    town = write_small_town(tmp_path_factory.mktemp("towns") / "small")
    return RunRequest(town=town, cast=2, rules=Rules(without=(ROUTINES.name,)))


@pytest.fixture
def mine(tmp_path: Path) -> Mine:
    folder = tmp_path / "mine"
    folder.mkdir()
    made = Mine(folder)
    made.write(shipped_texts()["say.jinja"], "say.jinja")
    return made


@pytest.fixture
def folder(tmp_path: Path, small: RunRequest) -> RunFolder:
    return begin(tmp_path / "runs", "amber", small)
