"""Signs of drift in a real browser: on the story and on the model's page, with the reason."""

import sqlite3
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.fixtures.viewing import copied, serving


def test_signs_of_drift_are_told_with_their_reason_where_one_reads(
    lived_runs: Path, tmp_path: Path, page: Page
) -> None:
    runs = copied(lived_runs, tmp_path)
    history = sqlite3.connect(runs / "town" / "town.sqlite")
    with history:
        history.execute("UPDATE calls SET cuts = 1 WHERE step = 'plan_day'")
        history.execute(
            "UPDATE deeds SET outcome = 'refused', reason = 'It is taken.' "
            "WHERE agent = 'Walter Brandt'"
        )
    history.close()
    with serving(runs) as served:
        page.goto(served.at("/run/town/story"))
        alarms = page.locator(".alarms")
        expect(alarms).to_contain_text("Signs that this run drifts")
        refused = alarms.get_by_role("listitem").filter(has_text="People who get nowhere")
        expect(refused).to_contain_text("times in a row, first on day 1")
        expect(refused).to_contain_text("It is taken.")
        address = refused.get_by_role("link").get_attribute("href") or ""
        assert "at=1-" in address and "who=Walter" in address
        page.goto(served.at("/run/town/story?who=Nadia+Farouk"))
        expect(alarms.get_by_text("were shortened")).to_be_visible()
        expect(alarms.get_by_text("It is taken.")).to_have_count(0)
        page.goto(served.at("/run/town/charts"))
        expect(alarms).to_contain_text("prompts of plan_day (100 %) hardly fit the context")
        expect(alarms.get_by_role("listitem")).to_have_count(1)
