"""Towns and lives that many of these tests look at: each is lived once."""

from pathlib import Path

import pytest

from history.folder import RunFolder
from tests.fixtures.llamacpp import llamacpp_url, tiny_gguf
from tests.fixtures.ollama_server import ollama_server
from tests.fixtures.small_town import write_small_town
from tests.whole.lives import DAY, lived
from tests.whole.visits import MORNING
from world.run_request import RunRequest

__all__ = ["llamacpp_url", "ollama_server", "tiny_gguf"]


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small town."""
    return write_small_town(tmp_path_factory.mktemp("towns") / "small_town")


@pytest.fixture(scope="session")
def small(town: Path) -> RunRequest:
    """The small town's three people, as they are asked for in most tests."""
    return RunRequest(town=town, cast=3)


@pytest.fixture(scope="session")
def day(tmp_path_factory: pytest.TempPathFactory, small: RunRequest) -> RunFolder:
    """A whole day in the small town, undisturbed; for reading only."""
    return lived(tmp_path_factory.mktemp("undisturbed"), "day", small, DAY)


@pytest.fixture(scope="session")
def morning(tmp_path_factory: pytest.TempPathFactory, small: RunRequest) -> RunFolder:
    """The small town until ten, undisturbed; runs that are visited begin here."""
    return lived(tmp_path_factory.mktemp("visits"), "morning", small, MORNING)
