"""What comes over the line besides rows: a history begun anew, and faults."""

from playwright.sync_api import Page, expect

from tests.fixtures.browser import when_drawn
from tests.viewer.stage.small_stage import head, small_server, tracks

LIVING = {"state": "running", "goal": 8640}
DRAWN = "performance.getEntriesByName('town drawn').length"


def test_a_history_begun_anew_is_shown_from_its_beginning_and_faults_are_said(page: Page) -> None:
    with small_server() as server:
        server.begin(head(until=1000, **LIVING), {**tracks(), "until": 1000, **LIVING})
        page.goto(f"{server.root}/run/small?at=1-01:00")
        when_drawn(page, "stage.replay.watermark === 1000")
        fault = "Some talks cannot be read: <b>damaged</b>."
        news = {"since": 1000, "until": 1005, "faults": [fault], **LIVING}
        server.tell("tracks", news, 1005)
        expect(page.locator(".strip-said")).to_have_text(fault)
        assert page.evaluate(DRAWN) == 1

        again = {"since": -1, "until": 20, "state": "running", "goal": 8640}
        server.head, server.tracks = head(until=20, **LIVING), again
        server.tell("again", {})
        when_drawn(page, "stage.replay.watermark === 20")
        expect(page.locator(".strip-said")).not_to_have_text(fault)
