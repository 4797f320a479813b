"""Coming back to a town that has lived on since its page was opened."""

from pathlib import Path

from playwright.sync_api import Browser

from tests.fixtures.browser import new_page, when_drawn
from tests.fixtures.viewing import copied, serving

DAY = 86_400
NOW = "[stage.clock.at, stage.clock.playing, stage.selected]"


def test_back_from_why_leads_to_a_moment_that_was_lived_after_the_page_was_opened(
    lived_runs: Path, tmp_path: Path, browser: Browser
) -> None:
    with serving(copied(lived_runs, tmp_path)) as app, new_page(browser) as page:
        page.goto(app.at("/run/town?at=1-12:00&play=0"))
        when_drawn(page, f"stage.replay.until === {DAY}")
        page.get_by_role("button", name="Another day").click()
        when_drawn(page, f"stage.replay.until > {1.5 * DAY}")
        page.keyboard.press("End")
        page.get_by_role("list", name="People in town").get_by_role("button").first.click()
        page.keyboard.press("Space")
        when_drawn(page, "!stage.clock.playing")
        page.get_by_role("tab", name="Thoughts").click()
        left = page.evaluate(NOW)
        assert left[0] > 1.4 * DAY
        page.get_by_role("button", name="Why this thought?").first.click()
        page.wait_for_url("**/why/**")
        page.go_back()
        when_drawn(page)
        assert page.evaluate(NOW) == [int(left[0]), *left[1:]]
