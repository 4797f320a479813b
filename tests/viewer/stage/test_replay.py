"""What a replay answers, in a browser, about rows that are known."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.fixtures.browser import new_page
from tests.viewer.stage.small_stage import NASTY, head, small_server, tracks

WITHIN_SCRIPT = json.dumps(tracks()).replace("</", "<\\/")
Ask = Callable[[str], Any]


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


def test_a_visitor_is_there_from_when_they_come_until_they_leave(ask: Ask) -> None:
    there = ask("[29999, 30000, 39999, 40000].map((at) => replay.position(2, at) !== null)")
    assert there == [False, True, True, False]


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


def test_notes_and_marks_are_told_once_each(ask: Ask) -> None:
    assert ask("replay.notes(32000, 33000).map(({ kind }) => kind)") == ["insight", "whisper"]
    assert ask("replay.notes(32001, 32999)") == []
    assert ask("replay.marks().map(({ at, kind }) => [at, kind])") == [
        [21_600, "fallback"],
        [30_000, "talk"],
        [32_000, "insight"],
        [33_000, "operator"],
    ]
    assert ask("replay.markAfter(30000).at") == 32_000
    assert ask("replay.markAfter(33000)") is None


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


def test_an_address_says_what_was_written_into_it(ask: Ask) -> None:
    written = ask("""urls.addressOf({ at: 138600, speed: 16, live: false, playing: true,
                                      who: "Zoë & Bo", follow: true })""")
    assert written == "at=2-14:30&speed=16&play=1&who=Zo%C3%AB+%26+Bo&follow=1"
    assert ask(f"urls.readAddress('?{written}')") == {
        "at": 138_600,
        "speed": 16,
        "play": True,
        "who": "Zoë & Bo",
        "follow": True,
        **dict.fromkeys(["visitor", "section", "request"]),
    }


def test_a_page_unpacks_the_replay_inside_of_it(ask: Ask) -> None:
    assert ask("""async () => {
        const zip = new Blob([JSON.stringify({ head, tracks: rows, people: [{ n: 0 }] })]).stream()
            .pipeThrough(new CompressionStream("gzip"));
        const bytes = new Uint8Array(await new Response(zip).arrayBuffer());
        const holder = document.createElement("script");
        Object.assign(holder, { id: "replay", type: "application/json" });
        holder.textContent = btoa(String.fromCharCode(...bytes));
        document.head.append(holder);
        const source = new sources.FileSource();
        return [(await source.head()).run, (await source.tracks()).until,
                (await source.person(0)).n, source.place];
    }""") == ["small", 8639, 0, "file"]
