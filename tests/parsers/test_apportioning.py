"""Minutes shared out among subtasks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.parsers.decompose import apportion_minutes, fit_subtasks


@pytest.mark.parametrize(
    ("minutes", "total", "shares"),
    [
        ([60, 60, 50], 180, [60, 60, 60]), ([30, 30], 60, [30, 30]),
        ([10, 20, 40], 60, [10, 15, 35]), ([1, 1, 58], 60, [5, 5, 50]),
        ([20, 20], 43, [23, 20]), ([2, 1], 4, [3, 1]), ([90, 90], 120, [60, 60]),
        ([90], 90, None), ([5] * 12, 50, None), ([], 30, None), ([60, 60], 123, None),
    ],
)  # fmt: skip
def test_minutes_are_scaled_to_the_total_if_they_can_be(
    minutes: list[int], total: int, shares: list[int] | None
) -> None:
    assert apportion_minutes(minutes, total) == shares


@given(st.lists(st.integers(1, 180), min_size=1, max_size=12), st.integers(1, 600))
def test_shares_add_up_and_stay_in_bounds(minutes: list[int], total: int) -> None:
    shares = apportion_minutes(minutes, total)
    if shares is not None:
        assert sum(shares) == total
        assert len(shares) == len(minutes)
        assert all(min(5, total) <= share <= 60 or total < 5 for share in shares)
        assert sum(share % 5 != 0 for share in shares) <= 1 or total < 5


@given(st.lists(st.integers(1, 600), min_size=1, max_size=12), st.integers(1, 480))
def test_any_steps_fill_any_block_in_their_order(minutes, total):
    found = fit_subtasks(minutes, total)
    if found is None:
        return
    places, shares = zip(*found, strict=True)
    assert sum(shares) == total and list(places) == sorted(places)
    assert all(min(total, 5) <= share <= 60 for share in shares)
