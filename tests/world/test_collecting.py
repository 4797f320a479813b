"""While a run lives, the garbage collector leaves the town alone."""

import gc
from collections.abc import Iterator

import pytest

from smolville.world.simulation import SELDOM, collecting_seldom


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
def test_a_process_in_which_it_comes_as_seldom_already_keeps_its_rule() -> None:
    gc.set_threshold(50_000, 5, 5)
    with collecting_seldom():
        assert gc.get_threshold() == (50_000, 5, 5)
        assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == (50_000, 5, 5)
