"""The page of charts in a real browser, beside a run that goes on."""

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


def test_each_chart_has_its_table_and_follows_what_is_committed(served: Served, page: Page) -> None:
    page.goto(served.at("/run/town/charts"))
    history = sqlite3.connect(served.runs / "town" / "town.sqlite")
    (steps,) = history.execute("SELECT COUNT(*) FROM steps").fetchone()
    total = page.locator(".sums dd").first
    expect(total).to_have_text(f"{steps:,}")
    figures = page.locator(".figure")
    where = f"--runs {served.runs}"
    assert figures.count() == 8
    first = figures.first
    expect(first.locator("svg")).to_contain_text("plan_day")
    assert first.locator("pattern").count() > 0, "colours are told apart by patterns too"
    first.get_by_text("The same as a table").focus()
    page.keyboard.press("Enter")
    row = first.locator("tr", has=page.get_by_role("rowheader", name="plan_day"))
    expect(row.locator("td").first).to_have_text("3")
    expect(first.locator("code").first).to_contain_text("smolville moments town")
    expect(page.locator(".figure", has_text="What went wrong")).to_be_visible()
    found = Axe().run(page).response["violations"]
    assert not [each for each in found if each["impact"] in ("serious", "critical")]
    with history:
        history.execute(
            "UPDATE steps SET outcome = 'fallback' WHERE "
            "step = 'plan_day' AND ordinal = 0 AND agent = 'Nadia Farouk'"
        )
        history.execute(
            "UPDATE steps SET odd = '[\"At nine.\"]', odd_kinds = '[\"hours\"]' WHERE "
            "step = 'plan_day' AND agent = 'Walter Brandt'"
        )
    history.close()
    expect(first.locator("code").first).to_have_text(
        f"smolville moments town --step plan_day --outcome fallback {where}"
    )
    expect(first.locator("code").nth(1)).to_have_text(
        f"smolville moments town --step plan_day --odd any {where}"
    )
    # Another command is another figure, whose table is closed.
    first.get_by_text("The same as a table").click()
    expect(row.locator("td").nth(6)).to_have_text("33.3 %")
    expect(row.locator("td").last).to_have_text("1 hours")
    expect(page.locator(".sums dd").nth(6)).to_contain_text("1 (")
    expect(page.locator(".sums dd").nth(5)).to_contain_text("1 (")
