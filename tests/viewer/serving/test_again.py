"""Coming back: to a server that begins again, and to a town that has lived on."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.fixtures.browser import new_page, when_drawn
from tests.fixtures.loopback import free_port
from tests.fixtures.viewing import copied, serving

NOON = 12 * 3600
LOST = ("ERR_", "WebSocket", "403")
"""What a browser says of a server that is away."""
AWAY = "The server is away; trying again."


def test_a_page_goes_on_at_its_moment_when_the_server_is_there_again(
    browser: Browser, lived_runs: Path
) -> None:
    where = ("--port", str(free_port()), "--token", "kept")
    with new_page(browser, expected=LOST) as page:
        with serving(lived_runs, "town", *where) as served:
            page.goto(served.at("/run/town?at=1-12:00&speed=4&play=1&who=Walter+Brandt"))
            when_drawn(page, f"stage.clock.at > {NOON} + 30")
            page.get_by_role("button", name="Pause", exact=True).click()
            before = page.evaluate("stage.clock.at")
        expect(page.locator(".strip-said")).to_contain_text(AWAY)
        # The town is all there meanwhile: one can go on watching.
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function("(at) => stage.clock.at > at + 20", arg=before)
        page.get_by_role("button", name="Pause", exact=True).click()
        moment = page.evaluate("(window.stayed = true, stage.clock.at)")
        with serving(lived_runs, "town", *where):
            # Dialogs need a new page; it loads itself, at the second that its address tells.
            when_drawn(page, "!window.stayed")
            expect(page.locator(".strip-said")).not_to_contain_text("away")
            after = page.evaluate("[stage.clock.at, stage.replay.people[stage.selected].name]")
            assert abs(after[0] - moment) <= 1
            assert after[1] == "Walter Brandt"
            page.get_by_role("button", name="Play", exact=True).click()
            page.wait_for_function("(at) => stage.clock.at > at + 20", arg=moment)
            page.goto("about:blank")


DAY = 86_400
NOW = "[stage.clock.at, stage.clock.playing, stage.selected]"


def test_back_from_why_leads_to_a_moment_that_was_lived_after_the_page_was_opened(
    lived_runs: Path, tmp_path: Path, browser: Browser
) -> None:
    with serving(copied(lived_runs, tmp_path)) as app, new_page(browser) as page:
        page.goto(app.at("/run/town?at=1-12:00&play=0"))
        when_drawn(page, f"stage.replay.until === {DAY}")
        page.get_by_role("button", name="Another day").click()
        when_drawn(page, f"stage.replay.until > {1.1 * DAY}")
        page.keyboard.press("End")
        page.get_by_role("list", name="People in town").get_by_role("button").first.click()
        page.keyboard.press("Space")
        when_drawn(page, "!stage.clock.playing")
        page.get_by_role("tab", name="Thoughts").click()
        left = page.evaluate(NOW)
        assert left[0] > DAY
        page.get_by_role("button", name="Why this thought?").first.click()
        page.wait_for_url("**/why/**")
        page.go_back()
        when_drawn(page)
        assert page.evaluate(NOW) == [int(left[0]), *left[1:]]
