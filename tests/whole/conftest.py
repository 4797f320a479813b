"""Towns and lives that many of these tests look at: each is lived once."""

from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.world.run_request import RunRequest
from tests.fixtures.llamacpp import llamacpp_url, tiny_gguf
from tests.fixtures.ollama_server import ollama_server
from tests.fixtures.shared import made_once
from tests.fixtures.small_town import write_small_town
from tests.fixtures.viewing import copied
from tests.whole.golden_lives import LIVES
from tests.whole.lives import AFTERNOON, lived
from tests.whole.visits import MORNING

__all__ = ["llamacpp_url", "ollama_server", "tiny_gguf"]


@pytest.fixture(scope="session")
def town(shared: Path) -> Path:
    """The folder of the small town; to be read only."""
    name = "small_town"
    return made_once(shared, name, lambda made: write_small_town(made / name)) / name


@pytest.fixture(scope="session")
def small(town: Path) -> RunRequest:
    """The small town's three people, as they are asked for in most tests."""
    return RunRequest(town=town, cast=3)


@pytest.fixture(scope="session")
def day(shared: Path, tmp_path_factory: pytest.TempPathFactory, small: RunRequest) -> RunFolder:
    """The small town until the afternoon, undisturbed; for reading only."""
    made = made_once(shared, "day", lambda made: lived(made / "runs", "day", small, AFTERNOON))
    return RunFolder.open(copied(made / "runs", tmp_path_factory.mktemp("undisturbed")), "day")


@pytest.fixture(scope="session")
def morning(shared: Path, tmp_path_factory: pytest.TempPathFactory, small: RunRequest) -> RunFolder:
    """The small town until ten, undisturbed; runs that are visited begin here."""
    name = "morning"
    made = made_once(shared, name, lambda made: lived(made / "runs", name, small, MORNING))
    return RunFolder.open(copied(made / "runs", tmp_path_factory.mktemp("visits")), name)


@pytest.fixture(scope="session")
def shipped_day(shared: Path) -> RunFolder:
    """The life `shipped`, a day of five in the shipped town; for reading only."""
    made = made_once(shared, "shipped", lambda made: LIVES["shipped"].lived(made, "shipped"))
    return RunFolder.open(made, "shipped")


@pytest.fixture(scope="session")
def small_day(shared: Path) -> RunFolder:
    """The life `small`, a whole day; for reading only."""
    made = made_once(shared, "small", lambda made: LIVES["small"].lived(made, "small"))
    return RunFolder.open(made, "small")


@pytest.fixture(scope="session")
def two_days(shared: Path) -> RunFolder:
    """The life `small-two-days`; for reading only."""
    name = "small-two-days"
    made = made_once(shared, name, lambda made: LIVES[name].lived(made, name))
    return RunFolder.open(made, name)
