"""One browser, one lived run and one served app for the tests of a module."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.fixtures.browser import chromium, new_page
from tests.fixtures.viewing import Served, lived, serving


@pytest.fixture(scope="session")
def lived_runs(shared: Path) -> Path:
    """A folder with the run `town`: a day of three agents in the shipped town; only to be read."""
    return lived(shared, "town")


@pytest.fixture(scope="module")
def served(lived_runs: Path) -> Iterator[Served]:
    """The app over `lived_runs`, for the tests of a module."""
    with serving(lived_runs) as app:
        yield app


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module."""
    with chromium() as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page that fails the test when it complains or asks another machine."""
    with new_page(browser) as fresh:
        yield fresh
