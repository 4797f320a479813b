"""The clock of the stage: real seconds are given to it, so that nothing waits."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.fixtures.browser import new_page, when_drawn
from tests.viewer.stage.small_stage import SmallServer, small_server

Run = Callable[[str], Any]
MAKE = """
import { Clock, SPEEDS } from "/stage/clock.js";
window.make = (world = {}) => {
  const town = { end: 86400, next: Infinity, open: false, ...world };
  const told = [];
  const clock = new Clock({ end: () => town.end, open: () => town.open, tick: 10,
    stirs: (at) => (town.busy && at < town.busy ? at : town.next >= at ? town.next : Infinity) });
  clock.on((name) => told.push(name));
  const run = (seconds, frames = 60) => {
    for (let i = 0; i < seconds * frames; i += 1) clock.frame(1 / frames);
    return Math.round(clock.at);
  };
  return { clock, town, told, run };
};
window.SPEEDS = SPEEDS;
"""


@pytest.fixture(scope="module")
def run(browser: Browser) -> Iterator[Run]:
    """Run a script over `make(town)`, which gives a clock and what moves it."""
    with small_server() as server, new_page(browser) as page:
        page.goto(server.root + "/")
        page.add_script_tag(type="module", content=MAKE)
        page.wait_for_function("window.SPEEDS !== undefined")
        yield page.evaluate


def test_the_end_of_a_finished_run_pauses_and_play_begins_anew(run: Run) -> None:
    assert run("""() => {
        const { clock, run } = make({ end: 100, busy: 200 });
        clock.seek(60);
        clock.play();
        const end = [run(2), clock.playing];
        clock.play();
        return [...end, clock.at, clock.playing];
    }""") == [100, False, 0, True]


def test_at_the_edge_of_a_living_run_the_playhead_waits_and_goes_on(run: Run) -> None:
    assert run("""() => {
        const { clock, town, run } = make({ end: 100, busy: 1e6, open: true });
        clock.seek(60);
        clock.play();
        const waited = [run(2), clock.playing, clock.frame(0.1)];
        town.end = 130;
        return [...waited, run(0.25), run(2)];
    }""") == [100, True, False, 120, 130]


def test_live_closes_in_on_what_is_lived_and_a_seek_leaves_it(run: Run) -> None:
    assert run("""() => {
        const { clock, town, run } = make({ end: 1000, open: true });
        clock.seek(10);
        clock.goLive();
        const first = clock.at;
        town.end = 2000;
        const half = run(0.25) < 2000;
        const later = run(4);
        clock.seek(500);
        return [first, half, later, clock.live, clock.playing];
    }""") == [1000, True, 2000, False, True]


def test_space_pauses_after_clicks_and_presses_what_the_keyboard_has_gone_to(
    page: Page, small: SmallServer
) -> None:
    page.goto(f"{small.root}/run/small?at=1-08:00")
    when_drawn(page)
    playing = "stage.clock.playing"
    for name in ("People", "Person"):
        page.get_by_role("tab", name=name).click()
        page.keyboard.press("Space")
        assert page.evaluate(playing) is (name == "People")
    page.get_by_role("slider", name="Time").click(position={"x": 200, "y": 10})
    page.keyboard.press("Space")
    assert page.evaluate(playing)
    page.locator(".bar-play").click()
    page.keyboard.press("Space")
    assert page.evaluate(playing), "paused by the click, and played again by the key, once"
    page.keyboard.press("Space")
    page.locator("[data-act=fork]").focus()
    page.keyboard.press("Space")
    assert page.evaluate("[stage.clock.playing, told.length]") == [False, 1]
