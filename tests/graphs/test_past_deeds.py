"""Own deeds in prompts are told as past ones."""

import pytest

from smolville.graphs.context import as_done


@pytest.mark.parametrize(
    ("activity", "told"),
    [
        ("kneading dough", "was kneading dough"),
        ("on the way to Bell Hall for singing", "went to Bell Hall for singing"),
    ],
)
def test_a_walk_is_told_as_made(activity: str, told: str) -> None:
    assert as_done(activity) == told
