"""What a replay answers about known rows, and its clock about seconds that are given to it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.fixtures.browser import new_page, when_drawn
from tests.viewer.stage.small_stage import NASTY, SmallServer, head, small_server, tracks

WITHIN_SCRIPT = json.dumps(tracks()).replace("</", "<\\/")
Ask = Callable[[str], Any]
Run = Callable[[str], Any]


@pytest.fixture(scope="module")
def ask(browser: Browser) -> Iterator[Ask]:
    """Ask the small replay something: an expression over `replay`, `head`, `rows` and modules."""
    with small_server() as server, new_page(browser) as page:
        page.goto(server.root + "/")
        page.add_script_tag(
            type="module",
            content=f"""
            import * as replays from "/stage/replay.js";
            import * as times from "/stage/times.js";
            import * as urls from "/stage/url.js";
            import * as sources from "/stage/source.js";
            import * as places from "/stage/whereabouts.js";
            import * as rosters from "/stage/roster.js";
            import * as feeds from "/stage/feed_entries.js";
            const head = {json.dumps(head())};
            const rows = {WITHIN_SCRIPT};
            const replay = new replays.Replay(head);
            replay.add(rows);
            Object.assign(window, {{ replays, times, urls, sources, places }});
            Object.assign(window, {{ rosters, feeds, head, rows, replay }});
            """,
        )
        page.wait_for_function("window.replay !== undefined")
        yield page.evaluate


def test_a_person_stands_walks_in_fractions_of_tiles_and_stands_again(ask: Ask) -> None:
    places = ask("[0, 21600, 21605, 21635, 21660, 80000].map((at) => replay.position(0, at))")
    assert [(each["x"], each["y"], each["walking"]) for each in places] == [
        (2, 2, False),
        (2, 2, True),
        (2.5, 2, True),
        (5, 2.5, True),
        (5, 5, False),
        (5, 5, False),
    ]
    assert [(each["dx"], each["dy"]) for each in places[-3:]] == [(0, 1), (0, 1), (0, 1)]


def test_a_person_is_where_they_are_and_on_the_way_between_two_places(ask: Ask) -> None:
    ask(
        """window.moved = new replays.Replay(head), moved.add({ ...rows, moves: [
            [0, 2160, 2170, 2, 2, "R10"], [0, 2500, 2502, 12, 2, "D2"]] })"""
    )
    said = ask(
        """[21000, 21600, 21650, 21700, 25010, 25100].map(
            (at) => places.whereWords(places.whereabouts(moved, 0, at)))"""
    )
    way = "on the way from Mill to Bakery"
    kitchen = "oven, kitchen, Bakery"
    assert said == ["loft, Mill", way, way, kitchen, kitchen, kitchen]
    told = ask("[21000, 21650, 21700].map((at) => rosters.doing(moved, 0, at).place)")
    assert told == ["Mill, loft", "from Mill to Bakery", "Bakery, kitchen"]
    assert ask("places.addressAt(head.map, 7, 10)") == "outdoors"
    feed = ask("(() => { const e = new feeds.Entries(moved); e.grow(); return e.all; })()")
    deeds = [each for each in feed if each["group"] == "deed"]
    assert deeds[-1]["place"] == "from Mill to Bakery"


def test_talks_are_heard_line_by_line(ask: Ask) -> None:
    assert ask("[29999, 30000, 30099, 30100].map((t) => replay.talksAt(t).length)") == [0, 1, 1, 0]
    assert ask("replay.talksOf(1).length") == 1
    said = ask("[30000, 30010, 30050].map((at) => replay.lineAt(replay.talksOf(0)[0], at))")
    assert said[0] is None
    heard = {"n": 0, "at": 30_010, "text": "The oven is hot.", "fallback": False}
    assert said[1] == {**heard, "odd": False, "oddWhy": []}
    assert said[2]["text"] == NASTY
    assert said[2]["fallback"]


def test_a_replay_that_grows_is_the_replay_that_came_at_once(ask: Ask) -> None:
    grown = ask("""() => {
        const grown = new replays.Replay({ ...head, state: "running" });
        const kinds = { moves: (r) => r[1], deeds: (r) => r[1], objects: (r) => r[1],
                        talks: (r) => r.tick, notes: (r) => r[0] };
        let heard = 0;
        grown.on(() => (heard += 1));
        const slice = (since, until) => {
            const part = { since, until, state: "running", goal: 8640 };
            for (const [name, tick] of Object.entries(kinds))
                part[name] = rows[name].filter((row) => tick(row) > since && tick(row) <= until);
            return part;
        };
        for (let tick = -1; tick < 8639; tick += 90)
            grown.add(slice(tick, Math.min(8639, tick + 90)));
        grown.add(slice(2000, 8639));
        const telling = (f) => JSON.stringify([f.until, f.marks(), f.stirring.starts,
            f.stirring.ends, f.walks.map((w) => w?.times), f.doings.map((d) => d?.times),
            f.notes(0, 1e6), f.talksOf(0).length]);
        return [telling(grown) === telling(replay), heard > 90, grown.living, grown.until];
    }""")
    assert grown == [True, True, True, 86_400]


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
