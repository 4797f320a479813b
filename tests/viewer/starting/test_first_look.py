"""The first page of whoever has no run: recorded days, and a day of the stand-in's."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from smolville.history.folder import RunFolder
from smolville.history.sample import SAMPLES
from smolville.reports.runs import describe_recording
from tests.fixtures.viewing import Served, serving


@pytest.fixture
def empty(tmp_path: Path, browser: Browser) -> Iterator[Served]:
    """The app over a folder without any run."""
    with serving(tmp_path / "runs") as served:
        yield served


def test_recorded_days_are_watched_and_a_day_of_the_standin_begun(
    empty: Served, page: Page
) -> None:
    abouts = {name: describe_recording(RunFolder.open(empty.runs, name)) for name in SAMPLES}
    for name, about in abouts.items():
        page.goto(empty.address)
        for each in abouts.values():
            expect(page.get_by_text(each)).to_be_visible()
        expect(
            page.get_by_text("the built-in stand-in (rules, no model) thinks for them, in seconds")
        ).to_be_visible()
        page.get_by_role("link", name=f"Watch {name}", exact=True).press("Enter")
        page.wait_for_url(re.compile(rf"/run/{name}(\?|$)"))
        page.locator("#stage canvas").first.wait_for()
        expect(page.get_by_text(about)).to_be_visible()
        expect(page.get_by_role("button", name="Fork here")).to_be_visible()
        for action in ("Take part", "Pause run", "Go on", "Another day"):
            expect(page.get_by_role("button", name=action)).to_be_hidden()
    page.goto(empty.address)
    page.get_by_role("button", name="Let them live a day").press("Enter")
    page.wait_for_url("**/run/*-*")
    page.locator("#stage canvas").first.wait_for()
    page.goto(empty.at("/start"))
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    for name, about in abouts.items():
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
        expect(page.get_by_text(about)).to_have_count(0)
