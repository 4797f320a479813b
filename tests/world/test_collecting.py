"""While a run lives, the garbage collector leaves the town alone."""

import gc
from collections.abc import Iterator

import pytest

from world.simulation import SELDOM, collecting_seldom


@pytest.fixture
def unfrozen() -> Iterator[None]:
    """A collector as Python starts with it: the tests' own rule is put back afterwards."""
    ours = gc.get_threshold()
    gc.unfreeze()
    gc.set_threshold(700, 10, 10)
    yield
    gc.freeze()
    gc.set_threshold(*ours)


@pytest.mark.usefixtures("unfrozen")
def test_while_a_run_lives_the_collector_comes_seldom_and_afterwards_as_before() -> None:
    with collecting_seldom():
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold() == SELDOM
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.usefixtures("unfrozen")
def test_a_process_that_has_made_its_own_rule_keeps_it() -> None:
    gc.freeze()
    with collecting_seldom():
        assert gc.get_threshold() == (700, 10, 10)
    assert gc.get_freeze_count() > 0
