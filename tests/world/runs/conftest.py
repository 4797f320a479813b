"""A made-up run to write into."""

from pathlib import Path

import pytest

from tests.world.runs.made_up import spec
from world.runs.drafting import new_run
from world.runs.folder import RunFolder


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """The folder of a run that was made and not begun."""
    return new_run(tmp_path / "runs", spec())
