"""The page of charts in a real browser."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.fixtures.odd_answers import unmark_odd
from tests.fixtures.viewing import Served, copied, serving


@pytest.fixture(scope="module")
def served(lived_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over a lived run that can be written to."""
    runs = copied(lived_runs, tmp_path_factory.mktemp("charts"))
    unmark_odd(runs / "town")
    with serving(runs) as app:
        yield app


def test_each_chart_is_a_table_with_bars(served: Served, page: Page) -> None:
    history = sqlite3.connect(served.runs / "town" / "town.sqlite")
    with history:
        history.execute(
            "UPDATE steps SET outcome = 'fallback' WHERE "
            "step = 'plan_day' AND ordinal = 0 AND agent = 'Nadia Farouk'"
        )
        history.execute(
            "UPDATE steps SET odd = '[\"At nine.\"]', odd_kinds = '[\"hours\"]' WHERE "
            "step = 'plan_day' AND agent = 'Walter Brandt'"
        )
    (steps,) = history.execute("SELECT COUNT(*) FROM steps").fetchone()
    history.close()
    page.goto(served.at("/run/town/charts"))
    total = page.locator(".sums dd").first
    expect(total).to_have_text(f"{steps:,}")
    figures = page.locator(".figure")
    assert figures.count() == 4
    row = figures.first.locator("tr", has=page.get_by_role("rowheader", name="plan_day"))
    expect(row.locator("td").first).to_have_text("3")
    bar = row.locator(".end-clean")
    assert bar.evaluate("(each) => each.offsetWidth") > 0
    expect(page.locator(".figure", has_text="What went wrong")).to_be_visible()
    found = Axe().run(page).response["violations"]
    assert not [each for each in found if each["impact"] in ("serious", "critical")]
    expect(row.locator("td").nth(6)).to_have_text("33.3 %")
    expect(row.locator("td").last).to_have_text("1 hours")
    expect(page.locator(".sums dd").nth(6)).to_contain_text("1 (")
    expect(page.locator(".sums dd").nth(5)).to_contain_text("1 (")
