"""Runs whose replay is read, lived or made up, and the replay's addresses in this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from smolville.history.folder import RunFolder
from smolville.viewer.config import AppConfig
from smolville.viewer.playback import routes
from smolville.viewer.playback.reader import ReplayReader
from tests.fixtures.crowd import make_up
from tests.fixtures.loopback import serve
from tests.fixtures.waiting import HANGING

TOWNS = routes.drawn_towns()
"""The towns of all these tests, drawn once."""


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Ten made-up people over two hours; only to be read."""
    return make_up(tmp_path_factory.mktemp("made"), "made", agents=10, hours=2)


@pytest.fixture(scope="session")
def town_run(lived_runs: Path) -> RunFolder:
    """A day that the stand-in lived with three people; only to be read."""
    return RunFolder.open(lived_runs, "town")


@dataclass
class Asked:
    """The replay's addresses, answered by a thread of this process."""

    client: httpx.Client

    def json(self, address: str, status: int = 200) -> Any:
        """Return what an address answers."""
        answer = self.client.get(address)
        assert answer.status_code == status, answer.text
        return answer.json()


@contextmanager
def answering(runs: Path) -> Iterator[Asked]:
    """Answer for a folder of runs while the block runs."""
    app = FastAPI()
    config = AppConfig(runs=runs, minds=lambda *_: pytest.fail("no model is asked"))
    routes.add(app, config)
    with (
        serve(app) as root,
        httpx.Client(base_url=root, timeout=HANGING, trust_env=False) as client,
    ):
        yield Asked(client)


def head(folder: RunFolder) -> Any:
    """Return a run's head."""
    with ReplayReader(folder, TOWNS) as reader:
        return reader.head()


def tracks(folder: RunFolder, since: int = -1, until: int | None = None) -> Any:
    """Return a run's tracks."""
    with ReplayReader(folder, TOWNS) as reader:
        return reader.tracks(since, until)
