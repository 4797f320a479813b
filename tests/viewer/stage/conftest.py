"""A small server for the tests of the town page: one a file, a new replay for each test."""

from collections.abc import Iterator

import pytest

from tests.viewer.stage.small_stage import SmallServer, head, small_server, tracks


@pytest.fixture(scope="module")
def server() -> Iterator[SmallServer]:
    """A server whose replay a test may exchange."""
    with small_server() as running:
        yield running


@pytest.fixture
def small(server: SmallServer) -> SmallServer:
    """The server with the finished replay."""
    server.begin(head(), tracks())
    return server
