"""A contest over the lines of a lived morning."""

import pytest

from smolville.lab.judging.contest import Contest
from smolville.lab.moments.moment import Moment
from tests.fixtures.clumsy import clumsy, moments
from tests.fixtures.judging import contest as made

__all__ = ["clumsy", "moments"]


@pytest.fixture
def contest(moments: list[Moment]) -> Contest:
    """Six pairs of different answers."""
    return made(moments)
