"""In which order tests are run: what takes longest first.

A worker takes whole files; one that were given a long file last would be left alone with it.
"""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LONGEST = ("whole", "test_readme.py", "viewer", "lab", "cli", "world", "benchmarks", "models")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of the slow rooms first; within a room they keep their order."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    room = item.path.relative_to(TESTS).parts[0]
    return LONGEST.index(room) if room in LONGEST else len(LONGEST)
