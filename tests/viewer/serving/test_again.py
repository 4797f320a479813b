"""Coming back to a server that begins again."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.fixtures.browser import new_page, when_drawn
from tests.fixtures.loopback import free_port
from tests.fixtures.viewing import serving

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
