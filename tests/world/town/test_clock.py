"""Ticks of any length."""

from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.times import Clock

TICKS = [1, 7, 10, 60, 600]


@given(st.sampled_from(TICKS) | st.integers(1, 5000), st.integers(0, 100_000))
def test_nobody_comes_farther_in_one_tick_than_the_farthest(tick_seconds: int, tick: int) -> None:
    clock = Clock(tick_seconds)
    step = clock.tiles_walked(tick + 1) - clock.tiles_walked(tick)
    assert 0 <= step <= clock.tiles_per_tick


@given(st.sampled_from(TICKS) | st.integers(1, 5000), st.integers(0, 1_000_000))
def test_a_moment_is_met_by_the_first_tick_at_or_after_it(tick_seconds: int, at: int) -> None:
    clock = Clock(tick_seconds)
    tick = clock.tick_at(at)
    assert clock.at(tick) >= at > clock.at(tick - 1)


@given(st.sampled_from(TICKS) | st.integers(1, 5000), st.integers(0, 10_000))
def test_a_walk_takes_the_fewest_ticks_that_walk_its_tiles(tick_seconds: int, tiles: int) -> None:
    clock = Clock(tick_seconds)
    ticks = clock.ticks_to_walk(tiles)
    assert clock.tiles_walked(ticks) >= tiles
    assert ticks == 0 or clock.tiles_walked(ticks - 1) < tiles
