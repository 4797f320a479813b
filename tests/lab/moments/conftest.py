"""A small town that has lived a morning with a model that makes mistakes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from tests.fixtures.clumsy import clumsy, moments

__all__ = ["clumsy", "moments"]


@pytest.fixture(scope="session")
def reader(clumsy: Path) -> Iterator[RunReader]:
    """The run's reader."""
    with RunReader(RunFolder.open(clumsy, "clumsy")) as reader:
        yield reader
