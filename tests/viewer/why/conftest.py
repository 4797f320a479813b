"""Runs whose thoughts are looked at: careless, given up, and hostile ones."""

import shutil
from pathlib import Path

import pytest

from smolville.graphs.loop.rules import Rules
from smolville.world.run_request import RunRequest
from tests.fixtures.odd_answers import make_odd
from tests.fixtures.shared import made_once
from tests.fixtures.small_town import write_small_town
from tests.viewer.why.hostile import poison
from tests.whole.lives import HOUR, begin, live, standin

SPEC = "standin:mistakes=0.5"
SEED = 3


@pytest.fixture(scope="session")
def runs(shared: Path) -> Path:
    """A folder with the runs `clumsy`, `given_up` (no repairs), `hostile` and `odd`; to be read."""
    return made_once(shared, "why", _live) / "runs"


def _live(folder: Path) -> None:
    town = write_small_town(folder / "town")
    for name, repairs, until in (("clumsy", 1, 12), ("given_up", 0, 9)):
        chat = standin(SEED, SPEC)
        asked = RunRequest(town=town, cast=3, seed=SEED, rules=Rules(repairs=repairs))
        live(begin(folder / "runs", name, asked, chat), until * HOUR, chat)
    shutil.copytree(folder / "runs" / "clumsy", folder / "runs" / "hostile")
    poison(folder / "runs" / "hostile" / "town.sqlite")
    shutil.copytree(folder / "runs" / "clumsy", folder / "runs" / "odd")
    make_odd(folder / "runs" / "odd", "plan_day", "hours", "repeat")
    make_odd(folder / "runs" / "odd", "say", "repeat")
