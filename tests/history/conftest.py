"""A made-up run to write into."""

from pathlib import Path

import pytest

from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from tests.history.made_up import spec


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """The folder of a run that was made and not begun."""
    return new_run(tmp_path / "runs", spec())
