"""The small town, read."""

from pathlib import Path

import pytest

from smolville.world.town.paths import Paths
from smolville.world.town.town import Town
from smolville.world.town.townmap import TownMap
from tests.fixtures.small_town import small_town

__all__ = ["small_town"]


@pytest.fixture
def town(small_town: Path) -> Town:
    """The small town, loaded."""
    return Town.load(small_town)


@pytest.fixture
def town_map(town: Town) -> TownMap:
    """Its map."""
    return town.map


@pytest.fixture
def paths(town: Town) -> Paths:
    """Ways through it."""
    return town.paths
