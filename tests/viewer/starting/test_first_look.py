"""The first page of whoever has no run: a recorded day, and a day of the stand-in's."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from history.folder import RunFolder
from history.sample import SAMPLE
from reports.runs import describe_recording
from tests.fixtures.viewing import Served, serving


@pytest.fixture
def empty(tmp_path: Path, browser: Browser) -> Iterator[Served]:
    """The app over a folder without any run."""
    with serving(tmp_path / "runs") as served:
        yield served


def test_a_recorded_day_is_watched_and_a_day_of_the_standin_begun(
    empty: Served, page: Page
) -> None:
    about = describe_recording(RunFolder.open(empty.runs, SAMPLE))
    page.goto(empty.address)
    expect(page.get_by_text(about)).to_be_visible()
    expect(
        page.get_by_text("the built-in stand-in (rules, no model) thinks for them, in seconds")
    ).to_be_visible()
    page.get_by_role("link", name="Watch it").press("Enter")
    page.wait_for_url("**/run/sample*")
    page.locator("#stage canvas").first.wait_for()
    expect(page.get_by_text(about)).to_be_visible()
    expect(page.get_by_role("button", name="Fork here")).to_be_visible()
    for name in ("Take part", "Pause run", "Go on", "Another day"):
        expect(page.get_by_role("button", name=name)).to_be_hidden()
    page.goto(empty.address)
    page.get_by_role("button", name="Let them live a day").press("Enter")
    page.wait_for_url("**/run/*-*")
    page.locator("#stage canvas").first.wait_for()
    page.goto(empty.at("/start"))
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    expect(page.get_by_role("link", name="A recorded day")).to_be_visible()
    expect(page.get_by_text(about)).to_have_count(0)
