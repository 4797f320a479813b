"""Nothing on a page moves by itself or lies over something else, at any size, in any state."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.fixtures.browser import new_page, when_drawn
from tests.fixtures.viewing import Served, copied, serving
from tests.viewer.stage.small_stage import head, small_server, tracks
from tests.viewer.stage.test_stage import LIVING, PULSE

MOST = 0.02
"""How much of a page may move, as the browser's own measure has it (cumulative layout shift)."""
WATCH = """
window.moved = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    const those = sources.map(({ node }) => node?.className || node?.nodeName);
    if (!hadRecentInput) moved.push([value, ...those]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
RESTED = """() => new Promise((done) => {
  const look = () => requestAnimationFrame(() => requestAnimationFrame(done));
  const loaded = performance.getEntriesByType("navigation")[0].loadEventEnd;
  const left = () => Math.max(0, loaded + 1200 - performance.now());
  document.fonts.ready.then(() => setTimeout(look, left()));
})"""
"""Waits for what comes after a page: fonts, and the first answers over its line to the server."""
DESK: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}
OF_A_RUN = ("", "?at=1-12:00&who=Walter+Brandt", "/story", "/news", "/relations")
HEAD = """() => {
  const boxes = {};
  for (const node of document.querySelectorAll(".head-name, .head nav a, .head-icons > *")) {
    const { left, top, width, height } = node.getBoundingClientRect();
    boxes[node.ariaLabel || node.textContent] = [left, top, width, height].map(Math.round);
  }
  return boxes;
}"""
"""Where each part of the header lies that all pages of a run have."""
WAYS = ["Runs", "Town", "Story", "News", "People", "Compare"]


@pytest.fixture(scope="module")
def app(lived_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over two runs that can be written to."""
    runs = copied(lived_runs, tmp_path_factory.mktemp("steady"))
    copied(runs / "town", runs / "other")
    (runs / "other" / "runs").rename(runs / "second")
    (runs / "other").rmdir()
    spec = json.loads((runs / "second" / "run.json").read_text("utf-8"))
    (runs / "second" / "run.json").write_text(json.dumps({**spec, "name": "second"}), "utf-8")
    with serving(runs) as served:
        yield served


@pytest.fixture
def watched(browser: Browser) -> Iterator[Page]:
    """A page that notes what moves on it."""
    with new_page(browser, viewport=DESK) as page:
        page.add_init_script(WATCH)
        yield page


def what_moved(page: Page) -> list[list[object]]:
    """Return what has moved on a page, once it has come to rest; nothing where it is too little."""
    page.evaluate(RESTED)
    moved: list[list[object]] = page.evaluate("moved")
    return moved if sum(float(str(value)) for value, *_ in moved) >= MOST else []


def paths(app: Served) -> list[str]:
    """Return the address of every page of the app."""
    with urlopen(app.at("/replay/town/tracks.json?since=-1")) as answer:
        talk = json.load(answer)["talks"][0]["id"]
    with urlopen(app.at("/replay/town/person/1.json")) as answer:
        tick = json.load(answer)["thoughts"][0][0]
    return [
        *("/start", "/compare?a=town&b=second", "/run/nowhere"),
        *(f"/run/town{path}" for path in OF_A_RUN),
        *(f"/run/town/why/Walter Brandt/{tick}", f"/run/town/talk/{talk}"),
    ]


def test_nothing_moves_when_a_run_begins_thinks_and_ends(watched: Page) -> None:
    with small_server() as small:
        until = {"until": 3300, **LIVING}
        small.begin(head(standin=False, **until), {**tracks(), **until})
        watched.goto(f"{small.root}/run/small?at=1-08:00")
        when_drawn(watched)
        small.tell("pulse", {**PULSE, "thinking": []}, 3300)
        small.tell("pulse", {**PULSE, "said": "The server is busy. Asking again in 9 s."}, 3300)
        expect(watched.locator(".strip")).to_contain_text("Asking again")
        small.tell("tracks", {**tracks(), "since": 3300}, 8639)
        small.tell("pulse", None, 8639)
        expect(watched.locator(".chip")).to_contain_text("over")
        expect(watched.locator(".strip")).to_contain_text("thinks here")
        assert what_moved(watched) == []


def opened(page: Page, app: Served) -> dict[str, Page]:
    """Open every page of the app, each as for the first time and all before any is looked at."""
    found = {}
    for path in paths(app):
        found[path] = tab = page.context.new_page()
        no_cache = {"cacheDisabled": True}
        tab.context.new_cdp_session(tab).send("Network.setCacheDisabled", no_cache)
        tab.goto(app.at(path))
    return found


def test_nothing_moves_while_a_page_comes_and_each_has_the_same_header_at_the_same_place(
    app: Served, browser: Browser
) -> None:
    with new_page(browser, expected=("Failed to load",), viewport=PHONE) as page:
        page.context.add_init_script(WATCH)
        moved, found = {}, {}
        for path, tab in opened(page, app).items():
            moved[path] = what_moved(tab)
            tab.locator(".head-icons").wait_for()
            if tab.locator(".head-menu").is_visible():
                tab.locator(".head-menu").click()
            found[path] = tab.evaluate(HEAD)
            of_a_run = "a=town" in path or "/run/town" in path
            names = tab.locator(".head nav a").all_inner_texts()
            assert names == (WAYS if of_a_run else WAYS[:1]), path
            tab.close()
    assert not any(moved.values()), moved
    usual = found["/run/town"]
    assert set(usual) == {"Smolville", *WAYS, "Dark colours", "Help"}
    for path, boxes in found.items():
        assert boxes == {name: usual[name] for name in boxes}, path


def test_people_glide_to_their_new_places_in_the_list(app: Served, browser: Browser) -> None:
    order = "[...document.querySelectorAll('.roster li')].map((each) => each.dataset.person).join()"
    with new_page(browser, viewport=DESK) as page:
        page.add_init_script(WATCH)
        page.goto(app.at("/run/town?at=1-06:00&speed=64&play=1"))
        when_drawn(page)
        before = page.evaluate(order)
        page.wait_for_function(f"(before) => {order} !== before", arg=before)
        page.evaluate(RESTED)
        lines = [value for value, *those in page.evaluate("moved") if "LI" in those]
    # Three people who jump there make 0.01 of it, and 25 make 0.15.
    assert sum(lines) < 0.003
