"""Two runs that share their morning, for all tests of a comparison."""

from pathlib import Path

import pytest

from smolville.history.cut import fork
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.world.run_request import RunRequest
from tests.fixtures.small_town import write_small_town
from tests.whole.lives import HOUR, live, lived

NOON = 12 * HOUR


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, the same once more, and a fork of it in which somebody heard something at noon."""
    place = tmp_path_factory.mktemp("parting")
    town = write_small_town(place / "town")
    asked = RunRequest(town=town, cast=2)
    lived(place / "runs", "one", asked, 15 * HOUR)
    lived(place / "runs", "again", asked, 15 * HOUR)
    folder = fork(place / "runs", "one", "other", NOON // 10 - 1)
    with Inbox(folder) as inbox:
        inbox.put(
            OperatorRequest(
                kind="whisper", target=folder.spec.cast[0], text="Go for a long swim now"
            )
        )
    live(folder, 14 * HOUR)
    return place / "runs"
